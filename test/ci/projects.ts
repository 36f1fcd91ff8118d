import { fileIn } from '../support/page.js';
import { type UserProject, userProject } from '../support/user-project.js';

const packages = ['eslint', 'typescript', 'typescript-eslint', 'pg', '@types/pg', '@types/node', 'oxlint', 'eslint-formatter-gha', 'eslint-formatter-gitlab', '@microsoft/eslint-formatter-sarif'];

/** The configs are those of the pages. */
const surroundings: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }\n',
  'tsconfig.json': '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true, "noEmit": true, "types": ["node"] }, "include": ["src"] }\n',
  'eslint.config.mjs': fileIn('README.md', 'eslint.config.mjs'),
  '.oxlintrc.json': fileIn('docs/configure.md', '.oxlintrc.json'),
  '.gitignore': 'node_modules\n',
};

export const pooled = "import { Pool } from 'pg';\nexport const handle = new Pool();\n";
export const single = "import { Client } from 'pg';\nexport const handle = new Client();\n";

/** Who locks with the handle of another file; correct if that is one connection. */
export const job = `import { handle } from './db.js';

export async function job(work: () => Promise<void>): Promise<void> {
  await handle.query('SELECT pg_advisory_lock(7)');
  try {
    await work();
  } finally {
    const { rows } = await handle.query<{ unlocked: boolean }>('SELECT pg_advisory_unlock(7) AS unlocked');
    if (rows[0]?.unlocked !== true) console.error('Lock 7 was lost.');
  }
}
`;

/** What is found in `job` where the handle is a pool: on its lines, by these rules. */
export const found = ['4 no-pooled-session-lock', '8 no-cross-connection-unlock'];

/** A project with the configs, and no code but this. */
export function projectOf(files: Readonly<Record<string, string>>): UserProject {
  return userProject(packages, { ...surroundings, ...files });
}

/** A small project whose job locks through a pool, or on one connection. */
export function projectWith(db: string, files: Readonly<Record<string, string>> = {}): UserProject {
  return projectOf({ 'src/db.ts': db, 'src/job.ts': job, ...files });
}

/** `line rule` of each finding in what ESLint prints as JSON. */
export function findingsIn(stdout: string): string[] {
  const results = JSON.parse(stdout) as { messages: { line: number; ruleId: string | null; message: string }[] }[];
  return results.flatMap(({ messages }) => messages.map(({ line, ruleId, message }) => `${line} ${ruleId?.replace(/^.*\//, '') ?? message}`));
}
