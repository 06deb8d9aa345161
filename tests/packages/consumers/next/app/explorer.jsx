'use client';

import 'multihead-attention/elements';
import { useEffect, useRef, useState } from 'react';

export function Explorer(props) {
  const explorer = useRef(null);
  const [selected, setSelected] = useState(null);

  // Not `onmha-select`: React doesn't attach listeners of custom elements when it hydrates server-rendered HTML.
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
