import { define } from '../base/define.js';
import { MhaPatches } from './mha-patches.js';

define('mha-patches', MhaPatches);

export { MhaPatches };
