import { define } from '../base/define.js';
import { MhaHeads } from './mha-heads.js';

define('mha-heads', MhaHeads);

export { MhaHeads };
