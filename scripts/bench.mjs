import { comparePeers } from './lib/bench-peers.mjs';

await comparePeers('node', 'bench');
