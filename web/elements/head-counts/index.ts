import { define } from '../base/mha-element.js';
import { MhaHeadCounts } from './mha-head-counts.js';

define('mha-head-counts', MhaHeadCounts);

export { MhaHeadCounts };
