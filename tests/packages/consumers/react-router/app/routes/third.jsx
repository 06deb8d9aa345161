export default function Third() {
  return <mha-explorer document="001-f" head="3" />;
}
