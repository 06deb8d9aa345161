import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The packed package is a consumer's view: ES modules, taken as they are. */
export default {
  testEnvironment: '<rootDir>/js/environment.js',
  testMatch: ['<rootDir>/js/**/*.test.js'],
  transform: {},
  // A small machine may have to share its cores with other suites.
  testTimeout: 120_000,
  maxWorkers: Math.min(availableParallelism(), 4),
  reporters: [
    'default',
    '<rootDir>/js/nothing-skipped.js',
    [
      'jest-junit',
      {
        outputDirectory: fileURLToPath(new URL('../build/test-reports', import.meta.url)),
        outputName: 'api.xml',
        suiteName: 'api',
        suiteNameTemplate: '{filename}',
        classNameTemplate: '{classname}',
        titleTemplate: '{title}',
      },
    ],
  ],
};
