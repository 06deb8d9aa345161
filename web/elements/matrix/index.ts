import { define } from '../base/define.js';
import { MhaMatrix } from './mha-matrix.js';

define('mha-matrix', MhaMatrix);

export { MhaMatrix };
