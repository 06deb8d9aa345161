import { define } from '../base/mha-element.js';
import { MhaSteps } from './mha-steps.js';

define('mha-steps', MhaSteps);

export { MhaSteps };
