import '../arcs/index.js';
import '../heads/index.js';
import '../matrix/index.js';
import { define } from '../base/mha-element.js';
import { MhaExplorer } from './mha-explorer.js';

define('mha-explorer', MhaExplorer);

export { MhaExplorer };
