import type { FigureData, MhaSelectDetail } from 'multihead-attention/elements';
import 'multihead-attention/elements';
import { useEffect, useState } from 'react';

export function App() {
  const [data, setData] = useState<FigureData | null>(null);
  const [selected, setSelected] = useState<MhaSelectDetail | null>(null);

  useEffect(() => {
    void import('multihead-attention/documents').then(({ documents }) => {
      const { tokens = [], tensors } = documents.run('001-b');
      setData({ tokens, weights: tensors.weights! });
    });
  }, []);

  return (
    <>
      <mha-explorer document="001-b" onmha-select={({ detail }) => setSelected(detail)} />
      <mha-matrix data={data} head={2} title="The same, computed by the page" />
      <output id="selected">{JSON.stringify(selected)}</output>
    </>
  );
}
