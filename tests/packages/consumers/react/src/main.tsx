import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Pages } from './pages';

createRoot(document.body.appendChild(document.createElement('div'))).render(
  <StrictMode>
    <Pages />
  </StrictMode>,
);
