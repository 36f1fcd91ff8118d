import type { Packages } from './layout.js';

type Rewriting = readonly (readonly [RegExp, string])[];

/** Another version of a driver than the one that the fixtures are written with. */
export interface VersionSet {
  readonly name: string;
  /** The id of the driver. */
  readonly driver: string;
  readonly packages: Packages;
  /** How its users write the same: line by line, in the texts of the fixtures. */
  readonly rewritten?: Rewriting;
  /** The same, where there are type arguments to write. */
  readonly typed?: Rewriting;
  /** Fixtures that do not compile with it, and why: what they must report is the same. */
  readonly uncompiled?: Readonly<Record<string, string>>;
  /** Fixtures whose suggestions do not compile with it, and why. */
  readonly unrewritten?: Readonly<Record<string, string>>;
  /** Fixtures that say something else with it, and why. */
  readonly differs?: Readonly<Record<string, string>>;
  /** Names of the driver's record that it does not declare. */
  readonly lacks?: { readonly types?: readonly string[]; readonly members?: readonly string[] };
}

/** `drizzle(client, config)` is `drizzle({ client, ...config })`. */
const clientByName: Rewriting = [
  [/\b(drizzle|drizzleJs|drizzlePg|over(?:Http|Neon|Pglite|Vercel))\((?!url\b|process\.|mock\b|['"{`]|POOLED_URL|\)|\) \{)((?:[^(),]|\((?:[^()]|\([^()]*\))*\))+)\)/g, '$1({ client: $2 })'],
  [/\bdrizzle\((client|pool|(?:new Pool|postgres)\([^()]*\)), \{/g, 'drizzle({ client: $1,'],
];

const schema = 'a schema is no option, and no type argument, of 1.0: relations are';
const casing = '`casing` is no option of 1.0';
const severalStatements = 'a statement without a type argument gives what several statements may';

/**
 * Prisma 6 has 190 MB of packages. Its declarations are written down here, as far as code with locks meets them; `PRISMA_6` may name
 * the `node_modules` of a project in which it is installed and has generated its client for the schema of the fixtures.
 */
const prisma6 = process.env['PRISMA_6'] ?? '../fixtures/versions/prisma-6/declared';

/** Versions that the README names, beside those that are installed by their own names. */
export const sets: readonly VersionSet[] = [
  { name: 'typeorm-0.3', driver: 'typeorm', packages: { typeorm: 'typeorm-0.3', '@nestjs/typeorm': '@nestjs/typeorm' } },
  {
    name: 'mikro-orm-7', driver: 'mikro-orm',
    packages: { '@mikro-orm/core': 'mikro-orm-core-7', '@mikro-orm/sql': '@mikro-orm/sql', '@mikro-orm/postgresql': 'mikro-orm-postgresql-7', kysely: 'kysely-0.29' },
    uncompiled: {
      'mikro/connections/managers-and-pools.ts': '7 works through Kysely: `getKnex()` is gone',
      'mikro/correct/transactional-method.ts': '`@Transactional()` has a package of its own in 7',
    },
  },
  {
    name: 'prisma-6', driver: 'prisma',
    packages: { '@prisma/client': `${prisma6}/@prisma/client`, '.prisma/client': `${prisma6}/.prisma/client` },
    uncompiled: { 'prisma/transactions/interactive.ts': 'the client of a transaction has no `$transaction` in 6' },
  },
  { name: 'kysely-0.29', driver: 'kysely', packages: { kysely: 'kysely-0.29' } },
  { name: 'pg-promise-11', driver: 'pg-promise', packages: { 'pg-promise': 'pg-promise-11' } },
  { name: 'slonik-48', driver: 'slonik', packages: { slonik: 'slonik-48' } },
  {
    name: 'slonik-49', driver: 'slonik', packages: { slonik: 'slonik-49' },
    uncompiled: {
      'slonik/answers/read-and-not-read.ts': 'what `sql.unsafe` gives is `unknown` in 49',
      'slonik/connections/pool-and-connect.ts': 'what `sql.unsafe` gives is `unknown` in 49',
    },
    unrewritten: { 'slonik/pairs/one-function.ts': 'without types it is not known that what `sql.unsafe` gives is `unknown` in 49' },
  },
  {
    name: 'drizzle-orm-1', driver: 'drizzle-orm', packages: { 'drizzle-orm': 'drizzle-orm-1' },
    rewritten: [...clientByName, [/\bPg(Database|Transaction|WithReplicas)\b/g, 'PgAsync$1']],
    typed: [[/\.execute\((?=sql|`|text|statement)/g, '.execute<Record<string, any>>(']],
    uncompiled: {
      'drizzle/connections/pg-modules/db.ts': schema,
      'drizzle/connections/pg-pinned-forms.ts': schema,
      'drizzle/connections/pg-root-forms.ts': schema,
      'drizzle/connections/pg-transactions.ts': schema,
      'drizzle/connections/pg-typed-parameters.ts': schema,
      'drizzle/connections/postgres-js-parameters.ts': schema,
      'drizzle/connections/postgres-js-root-forms.ts': schema,
      'drizzle/correct/pg-rate-limit.ts': schema,
      'drizzle/correct/pg-with-lock.ts': schema,
      'drizzle/correct/postgres-js-seed-script.ts': schema,
      'drizzle/correct/subscriptions/repository.ts': schema,
      'drizzle/regressions/generic-database-parameter.ts': schema,
      'drizzle/regressions/outbox-relay-over-pool.ts': schema,
      'drizzle/sql/tag-and-nesting.ts': schema,
      'drizzle/regressions/ways-to-send.ts': casing,
      'drizzle/answers/pg-returned-and-ignored.ts': severalStatements,
      'drizzle/correct/pg-counter-in-one-statement.ts': severalStatements,
      'drizzle/correct-owners/keys-and-owners.ts': 'hands over a client by position that 1.0 takes by name',
    },
    unrewritten: { 'drizzle/connections/pg-modules/expire.ts': schema },
    differs: { 'drizzle/answers/shape-of-the-other-driver.mjs': severalStatements },
    lacks: { types: ['PgTransaction', 'PgWithReplicas', 'PgDatabase'] },
  },
];
