import { browserTests } from './browser-suite.js';
import { launchChromium } from './drivers/chromium.js';

browserTests({ name: 'Chromium', launch: launchChromium });
