const lock = 'SELECT pg_advisory_lock(1)';

/** Files of odd forms, most with the word that opens the gate. No report is asked of them: only that nothing breaks. */
export const oddFiles: Readonly<Record<string, string>> = {
  'empty.ts': '',
  'blank.ts': '\n\n\t\n',
  'only-a-comment.ts': '// advisory\n',
  'shebang.ts': `#!/usr/bin/env node\nimport { Pool } from 'pg';\nvoid new Pool().query('${lock}');\n`,
  'carriage-returns.ts': `import { Pool } from 'pg';\r\nconst pool = new Pool();\r\nvoid pool.query('${lock}');\r\n`,
  'no-newline-at-the-end.ts': `import { Pool } from 'pg'; void new Pool().query('${lock}')`,
  'script.cjs': `const { Pool } = require('pg');\nconst pool = new Pool();\nmodule.exports = () => pool.query('${lock}');\nmodule.exports.unlock = function () { return pool.query('SELECT pg_advisory_unlock(1)'); };\n`,
  'sloppy.js': `var pg = require("pg"), pool = new pg.Pool;\nfunction lock(cb) { pool.query("${lock}", cb) }\nwith_ = 1; lock(function (e, r) { if (r.rows[0]) ; });\nlabel: for (;;) { break label }\n`,
  'module.mjs': `export default async function* () { yield* (await import('pg')).default.Pool; await (x => x)('${lock}'); }\n`,
  'module.mts': `import pg, { type Pool } from 'pg';\nexport const run = async (pool?: Pool) => pool?.query?.('${lock}');\nexport { pg as default };\n`,
  'common.cts': `import pg = require('pg');\nconst pool = new pg.Pool();\nexport = () => pool.query('${lock}');\n`,
  'types.d.ts': `declare module 'advisory' {\n  export const pg_advisory_lock: (key: bigint) => Promise<boolean>;\n}\n`,
  'declare-module.ts': `declare module 'pg' { interface Pool { advisory(): void } }\ndeclare global { var advisory: string }\ndeclare namespace Advisory { const pg_advisory_lock: string }\nexport {};\n`,
  'view.tsx': `import { Pool } from 'pg';\nconst pool = new Pool();\nexport const View = () => <><button onClick={() => void pool.query('${lock}')} {...{}}>{\`advisory \${1}\`}</button>pg_advisory_lock(1)</>;\ndeclare global { namespace JSX { interface IntrinsicElements { button: object } } }\n`,
  'view.jsx': `export const View = (props) => <p title="pg_advisory_lock(1)">{props.pool.query(\`${lock}\`)}</p>;\n`,
  'decorators.ts': `const dec = (..._: unknown[]) => (_x: unknown, _y?: unknown): void => {};\n@dec('${lock}')\nexport class Job {\n  @dec() accessor key = 1n;\n  static { void '${lock}'; }\n  #pool = { query: async (sql: string) => sql };\n  get [\`advisory\`]() { return this.#pool.query('${lock}'); }\n  declare readonly x: string;\n  constructor(private readonly y = '${lock}') { void this.y; }\n}\n`,
  'huge-template.ts': `import { Pool } from 'pg';\nexport const run = (pool: Pool, v: string[]) => pool.query(\`SELECT pg_advisory_lock(1)${', ${v[0]} /* filler */'.repeat(4000)}\`);\n`,
  'huge-string.ts': `export const text = '${'(pg_advisory_lock('.repeat(5000)}';\n`,
  'deep-concatenation.ts': `declare const db: { query(sql: string): Promise<unknown> };\nvoid db.query(${"'SELECT ' + ".repeat(600)}'pg_advisory_lock(1)');\n`,
  'deep-chain.ts': `declare const db: { query(sql: string): typeof db };\nvoid db${".query('SELECT pg_advisory_lock(1)')".repeat(100)};\n`,
  'circular.ts': "declare const db: { query(sql: string): Promise<unknown> };\nexport const a: string = `${b} advisory`;\nexport const b: string = `${a} pg_advisory_lock(1)`;\nlet c = 'pg_advisory_lock';\nc = c + c;\nvoid db.query(a); void db.query(c);\nconst f = (): string => f() + 'advisory';\nvoid db.query(f());\n",
  'circular-handle.ts': `let a: any = b; var b: any = a; const { c = c2 } = a, c2: any = c;\nvoid a.query('${lock}'); void c.query('${lock}');\nclass Self { pool: any = this.pool; run() { return this.pool.query('${lock}'); } }\nvoid new Self();\n`,
  'circular-spread.ts': `import { Pool } from 'pg';\nconst a: any = { ...b, x: 1 };\nvar b: any = { ...a };\nvoid a.pool.query('${lock}'); void b.query('${lock}');\nconst c: any = { own: new Pool() };\nc.pool = c.other; c.other = c.pool;\nvoid c.pool.query('${lock}');\nexport class State {\n  state: any = { pool: new Pool() };\n  next() { this.state = { ...this.state, step: 1 }; return this.state.other.query('${lock}'); }\n}\n`,
  'made-of-itself.ts': `class Held {\n  private state: any = { open: true };\n  close() { this.state = { ...this.state, open: false }; }\n  again() { this.state = { ...this.state, at: 1 }; }\n  run() { return this.state.pool.query('${lock}'); }\n}\nvoid new Held().run();\n`,
  'imports-itself.ts': `import { pool as again } from './imports-itself';\nexport const pool: any = again;\nvoid pool.query('${lock}');\n`,
  'imports-nothing-there.ts': `// @ts-nocheck\nimport { pool, lockSql } from './not-there';\nimport * as all from 'not-installed';\nvoid pool.query('${lock}'); void all.db.query(lockSql); void all\`${lock}\`;\nexport * from './not-there-either';\n`,
  'names.ts': "export const advisory = 1, pg_advisory_lock = 2;\nexport function pg_advisory_unlock(pg_try_advisory_lock: number) { return pg_try_advisory_lock; }\nexport enum Lock { advisory = 'pg_advisory_lock' }\nexport type T = `pg_${'advisory'}_lock`;\nexport const o = { 'pg_advisory_lock': 1, [`pg_advisory_unlock`]: 2, advisory };\n",
  'regular-expressions.ts': "export const r = /pg_advisory_(?:un)?lock\\(/gu, s = 'x'.replace(/advisory/, 'pg_advisory_lock(1)');\n",
  'broken-sql.ts': `declare const db: { query(sql: string, values?: unknown): Promise<unknown> };\nfor (const _ of [1]) {\n  void db.query('SELECT pg_advisory_lock('); void db.query("'pg_advisory_lock(1)"); void db.query('$$ pg_advisory_lock(1)');\n  void db.query('/* /* pg_advisory_lock(1)'); void db.query('"pg_advisory_lock(1)'); void db.query(') pg_advisory_lock) ('); void db.query('SELECT U&"pg\\\\005fadvisory_lock"(1)');\n  void db.query('pg_advisory_lock'); void db.query('\\u0000pg_advisory_lock(1)\\ud800'); void db.query('SELECT pg_advisory_lock($99999999999999999999)', [1]);\n}\n`,
  'strange-calls.ts': `import { Pool } from 'pg';
const pool = new Pool();
void pool['query']('${lock}');
void (pool!.query as any)('${lock}');
void pool.query.call(pool, '${lock}');
void pool.query.bind(pool)('${lock}');
void Reflect.apply(pool.query, pool, ['${lock}']);
void (0, pool.query)('${lock}');
void pool.query(...(['${lock}'] as [string]));
void new (class { query(_: string) {} })().query('${lock}');
void (pool satisfies Pool).query(<string>'${lock}');
pool.query('${lock}', () => {});
void pool.query();
void pool.query({ ...{}, text: '${lock}', ['values']: [,] });
void import.meta.url;
void (async () => {
  for await (const _ of [pool.query('${lock}')]);
  await using _r = { [Symbol.asyncDispose]: async () => { await pool.query('SELECT pg_advisory_unlock(1)'); } };
})();
`,
  'strange-tags.ts': `import postgres from 'postgres';
const sql = postgres();
void sql\`\`;
void sql\`\${sql('advisory')}\`;
void sql\`SELECT pg_advisory_lock(\${1})\`.values();
void sql<{ a: 1 }[]>\`\${sql\`\${sql\`${lock}\`}\`}\`;
void sql.unsafe('${lock}').cursor();
void String.raw\`${lock}\`;
void sql\`\\u{0} pg_advisory_lock(1)\`;
void ((tag: (..._: unknown[]) => 1) => tag\`\\unicode advisory\`)(() => 1);
`,
  'control-flow.ts': `import { Pool } from 'pg';
export async function run(pool: Pool, n: number) {
  outer: do {
    switch (n) {
      case 1: await pool.query('${lock}');
      case 2: continue outer;
      default: try { if (n) break outer; else throw n } catch { return } finally { await pool.query('SELECT pg_advisory_unlock(1)') }
    }
  } while (n--);
  const g = async function* (): AsyncGenerator<number> { try { yield n } finally { await pool.query('SELECT pg_advisory_unlock(1)') } };
  for await (const _ of g()) { if (_ > 1) return; }
  with_: { if (n) break with_; }
  return (await Promise.all([pool.query('${lock}'), n ? pool.query('${lock}') : undefined]))?.[0]?.rows?.[0]?.['pg_advisory_lock'];
}
`,
};
