'use client';

import 'multihead-attention/elements';
import { useEffect, useRef, useState } from 'react';

export function Explorer(props) {
  const explorer = useRef(null);
  const [selected, setSelected] = useState(null);

  // Not as `onmha-select`: React leaves listeners of custom elements out where it takes over what a server has written.
  useEffect(() => {
    const { current } = explorer;
    const select = ({ detail }) => setSelected(detail);
    current.addEventListener('mha-select', select);
    return () => current.removeEventListener('mha-select', select);
  }, []);

  return (
    <>
      <mha-explorer ref={explorer} {...props} />
      <output id="selected">{JSON.stringify(selected)}</output>
    </>
  );
}
