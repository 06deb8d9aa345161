import type { MhaIntrinsicElements } from 'multihead-attention/elements';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends MhaIntrinsicElements {}
  }
}
