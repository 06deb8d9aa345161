import { comparePeers } from './lib/bench-peers.mjs';

await comparePeers('chromium', 'bench:browser');
