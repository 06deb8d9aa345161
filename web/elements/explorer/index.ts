import '../arcs/index.js';
import '../heads/index.js';
import '../matrix/index.js';
import { define } from '../base/mha-element.js';
import { MhaExplorer } from './mha-explorer.js';
import { ExplorerPredictions } from './predictions.js';

define('mha-explorer-predictions', ExplorerPredictions);
define('mha-explorer', MhaExplorer);

export { MhaExplorer };
