/** What a pretrained model shows besides its heads. */
import { define } from '../base/mha-element.js';
import { ExplorerPredictions } from './predictions.js';

export function definePanels(): void {
  define('mha-explorer-predictions', ExplorerPredictions);
}
