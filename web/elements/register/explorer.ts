import './arcs.js';
import './heads.js';
import './matrix.js';
import { define } from '../define.js';
import { MhaExplorer } from '../mha-explorer.js';

define('mha-explorer', MhaExplorer);

export { MhaExplorer };
