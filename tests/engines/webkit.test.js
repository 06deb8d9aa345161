import { browserTests } from './browser-suite.js';
import { launchWebKit } from './drivers/webkit.js';

browserTests({
  id: 'webkit',
  order: 3,
  name: 'WebKitGTK',
  launch: launchWebKit,
  // Of WebKit's ports, that of GTK shares no memory between threads unless its engine is told to.
  threads: 1,
  launchSharing: () => launchWebKit({ JSC_useSharedArrayBuffer: '1' }),
});
