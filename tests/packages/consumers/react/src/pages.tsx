import type { MhaIntrinsicElements } from 'multihead-attention/elements';
import { useState } from 'react';
import { App } from './app';

/** As texts, and the second without what the first one has. */
const figures: MhaIntrinsicElements['mha-explorer'][] = [
  { document: '004-sentence', heads: '4', head: '1', summary: 'false' },
  { document: '001-f', head: '3' },
];

export function Pages() {
  const [page, setPage] = useState(0);
  const figure = figures[page - 1];
  return (
    <>
      <button id="next" onClick={() => setPage((page + 1) % 3)}>
        Next
      </button>
      {figure ? <mha-explorer {...figure} /> : <App />}
    </>
  );
}
