import { define } from '../define.js';
import { MhaArcs } from '../mha-arcs.js';

define('mha-arcs', MhaArcs);

export { MhaArcs };
