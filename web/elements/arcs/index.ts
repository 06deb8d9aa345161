import { define } from '../base/mha-element.js';
import { MhaArcs } from './mha-arcs.js';

define('mha-arcs', MhaArcs);

export { MhaArcs };
