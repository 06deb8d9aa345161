import { define } from '../base/mha-element.js';
import { MhaHeads } from './mha-heads.js';

define('mha-heads', MhaHeads);

export { MhaHeads };
