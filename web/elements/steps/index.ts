import { define } from '../base/define.js';
import { MhaSteps } from './mha-steps.js';

define('mha-steps', MhaSteps);

export { MhaSteps };
