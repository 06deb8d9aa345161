import { define } from '../base/define.js';
import { MhaHeadCounts } from './mha-head-counts.js';

define('mha-head-counts', MhaHeadCounts);

export { MhaHeadCounts };
