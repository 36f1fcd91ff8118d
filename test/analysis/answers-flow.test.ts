import type { TSESTree } from '@typescript-eslint/utils';
import { describe, expect, test } from 'vitest';
import { answerOf } from '../../src/analysis/answers.js';
import { ARRAY, ask, check, OK, parse, PG } from './answers-support.js';

check('dropped', { shape: PG }, [
  ['await q();', 'dropped'],
  ['q();', 'dropped'],
  ['void q();', 'dropped'],
  ['const r = await q();', 'dropped'],
  ['const { rows } = await q();', 'dropped'],
  ['const { rows: [row] } = await q();', 'dropped'],
  ['const { rows: [{ ok }] } = await q();', 'dropped'],
  ['const {} = await q();', 'dropped'],
  ['(await q()).rows[0].ok;', 'dropped'],
  ['await q(), work();', 'dropped'],
  ['for (await q(); ; ) {}', 'dropped'],
  ['for (;; await q()) {}', 'dropped'],
  ['if (client) await q();', 'dropped'],
  ['client && (await q());', 'dropped'],
  ['client ? await q() : null;', 'dropped'],
  ['try { await q(); } catch (e) { log(e); }', 'dropped'],
  ['const r = await q(); type T = typeof r;', 'dropped'],
  ['const r = await q(); let other: typeof r;', 'dropped'],
  ['const r = await q(); const won = !r.rows[0].ok;', 'dropped'],
  ['const r = await q(); const won = r.rows[0].ok === true;', 'dropped'],
  ['let r; r = await q();', 'dropped'],
  ['let r = await q(); r = 1;', 'dropped'],
  ['let r = await q(); r = await other(); if (r.rows[0].ok) work();', 'dropped'],
  ['let r = await q(); r = await other(r.rows[0].ok);', 'read'],
  ['let r = await q(); if (cond) r = await other(); if (r.rows[0].ok) work();', 'read'],
  ['let r = await other(); if (r.rows[0].ok) work(); r = await q();', 'dropped'],
  ['let r; for (;;) { if (r?.rows[0].ok) break; r = await q(); }', 'read'],
  ['let r; const late = () => r.rows[0].ok; r = await q(); late();', 'read'],
  ['let ok = false; if (!ok) work(); ok = (await q()).rows[0].ok;', 'dropped'],
  ['module; let held; async function tick() { if (held?.rows[0].ok) return; held = await q(); }', 'read'],
  ['const make = () => { let held; return async () => { if (held) return; held = (await q()).rows[0].ok; }; };', 'read'],
  ['const a = await q(); const b = a; const c = b;', 'dropped'],
  ['let a = await q(); let b = a; a = b; b = a;', 'dropped'],
  ['let a = await q(); for (;;) a = [a];', 'dropped'],
  ['await q() as unknown;', 'dropped'],
  ['if (Array.isArray(await q())) work();', 'dropped'],
]);

check('the author ignores it', { shape: PG }, [
  ['void (await q());', 'ignored'],
  ['void (await q()).rows[0].ok;', 'ignored'],
  ['const r = await q(); void r;', 'ignored'],
  ['const _ = await q();', 'ignored'],
  ['const _ignored = await q();', 'ignored'],
  ['let _r; _r = await q();', 'ignored'],
  ['const { rows: _rows } = await q();', 'ignored'],
  ['const { rows: [_] } = await q();', 'ignored'],
  ['const { rows: [{ ok: _ok }] } = await q();', 'ignored'],
  ['const _p = q();', 'ignored'],
  ['const _r = await q(); if (_r.rows[0].ok) work();', 'read'],
]);

check('out of view', { shape: PG }, [
  ['this.held = await q();', 'read'],
  ['this.held = (await q()).rows[0].ok;', 'read'],
  ['[this.row] = (await q()).rows;', 'read'],
  ['({ rows: state.rows } = await q());', 'read'],
  ['held.set(key, await q());', 'read'],
  ['console.log(await q());', 'read'],
  ['console.log((await q()).rowCount);', 'read'],
  ['logger.info({ freed: (await q()).rows[0].ok });', 'read'],
  ['log(`freed: ${(await q()).rows[0].ok}`);', 'read'],
  ['const text = `${(await q()).rows[0].ok}`;', 'read'],
  ['JSON.stringify(await q());', 'read'],
  ['expect((await q()).rows).toEqual([{ ok: true }]);', 'read'],
  ['expect(await q()).toMatchObject({});', 'read'],
  ['assert.equal((await q()).rows[0].ok, true);', 'read'],
  ['assert((await q()).rows[0].ok);', 'read'],
  ['new Held(await q());', 'read'],
  ['const o = { r: await q() };', 'read'],
  ['const o = { ...(await q()) };', 'read'],
  ['const o = [...(await q()).rows];', 'read'],
  ['f(...(await q()).rows);', 'read'],
  ['throw await q();', 'read'],
  ['return q();', 'read'],
  ['return await q();', 'read'],
  ['return (await q()).rows[0].ok;', 'read'],
  ['return cond ? q() : null;', 'read'],
  ['const r = await q(); return r;', 'read'],
  ['if (typeof (await q()) === "object") work();', 'read'],
  ['const r = await q(); if ("ok" in r.rows[0]) work();', 'read'],
  ['const r = await q(); if (r instanceof Result) work();', 'read'],
  ['const r = await q(); if (r === other) work();', 'read'],
  ['const r = await q(); log(r.command);', 'read'],
  ['undeclared = await q();', 'read'],
  ['await withRetry(() => q());', 'read'],
  ['await withRetry(async () => { await q(); });', 'dropped'],
  ['await withRetry(async () => { return q(); });', 'read'],
  ['work().then(() => q());', 'read'],
  ['work().finally(() => q());', 'dropped'],
  ['return work().finally(async () => { await q(); });', 'dropped'],
  ['work().finally(async () => { const { rows } = await q(); if (!rows[0].ok) warn(); });', 'read'],
  ['const unlock = () => q(); await unlock();', 'read'],
  ['const unlock = async (): Promise<void> => q(); await unlock();', 'dropped'],
  ['const unlock = async (): Promise<boolean> => q(); await unlock();', 'read'],
  ['await (async () => q())();', 'dropped'],
  ['const r = await (async () => q())(); if (r.rows[0].ok) work();', 'read'],
  ['const r = await (async () => { const x = await q(); return x.rows[0]; })(); if (r) work();', 'mistaken row: r'],
  ['const g = function* () { const r = yield q(); };', 'read'],
  ['const g = function* () { return q(); };', 'read'],
  ['class Lock { held = q(); }', 'read'],
  ['const f = (r = q()) => r.rows[0].ok; f();', 'read'],
]);

check('assertions', { shape: PG }, [
  ['assert.equal((await q()).rows[0].ok, true);', 'read'],
  ['assert.equal(true, (await q()).rows[0].ok);', 'read'],
  ['assert((await q()).rows[0].ok, "lost");', 'read'],
  ['expect((await q()).rows[0].ok).toBe(true);', 'read'],
  ['expect((await q()).rows[0].ok).toBeTruthy();', 'read'],
  ['assert.deepEqual((await q()).rows, [{ ok: true }]);', 'read'],
  ['assert.equal((await q()).rows[0], expected);', 'read'],
  ['assert.ok(done, (await q()).rows[0]);', 'read'],
  ['expect(await q()).toMatchObject({ rows: [{ ok: true }] });', 'read'],
  ['await expect(q()).resolves.toMatchObject({ rows: [{ ok: true }] });', 'read'],
  ['const { rows } = await q(); expect(rows).toHaveLength(1); expect(rows[0].ok).toBe(true);', 'read'],
  ['expect((await q()).rows).toEqual([{ ok: true }]);', 'read'],
  ['expect((await q()).rowCount);', 'read'],
  ['check.ok((await q()).rows[0]);', 'read'],
  ['const { rowCount } = await q(); assert.equal(rowCount, 1);', 'mistaken count: rowCount'],
  ['const { rowCount } = await q(); assert.strictEqual(1, rowCount);', 'mistaken count: rowCount'],
  ['expect((await q()).rowCount).toBe(1);', 'mistaken count: (await q()).rowCount'],
  ['expect((await q()).rows.length).toBeGreaterThan(0);', 'mistaken count: (await q()).rows.length'],
  ['expect((await q()).rows).toHaveLength(1);', 'mistaken rows: (await q()).rows'],
  ['expect((await q()).rows).to.have.lengthOf(1);', 'mistaken rows: (await q()).rows'],
  ['expect((await q()).rows[0]).toBeDefined();', 'mistaken row: (await q()).rows[0]'],
  ['expect((await q()).rows[0]).not.toBe(undefined);', 'mistaken row: (await q()).rows[0]'],
  ['expect((await q()).rows[0]).to.exist;', 'mistaken row: (await q()).rows[0]'],
  ['await expect(q()).resolves.toBeDefined();', 'mistaken result: q()'],
  ['assert((await q()).rows[0]);', 'mistaken row: (await q()).rows[0]'],
  ['assert.ok((await q()).rows[0]);', 'mistaken row: (await q()).rows[0]'],
  ['chai.assert.exists((await q()).rows[0]);', 'mistaken row: (await q()).rows[0]'],
  ['assert.notEqual((await q()).rows[0], undefined);', 'mistaken row: (await q()).rows[0]'],
  ['invariant((await q()).rows[0], "no row");', 'mistaken row: (await q()).rows[0]'],
]);
check('a callback out of view', { handedOn: true }, [['q(text, done);', 'read']]);

check('modules and declared results', { shape: PG }, [
  ['module; export const r = await q();', 'read'],
  ['module; export const { rows } = await q();', 'read'],
  ['module; const r = await q(); export { r };', 'read'],
  ['module; const r = await q(); export default r;', 'read'],
  ['module; export default await q();', 'read'],
  ['module; const r = await q();', 'dropped'],
  ['module; var r = await q(); if (r.rows[0].ok) work();', 'read'],
  ['module; async function free(): Promise<void> { return q(); }', 'dropped'],
  ['module; async function free(): Promise<void> { return await q(); }', 'dropped'],
  ['module; function free(): void { return q(); }', 'dropped'],
  ['module; async function free() { return q(); }', 'read'],
  ['module; const free = (): Promise<void> => q();', 'dropped'],
  ['module; const free = async (): Promise<void> => void (await q());', 'ignored'],
  ['module; class Lock { async free(): Promise<void> { return q(); } }', 'dropped'],
  ['module; class Lock { constructor(private r = q()) {} }', 'read'],
  ['module; const run = async () => { const r = await q(); return !!r; };', 'mistaken result: r'],
]);

check('helpers in view', { shape: PG }, [
  ['function must(r) { if (!r.rows[0].ok) throw 1; } must(await q());', 'read'],
  ['function must(r) { if (!r) throw 1; } must(await q());', 'mistaken result: r'],
  ['function must() {} must(await q());', 'dropped'],
  ['const must = (a, r) => { log(a); }; must(1, await q());', 'dropped'],
  ['const must = (a, r) => { log(r); }; must(1, await q());', 'read'],
  ['const must = (a, ...rest) => { log(rest); }; must(1, await q());', 'read'],
  ['const must = (a, [r]) => { if (r.rows[0].ok) work(); }; must(1, [await q()]);', 'read'],
  ['function must(this: unknown, r) { log(r); } must(await q());', 'read'],
  ['function must(r) { log(r); } must(...others, await q());', 'read'],
  ['const first = (r) => r.rows[0]; const row = first(await q()); if (row) work();', 'mistaken row: row'],
  ['const first = (r) => r.rows[0]; if (first(await q()).ok) work();', 'read'],
  ['const wait = async (p) => await p; const r = await wait(q()); if (!r) work();', 'mistaken result: r'],
  ['function must(r) { if (!r.rows[0].ok) throw 1; } await q().then(must);', 'read'],
  ['const quiet = () => {}; await q().then(quiet);', 'dropped'],
  ['function again(r) { return again(r); } again(await q());', 'dropped'],
  ['function* walk(r) {} walk(await q());', 'read'],
  ['const again = async (last) => { const r = await q(); return x ? again(r) : r; };', 'read'],
  ['const again = async (last): Promise<void> => { const r = await q(); return x ? again(r) : r; };', 'dropped'],
  ['const must = ((r) => log(r)) as F; must(await q());', 'read'],
  ['((r) => { if (r.rows[0].ok) work(); })(await q());', 'read'],
  ['const Boolean = (r) => log(r); Boolean(await q());', 'read'],
]);

describe('a Node-style callback', () => {
  const answer = (callback: string, shape = PG): string => {
    const parsed = parse(`client.query(text, ${callback});`);
    const call = parsed.nodes.find((node) => node.type === ('CallExpression' as never)) as TSESTree.CallExpression;
    const receiver = call.arguments[1] as TSESTree.ArrowFunctionExpression;
    return answerOf({ call, shape, callback: receiver.params[1], column: OK, scopes: parsed.scopes, returnsVoid: () => false }).state;
  };
  test.each([
    ['(err, res) => { if (!res.rows[0].ok) throw 1; }', 'read'],
    ['(err, { rows }) => { if (!rows[0].ok) throw 1; }', 'read'],
    ['(err, res) => (err ? reject(err) : resolve(res.rows[0].ok))', 'read'],
    ['(err, res) => done(err, res)', 'read'],
    ['(err, res) => { if (err) throw err; }', 'dropped'],
    ['(err, res) => res.rows[0].ok', 'dropped'],
    ['(err, res) => { if (res) work(); }', 'mistaken'],
    ['(err, _res) => { work(); }', 'ignored'],
    ['(err, [row] = []) => { if (row) work(); }', 'mistaken', ARRAY],
  ])('%s → %s', (callback, state, shape = PG) => {
    expect(answer(callback, shape)).toBe(state);
  });
});

test('long chains of names and deep expressions end', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `const r${index + 1} = r${index};`).join(' ');
  const deep = `${'('.repeat(200)}r3000.rows[0].ok${' ?? false)'.repeat(200)}`;
  expect(ask(`const r0 = await q(); ${names} if (${deep}) work();`).state).toBe('read');
});
