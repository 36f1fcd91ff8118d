import { type UserProject, userProject } from '../support/user-project.js';

const packages = ['typescript', 'typescript-eslint', 'pg', '@types/pg', '@types/node'];
const base = "{ ...tseslint.configs.base, files: ['**/*.ts'] }";
const typed = "{ files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } }";

export type Types = 'types of the config' | 'types on demand';

/** The rules beside the plugin's: hardly any, or the sets that typescript-eslint recommends with and without types. */
export type Others = 'one rule' | 'recommended';

/** An ESLint config with the plugin, or without. One that lints with types has another rule that asks for some. */
function configOf(types: Types, withPlugin: boolean, rules: Others): string {
  const others = types === 'types of the config' ? {
    'one rule': [base, typed, "{ files: ['**/*.ts'], rules: { '@typescript-eslint/no-floating-promises': 'error' } }"],
    recommended: ['...tseslint.configs.recommendedTypeChecked', typed],
  }[rules] : { 'one rule': [base], recommended: ['...tseslint.configs.recommended'] }[rules];
  return [
    "import tseslint from 'typescript-eslint';",
    ...(withPlugin ? ["import pgAdvisoryLock from 'eslint-plugin-pg-advisory-lock';"] : []),
    `export default [${[...others, ...(withPlugin ? ['pgAdvisoryLock.configs.recommended'] : [])].join(', ')}];`, '',
  ].join('\n');
}

export function projectFor(types: Types, withPlugin: boolean, files: Readonly<Record<string, string>>, rules: Others = 'one rule'): UserProject {
  return userProject(['eslint', ...packages], {
    'package.json': '{ "type": "module" }\n',
    'tsconfig.json': '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true, "types": ["node"] }, "include": ["src"] }\n',
    'eslint.config.mjs': configOf(types, withPlugin, rules),
    ...files,
  });
}

export const nightly = `import { Pool } from 'pg';

const pool = new Pool();

export async function nightly(work: () => Promise<void>): Promise<void> {
  const { rows } = await pool.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(42) AS locked');
  if (!rows[0]?.locked) return;
  await work();
  await pool.query('SELECT pg_advisory_unlock(42)');
}
`;

/** A handle in a file of its own, pooled or not, and who locks with it. */
export const pooled = "import { Pool } from 'pg';\nexport const handle = new Pool();\n";
export const single = "import { Client } from 'pg';\nexport const handle = new Client();\n";
export const job = "import { handle } from './db.js';\nexport const run = () => handle.query('SELECT pg_advisory_lock(1)');\n";

/** Two thousand lines of a module, and the faulty function at its end. */
export const long = `${nightly}${Array.from({ length: 250 }, (_, index) => `
export interface Row${index} { id: number; name: string }
export function namesOf${index}(rows: readonly Row${index}[]): string[] {
  const names: string[] = [];
  for (const row of rows) if (row.id > ${index}) names.push(row.name.trim());
  return names;
}
`).join('')}`;

/** A monorepo whose one package has an ESLint config of its own; there is none at the top. */
export function monorepo(eslint: string): UserProject {
  return userProject([eslint, ...packages], {
    'package.json': '{ "type": "module", "workspaces": ["packages/*"] }\n',
    'packages/jobs/package.json': '{ "name": "jobs", "type": "module" }\n',
    'packages/jobs/tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "strict": true, "noEmit": true, "types": ["node"] } }\n',
    'packages/jobs/eslint.config.mjs': configOf('types on demand', true, 'one rule'),
    'packages/jobs/nightly.ts': nightly,
  });
}
