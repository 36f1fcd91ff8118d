import { check } from './check.js';

check('promise chains', [
  ['await lock().then(free)', 'normal held · thrown free'],
  ['await lock().then(() => free())', 'normal free · thrown free'],
  ['await lock().then(() => work()).then(() => free())', 'normal free · thrown free,held'],
  ['await lock().then(() => work()).finally(() => free())', 'normal free · thrown free'],
  ['await lock().then(() => work()).catch(() => {}).then(() => free())', 'normal free'],
  ['lock(); await safe().then(() => a).then(() => free())', 'normal free · thrown free,held'],
  ['lock(); await safe().then(() => { try { return a } finally { free() } })', 'normal free · thrown free'],
  ['lock(); await safe().then(async () => { try { return await a } catch { return free() } }); free()', 'normal free · thrown free'],
  ['lock(); await safe().then(() => a).finally(() => free())', 'normal free · thrown free'],
  ['await lock().catch(() => {})', 'normal free,held'],
  ['await lock().then(() => work(), () => {})', 'normal free,held · thrown held'],
  ['await lock().then(() => free(), () => exit())', 'normal free'],
  ['await lock().then(undefined, () => { throw 1 })', 'normal held · thrown free'],
  ['await lock().then(null)', 'normal held · thrown free'],
  ['await lock().catch(() => lock())', 'normal held · thrown free'],
  ['await lock().finally(() => { throw 1 })', 'thrown free,held'],
  ['lock(); await a.then(() => free())', 'normal free · thrown free,held'],
  ['lock(); await a.finally(() => free())', 'normal free · thrown free'],
  ['lock(); await a.then(() => free(), () => free())', 'normal free · thrown free'],
  ['lock(); await a.catch(() => {}); free()', 'normal free · thrown free'],
  ['lock(); await work().catch(() => free())', 'normal free,held · thrown free'],
  ['return lock().then(() => work()).finally(() => unlock())', 'returned free · thrown free,doubt'],
  ['lock(); work().catch(() => {}); free()', 'normal free · thrown free'],
  ['lock(); a.then(() => work()); free()', 'normal free · thrown free'],
  ['lock(); void a.then(() => free())', 'normal free,held · thrown free'],
  ['lock(); await a?.then(() => free())', 'normal free,held · thrown free,held'],
  ['const x = lock().then(() => { if (a) throw 1; return 1 }).finally(() => free()); await x', 'normal free · thrown free'],
]);

check('callbacks', [
  ['once(() => lock())', 'normal held · thrown free'],
  ['each(() => lock())', 'normal free,held · thrown free,held'],
  ['later(() => lock())', 'normal free · thrown free'],
  ['a.forEach(() => { lock(); free() })', 'normal free · thrown free'],
  ['a.forEach(() => { if (isHeld()) return free(); lock() })', 'normal free,held · thrown free'],
  ['lock(); a.map((x) => free())', 'normal free,held · thrown free'],
  ['lock(); a.map((all) => free(all))', 'normal free · thrown free'],
  ['lock(); a.map((all) => { work(); free(all) })', 'normal free · thrown free,held'],
  ['lock(); once(() => { return free() })', 'normal free · thrown free,held'],
  ['lock(); safe(() => { throw 1 }); free()', 'normal free · thrown free,held'],
  ['lock(); a.some((x = work()) => true); free()', 'normal free · thrown free,held'],
  ['await new Promise((resolve) => { lock(); resolve() })', 'normal held · thrown free'],
  ['await new Promise((resolve) => later(resolve)); lock()', 'normal held · thrown free'],
  ['new Worker(() => lock())', 'normal free'],
  ['a.on(function* () { lock() })', 'normal free'],
  ['const f = () => lock()', 'normal free'],
  ['function f() { lock() }', 'normal free'],
  ['lock(); once(() => { for (const x of a) { if (b) return; } free() })', 'normal free,held · thrown free,held'],
]);

check('functions that are called at once', [
  ['(() => lock())()', 'normal held · thrown free'],
  ['(function () { lock() })()', 'normal held · thrown free'],
  ['await (async () => { lock(); await work() })(); free()', 'normal free · thrown free,held'],
  ['lock(); await (async () => { return })(); free()', 'normal free · thrown free'],
  ['(function () { lock() }).call(a)', 'normal held · thrown free'],
  ['lock(); (async () => { await work(); free() })()', 'normal free,held · thrown free'],
  ['void (async () => { lock(); throw 1 })()', 'normal free,held'],
  ['((x = lock()) => free())()', 'normal free · thrown free'],
  ['(function* () { lock() })()', 'normal free'],
  ['(() => lock())?.()', 'normal held · thrown free'],
  ['lock(); try { await (async () => { throw 1 })() } finally { free() }', 'thrown free'],
]);

check('functions in view', [
  ['function helper() { lock() } async function main() { helper(); free() }', 'normal free · thrown free'],
  ['async function helper() { return lock() } async function main() { await helper(); free() }', 'normal free · thrown free'],
  ['async function main() { async function helper() { await free() } lock(); try { work() } finally { await helper() } }', 'normal free · thrown free'],
  ['function helper(a) { if (a) return; lock() } function main() { helper() }', 'normal free,held · thrown free'],
  ['function helper() { lock(); helper() } function main() { helper() }', 'normal held · thrown free'],
  ['function helper() { throw 1 } function main() { lock(); try { helper() } finally { free() } }', 'thrown free'],
]);

check('the top level of a file', [
  ['import { x } from "y"; await lock(); export const z = await work(); free()', 'normal free · thrown free,held'],
  ['export default await lock()', 'normal held · thrown free'],
  ['namespace A { lock(); } free()', 'normal free · thrown free'],
  ['export async function other() { await lock() }', 'normal free'],
  ['enum A { B = 1 } interface C {} type D = 1; declare const e: string', 'normal free'],
], '');
