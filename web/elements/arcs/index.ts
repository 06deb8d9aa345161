import { define } from '../base/define.js';
import { MhaArcs } from './mha-arcs.js';

define('mha-arcs', MhaArcs);

export { MhaArcs };
