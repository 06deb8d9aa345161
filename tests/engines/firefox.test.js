import { browserTests } from './browser-suite.js';
import { launchFirefox } from './drivers/firefox.js';

browserTests({ id: 'firefox', order: 2, name: 'Firefox ESR', launch: launchFirefox });
