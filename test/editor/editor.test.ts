import { afterAll, test } from 'vitest';
import { userProject, removeUserProjects } from '../support/user-project.js';
import { Editor } from './editor.js';
import { setTimeout as sleep } from 'node:timers/promises';
afterAll(removeUserProjects);
const parse = "languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } }";
const configs: Record<string, string> = {
  plain: "import tseslint from 'typescript-eslint';\nimport p from 'eslint-plugin-pg-advisory-lock';\nexport default [{ ...tseslint.configs.base, files: ['**/*.ts'] }, p.configs.recommended];\n",
  typed: `import tseslint from 'typescript-eslint';\nimport p from 'eslint-plugin-pg-advisory-lock';\nexport default [{ ...tseslint.configs.base, files: ['**/*.ts'] }, { files: ['**/*.ts'], ${parse} }, p.configs.recommended];\n`,
};
const pooled = "import { Pool } from 'pg';\nexport const handle = new Pool();\n";
const single = "import { Client } from 'pg';\nexport const handle = new Client();\n";
const job = "import { handle } from './db.js';\nexport const run = () => handle.query('SELECT pg_advisory_lock(1)');\n";
test.each(Object.keys(configs))('%s', async (name) => {
  const project = userProject(['eslint', 'typescript', 'typescript-eslint', 'pg', '@types/pg', '@types/node'], {
    'package.json': '{"type":"module"}', 'tsconfig.json': '{"compilerOptions":{"target":"es2022","module":"nodenext","strict":true,"noEmit":true,"types":["node"]},"include":["src"]}', 'eslint.config.mjs': configs[name]!, 'src/job.ts': job, 'src/db.ts': pooled,
  });
  const e = await new Editor(project).start();
  const say = async (what: string) => console.log(name, what, (await e.squiggles('src/job.ts')).map((s) => s.rule + ' ' + s.text), e.complaints);
  e.open('src/job.ts', job); await say('open');
  project.write({ 'src/db.ts': single }); await sleep(300); await say('disk single, closed');
  e.type('src/job.ts', job + '//\n'); await say('disk single, closed, typed in job');
  await sleep(3000); await say('disk single, 3 s later');
  e.open('src/db.ts', single); await e.squiggles('src/db.ts'); await say('opened db');
  e.type('src/db.ts', pooled); await e.squiggles('src/db.ts'); await say('typed db pooled');
  e.type('src/db.ts', single); await say('typed db single, not asked'); await e.squiggles('src/db.ts'); await say('asked');
  e.closeFile('src/db.ts'); project.write({ 'src/db.ts': pooled }); await sleep(300); await say('closed, disk pooled');
  await sleep(3000); await say('3 s later');
  e.type('src/job.ts', job.slice(0, 100)); await say('syntax error');
  e.type('src/job.ts', job); await say('back');
  project.write({ 'src/new.ts': pooled }); e.type('src/job.ts', job.replace('./db', './new')); await say('new file');
  console.log(await e.close());
});
