import type { KnipConfig } from 'knip';

export default {
  entry: ['src/index.ts', '.ci/*.mjs', 'test/server/demo.mjs'],
  project: ['src/**/*.ts', 'rules/*.ts', 'test/**/*.{ts,mjs}', 'docs/*.mjs'],
  // Fixtures are read as texts.
  ignore: ['fixtures/**'],
  // Linked into projects that the packaging tests make, or run by path.
  ignoreDependencies: ['eslint-9', 'typescript-5.4', '@arethetypeswrong/cli'],
} satisfies KnipConfig;
