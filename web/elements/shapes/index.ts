import { define } from '../base/define.js';
import { MhaShapes } from './mha-shapes.js';

define('mha-shapes', MhaShapes);

export { MhaShapes };
