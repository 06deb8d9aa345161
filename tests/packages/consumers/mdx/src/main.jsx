import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import First from './first.mdx';
import Second from './second.mdx';
import Third from './third.mdx';

const pages = [First, Second, Third];

function Lesson() {
  const [page, setPage] = useState(0);
  const Page = pages[page];
  return (
    <>
      <button id="next" onClick={() => setPage((page + 1) % pages.length)}>
        Next
      </button>
      <Page />
    </>
  );
}

createRoot(document.body.appendChild(document.createElement('div'))).render(<Lesson />);
