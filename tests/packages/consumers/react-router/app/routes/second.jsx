export default function Second() {
  return <mha-explorer document="004-sentence" heads="4" head="1" summary="false" />;
}
