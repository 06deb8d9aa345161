import { browserTests } from './browser-suite.js';
import { launchFirefox } from './drivers/firefox.js';

browserTests({ name: 'Firefox ESR', launch: launchFirefox });
