/** The packed package is a consumer's view: ES modules, taken as they are. */
export default {
  testEnvironment: '<rootDir>/js/environment.js',
  testMatch: ['<rootDir>/js/**/*.test.js'],
  transform: {},
  // Hundreds of random cases may have to share a small machine.
  testTimeout: 120_000,
};
