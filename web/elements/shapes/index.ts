import { define } from '../base/mha-element.js';
import { MhaShapes } from './mha-shapes.js';

define('mha-shapes', MhaShapes);

export { MhaShapes };
