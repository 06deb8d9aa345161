import { Explorer } from '../explorer';

export default function Page() {
  return <Explorer document="004-sentence" heads="4" head="1" summary="false" />;
}
