import { browserTests } from './browser-suite.js';
import { launchWebKit } from './drivers/webkit.js';

browserTests({
  name: 'WebKitGTK',
  launch: launchWebKit,
  // WebKitGTK shares memory between threads only with a setting of its engine.
  threads: 1,
  launchSharing: () => launchWebKit({ JSC_useSharedArrayBuffer: '1' }),
});
