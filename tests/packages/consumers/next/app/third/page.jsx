import { Explorer } from '../explorer';

export default function Page() {
  return <Explorer document="001-f" head="3" />;
}
