import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileIn } from '../support/page.js';
import { removeUserProjects, type UserProject } from '../support/user-project.js';
import { Editor, type Squiggle } from './editor.js';
import { job, long, monorepo, nightly, pooled, projectFor, single, type Types } from './projects.js';

const editors: Editor[] = [];
afterAll(() => {
  for (const editor of editors) editor.kill();
  removeUserProjects();
});

async function editorOn(project: UserProject): Promise<Editor> {
  const editor = new Editor(project);
  editors.push(editor);
  return editor.start();
}

const underlined = (squiggles: readonly Squiggle[]): string[] => squiggles.map(({ rule, text }) => `${rule.replace('pg-advisory-lock/', '')}: ${text}`);
const ofNightly = ['no-pooled-session-lock: pg_try_advisory_lock', 'no-cross-connection-unlock: pg_advisory_unlock', 'no-unchecked-unlock: pg_advisory_unlock'];
const ofJob = ['no-pooled-session-lock: pg_advisory_lock'];

describe.each<Types>(['types of the config', 'types on demand'])('the ESLint extension of VS Code, with %s', (types) => {
  let project: UserProject;
  let editor: Editor;
  beforeAll(async () => {
    project = projectFor(types, true, { 'src/nightly.ts': nightly, 'src/db.ts': pooled, 'src/job.ts': job });
    editor = await editorOn(project);
    editor.open('src/nightly.ts', nightly);
  });

  const look = async (path: string): Promise<string[]> => underlined(await editor.squiggles(path));

  test('underlines the lock functions themselves', async () => {
    const found = await editor.squiggles('src/nightly.ts');
    expect(underlined(found)).toEqual(ofNightly);
    expect(found.map(({ diagnostic }) => [diagnostic.source, diagnostic.severity, diagnostic.range.start.line])).toEqual([['eslint', 1, 5], ['eslint', 1, 8], ['eslint', 1, 8]]);
    expect(found[0]?.message).toContain('`pool` is a pg Pool (nightly.ts:3)');
  });

  test('offers the rewrite, which takes the lines away; undone, they are back', async () => {
    const [first] = await editor.squiggles('src/nightly.ts');
    const actions = await editor.actions('src/nightly.ts', first!);
    expect(actions.map(({ title }) => title)).toEqual([
      'Reserve one connection for the lock and the unlock. (pg-advisory-lock/no-pooled-session-lock)',
      'Disable pg-advisory-lock/no-pooled-session-lock for this line',
      'Disable pg-advisory-lock/no-pooled-session-lock for the entire file',
    ]);
    await editor.apply(actions[0]!);
    expect(editor.textOf('src/nightly.ts')).toContain('const client = await pool.connect();');
    expect(await look('src/nightly.ts')).toEqual([]);
    editor.type('src/nightly.ts', nightly);
    expect(await look('src/nightly.ts')).toEqual(ofNightly);
  });

  test('applies no rewrite on save', async () => {
    const [first] = await editor.squiggles('src/nightly.ts');
    const onSave = await editor.actions('src/nightly.ts', first!, 'source.fixAll.eslint');
    expect(onSave.flatMap(({ edit }) => edit?.documentChanges.flatMap(({ edits }) => edits) ?? [])).toEqual([]);
  });

  test('bears with every state of a file that is being typed', async () => {
    const line = nightly.indexOf('  await work()');
    for (const typed of ['  await pool.', "  await pool.query('", "  await pool.query('SELECT pg_advisory_lock(", "  await pool.query('SELECT pg_advisory_lock(7)'", "  await pool.query(`SELECT pg_advisory_lock(${"]) {
      editor.type('src/nightly.ts', `${nightly.slice(0, line)}${typed}\n${nightly.slice(line)}`);
      const found = await editor.squiggles('src/nightly.ts');
      // Only that it cannot be parsed, if that is so; which ESLint reports by itself.
      expect(found.map(({ message }) => message).filter((message) => /TypeError|Cannot read|while linting/i.test(message))).toEqual([]);
      expect(found.length).toBeGreaterThan(0);
    }
    editor.type('src/nightly.ts', nightly);
    expect(await look('src/nightly.ts')).toEqual(ofNightly);
    expect(editor.complaints).toEqual([]);
  });

  test('knows what was typed into the other file, unsaved, once it is asked again', async () => {
    editor.open('src/db.ts', pooled);
    editor.open('src/job.ts', job);
    expect(await look('src/db.ts')).toEqual([]);
    expect(await look('src/job.ts')).toEqual(ofJob);
    editor.type('src/db.ts', single);
    expect(await look('src/db.ts')).toEqual([]);
    expect(await look('src/job.ts')).toEqual([]);
    editor.type('src/db.ts', pooled);
    expect(await look('src/db.ts')).toEqual([]);
    expect(await look('src/job.ts')).toEqual(ofJob);
    // Nobody tells the editor to ask: docs/editor.md says so.
    expect(editor.requests).not.toContain('workspace/diagnostic/refresh');
  });

  test('ends in peace', async () => {
    expect(await editor.close()).toBe(0);
    expect(editor.complaints).toEqual([]);
  });
});

/** It imports its SQL, and is judged all the same. */
test.each<Types>(['types of the config', 'types on demand'])('a file without locks of its own knows what was typed into the other one, with %s', async (types) => {
  const [sql, user] = ["export const statement = 'SELECT pg_advisory_lock(1)';\n", "import { pool } from './db.js';\nimport { statement } from './sql.js';\nexport const run = () => pool.query(statement);\n"];
  const db = "import { Pool } from 'pg';\nexport const pool = new Pool();\n";
  const editor = await editorOn(projectFor(types, true, { 'src/db.ts': db, 'src/sql.ts': sql, 'src/user.ts': user }));
  editor.open('src/user.ts', user);
  const found = underlined(await editor.squiggles('src/user.ts'));
  expect(found).toEqual(['no-pooled-session-lock: statement']);
  editor.open('src/sql.ts', sql);
  for (const [text, expected] of [[sql.replace('pg_advisory_lock(1)', '1'), []], [sql, found]] as const) {
    editor.type('src/sql.ts', text);
    await editor.squiggles('src/sql.ts');
    expect(underlined(await editor.squiggles('src/user.ts'))).toEqual(expected);
  }
  expect(editor.complaints).toEqual([]);
});

/** The other file is not open, and is changed on disk: by a checkout, a generator, another program. */
describe('a file that is changed outside of the editor', () => {
  const open = async (types: Types): Promise<{ editor: Editor; project: UserProject }> => {
    const project = projectFor(types, true, { 'src/db.ts': pooled, 'src/job.ts': job });
    const editor = await editorOn(project);
    editor.open('src/job.ts', job);
    expect(underlined(await editor.squiggles('src/job.ts'))).toEqual(ofJob);
    project.write({ 'src/db.ts': single });
    return { editor, project };
  };

  test('is read again for types on demand', async () => {
    const { editor } = await open('types on demand');
    await expect.poll(async () => underlined(await editor.squiggles('src/job.ts')), { timeout: 30_000 }).toEqual([]);
  });

  // When this fails, typescript-eslint has learnt to look, and docs/editor.md has a paragraph too many.
  test('is not seen by the project service until it is opened', async () => {
    const { editor } = await open('types of the config');
    editor.type('src/job.ts', `${job}// more\n`);
    expect(underlined(await editor.squiggles('src/job.ts'))).toEqual(ofJob);
    editor.open('src/db.ts', single);
    await editor.squiggles('src/db.ts');
    expect(underlined(await editor.squiggles('src/job.ts'))).toEqual([]);
  });
});

test.each([['10', 'eslint'], ['9', 'eslint=eslint-9']])('a package of a monorepo has a config of its own, with ESLint %s', async (_version, eslint) => {
  const editor = await editorOn(monorepo(eslint));
  editor.open('packages/jobs/nightly.ts', nightly);
  expect(underlined(await editor.squiggles('packages/jobs/nightly.ts'))).toEqual(ofNightly);
  expect(editor.complaints).toEqual([]);
});

test('the settings that docs/editor.md shows can be read', () => {
  const settings = JSON.parse(fileIn('docs/editor.md', '.vscode/settings.json').replaceAll(/^ *\/\/.*$/gm, '')) as object;
  expect(Object.keys(settings)).toEqual(['eslint.run', 'editor.codeActionsOnSave']);
});

/** How long a server takes from a key to the lines, at best of some; in milliseconds. */
async function typing(editor: Editor): Promise<number> {
  const times: number[] = [];
  for (let key = 0; key < 3; key++) {
    editor.type('src/long.ts', `${long}// ${key} ${Math.random()}\n`);
    const start = performance.now();
    await editor.squiggles('src/long.ts');
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

describe('a file of two thousand lines', () => {
  // Measured on a busy machine: 1.6, and 2.5 beside a parser that makes no types at all. What is too slow is measured again.
  test.each<[Types, number]>([['types of the config', 4], ['types on demand', 8]])('is not much slower to type into than without the plugin, with %s', async (types, most) => {
    const [without, having] = await Promise.all([false, true].map(async (withPlugin) => {
      const editor = await editorOn(projectFor(types, withPlugin, { 'src/long.ts': long }));
      editor.open('src/long.ts', long);
      expect(underlined(await editor.squiggles('src/long.ts'))).toEqual(withPlugin ? ofNightly : []);
      return editor;
    }));
    const ratios: number[] = [];
    while (ratios.length < 4 && !ratios.some((one) => one < most)) ratios.push(await typing(having!) / await typing(without!));
    if (process.env['TELL']) console.log(types, ratios);
    expect(Math.min(...ratios)).toBeLessThan(most);
  });
});
