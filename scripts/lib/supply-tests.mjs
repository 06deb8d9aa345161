import { nodeTests } from './js-tests.mjs';

/** tests/supply: where tools and packages come from, and that the same sources give the same bytes. */
export const supplyTests = ({ full }) => nodeTests('supply', full ? { MHA_FULL: '1' } : {});
