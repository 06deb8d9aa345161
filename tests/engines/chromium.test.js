import { browserTests } from './browser-suite.js';
import { launchChromium } from './drivers/chromium.js';

browserTests({ id: 'chromium', order: 1, name: 'Chromium', launch: launchChromium });
