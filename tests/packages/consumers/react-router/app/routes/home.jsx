import { useEffect, useRef, useState } from 'react';

export default function Home() {
  const explorer = useRef(null);
  const [selected, setSelected] = useState(null);

  useEffect(() => {
    const { current } = explorer;
    const select = ({ detail }) => setSelected(detail);
    current.addEventListener('mha-select', select);
    return () => current.removeEventListener('mha-select', select);
  }, []);

  return (
    <>
      <mha-explorer ref={explorer} document="001-b" />
      <output id="selected">{JSON.stringify(selected)}</output>
    </>
  );
}
