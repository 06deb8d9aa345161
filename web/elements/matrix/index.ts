import { define } from '../base/mha-element.js';
import { MhaMatrix } from './mha-matrix.js';

define('mha-matrix', MhaMatrix);

export { MhaMatrix };
