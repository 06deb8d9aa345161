import type { HeadRoles } from '../../index.js';

/** The role scores, in the order in which they are shown. */
export const ROLES: readonly (keyof HeadRoles)[] = [
  'previousToken',
  'nextToken',
  'self',
  'firstToken',
  'sameWord',
  'punctuation',
  'rareWord',
  'neighbourhood',
  'entropy',
];
