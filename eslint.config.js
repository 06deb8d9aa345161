import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['build/', 'dist/', '.toolchain/', '.wireit/', '**/node_modules/', 'tests/golden/'] },
  js.configs.recommended,
  {
    files: ['web/**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['scripts/**/*.mjs', 'tests/**/*.js', 'tests/**/*.mjs', '*.js', '*.mjs'],
    languageOptions: { globals: globals.node },
  },
  { files: ['tests/js/**/*.js'], languageOptions: { globals: globals.jest } },
  { files: ['web/embed/**/*.js'], languageOptions: { globals: globals.browser } },
  {
    files: [
      'tests/browser/**/*.js',
      'tests/faults/**/*.js',
      'tests/hosts/**/*.js',
      'tests/engines/inside/*.js',
      'tests/packages/page.js',
      'tests/packages/consumers/**/*.js',
    ],
    languageOptions: { globals: globals.browser },
  },
);
