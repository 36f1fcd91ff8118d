import { defineConfig, globalIgnores } from 'eslint/config';
import eslintPlugin from 'eslint-plugin-eslint-plugin';
import * as regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import house from './test/house/rooms.mjs';

export default defineConfig(
  // Fixtures are faulty on purpose; they are compiled and linted by the tests.
  globalIgnores(['dist/', 'fixtures/', '.matrix/']),
  {
    files: ['**/*.{ts,mjs}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { house },
    rules: {
      'house/rooms': 'error',
      // `import('typescript')` as a type goes with loading it late.
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Numbers read well in templates.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `_` before a name says that it is not used.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Under `noUncheckedIndexedAccess` the author may know what the compiler cannot.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Kinds of nodes are compared as strings: their enum would load a package at run time.
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      // A promise's callback that only calls is short and clear.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'max-lines': ['error', 400],
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.mjs'],
    rules: {
      // A cast in a comment is no node, so these do not see it.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['test/**'],
    rules: {
      // Stand-ins for what is asynchronous in life.
      '@typescript-eslint/require-await': 'off',
      // `ts.sys` and `expect` are used apart from their objects.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Much of what these look for, `createRule` hides from them; test/house/rules.test.ts asks for it at run time.
    files: ['rules/*.ts', 'src/rule.ts'],
    extends: [eslintPlugin.configs.recommended],
    rules: {
      'eslint-plugin/no-property-in-node': 'error',
      'eslint-plugin/require-meta-docs-description': ['error', { pattern: '^[A-Z].*[^.]$' }],
      'eslint-plugin/require-meta-schema-description': 'error',
      'eslint-plugin/require-meta-default-options': 'error',
    },
  },
  {
    // What is shipped reads texts of any length.
    files: ['src/**/*.ts', 'rules/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    // A rule judges facts; whatever is longer belongs to another room.
    files: ['rules/*.ts'],
    rules: { 'max-lines': ['error', 150] },
  },
);
