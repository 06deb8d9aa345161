import { define } from '../base/mha-element.js';
import { MhaPatches } from './mha-patches.js';

define('mha-patches', MhaPatches);

export { MhaPatches };
