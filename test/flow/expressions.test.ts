import { check } from './check.js';

check('short circuits', [
  ['a && lock()', 'normal free,held · thrown free'],
  ['a || lock()', 'normal free,held · thrown free'],
  ['a ?? lock()', 'normal free,held · thrown free'],
  ['yes() && lock()', 'normal held · thrown free'],
  ['yes() || lock()', 'normal free'],
  ['no() || lock()', 'normal held · thrown free'],
  ['no() && yes() && lock()', 'normal free'],
  ['yes() && a && lock()', 'normal free,held · thrown free'],
  ['(no() && a) || lock()', 'normal held · thrown free'],
  ['if (yes() && !no()) lock()', 'normal held · thrown free'],
  ['if (a && lock()) free()', 'normal free,held · thrown free'],
  ['if (lock() && a) free(); else free()', 'normal free · thrown free'],
  ['lock() ?? free()', 'normal free,held · thrown free'],
  ['a ? lock() : safe()', 'normal free,held · thrown free'],
  ['yes() ? lock() : safe()', 'normal held · thrown free'],
  ['(a ? lock() : lock()), free()', 'normal free · thrown free'],
  ['if (a ? yes() : no()) lock()', 'normal free,held · thrown free'],
  ['if (yes() ? no() : a) lock()', 'normal free'],
  ['if ((safe(), no())) lock()', 'normal free'],
  ['let x; x ||= lock()', 'normal free,held · thrown free'],
  ['let x; x ??= lock()', 'normal free,held · thrown free'],
  ['let x; x &&= lock(); if (isHeld()) free()', 'normal free · thrown free'],
  ['a?.b(lock())', 'normal free,held · thrown free'],
  ['a?.[lock()].c', 'normal free,held · thrown free'],
  ['lock(); a?.b.c(free()).d', 'normal free,held · thrown free'],
  ['lock(); a?.b; free()', 'normal free · thrown free'],
  ['lock(); safe(a?.b(work())); free()', 'normal free · thrown free,held'],
  ['lock(); (a?.b(free())).c(work())', 'normal free,held · thrown free,held'],
  ['if (a?.b(lock())) free()', 'normal free,held · thrown free'],
  ['if (!a?.b(lock())) return; free()', 'normal free · returned free,held · thrown free'],
  ['a?.b!.c(lock())', 'normal free,held · thrown free'],
  ['a?.(lock())', 'normal free,held · thrown free'],
]);

check('patterns and defaults', [
  ['const { x = lock() } = a', 'normal free,held · thrown free'],
  ['const [x = lock()] = a', 'normal free,held · thrown free'],
  ['const { [lock()]: x } = a; free()', 'normal free · thrown free'],
  ['const { x: { y = lock() } = work() } = a', 'normal free,held · thrown free'],
  ['({ x = lock() } = a)', 'normal free,held · thrown free'],
  ['[x = lock()] = [free()]', 'normal free,held · thrown free'],
  ['async function main(x = lock()) { work() }', 'normal free,held · thrown free,held'],
  ['async function main({ x = lock() } = {}) { free() }', 'normal free · thrown free'],
  ['async function main(...[x = lock()]) { return }', 'returned free,held · thrown free'],
]);

check('getters and classes', [
  ['lock(); a.getter; free()', 'normal free · thrown free,held'],
  ['lock(); try { a.getter } finally { free() }', 'normal free · thrown free'],
  ['class A { static { lock() } }', 'normal held · thrown free'],
  ['class A { static x = lock(); static { free() } }', 'normal free · thrown free'],
  ['class A { x = lock(); method() { lock() } }', 'normal free'],
  ['class A { [lock()]() {} }', 'normal held · thrown free'],
  ['class A extends lock() { [free()] = 1 }', 'normal free · thrown free'],
  ['const A = class { static x = lock() }; free()', 'normal free · thrown free'],
  ['class A { static { if (a) lock(); else throw 1 } }', 'normal held · thrown free'],
  ['class A { static x = () => lock() }', 'normal free'],
  ['const x = { get y() { return lock() } }', 'normal free'],
  ['new Thing(lock())', 'normal held · thrown free'],
]);

check('await and yield', [
  ['await lock(); await work(); await free()', 'normal free · thrown free,held'],
  ['lock(); await a; free()', 'normal free · thrown free,held'],
  ['lock(); try { await a } finally { await unlock() }', 'normal free · thrown free,doubt'],
  ['return await lock()', 'returned held · thrown free'],
]);

check('generators', [
  ['lock(); yield 1; free()', 'normal free · returned held · thrown free,held'],
  ['lock(); try { yield 1 } finally { free() }', 'normal free · returned free · thrown free'],
  ['yield lock()', 'normal held · returned held · thrown free,held'],
  ['lock(); try { for (const x of a) yield x } catch { } free()', 'normal free · returned held · thrown free'],
  ['lock(); try { yield* a } finally { free() }', 'normal free · returned free · thrown free'],
], 'async function* main(a, b, c)');

check('using', [
  ['using x = lease(); lock()', 'normal free · thrown free'],
  ['await using x = lease(); lock(); work()', 'normal free · thrown free'],
  ['{ using x = lease(); lock() } work()', 'normal free · thrown free'],
  ['using x = lease(); lock(); return', 'returned free · thrown free'],
  ['using x = lease(); lock(); throw 1', 'thrown free'],
  ['lock(); if (a) return; using x = lease()', 'normal free · returned held · thrown free'],
  ['lock(); work(); using x = lease()', 'normal free · thrown free,held'],
  ['using x = shaky(); lock()', 'normal free · thrown free,doubt'],
  ['using x = a; lock()', 'normal held · thrown free'],
  ['await using x = { async [Symbol.asyncDispose]() { await unlock() } }; lock()', 'normal free · thrown free,doubt'],
  ['using x = { [Symbol.dispose]() { if (a) free() } }; lock()', 'normal free,held · thrown free'],
  ['using x = lease(), y = { [Symbol.dispose]() { work() } }; lock()', 'normal free · thrown free'],
  ['using x = { [Symbol.dispose]() { lock() } }, y = lease(); work()', 'normal held · thrown free,held'],
  ['for (using x of a) lock()', 'normal free,held · thrown free,held'],
  ['for (using x = lease(); a;) lock()', 'normal free · thrown free'],
  ['for (const y of b) { using x = lease(); lock(); if (a) continue; if (b) break }', 'normal free · thrown free'],
  ['try { using x = lease(); lock(); work() } catch { work() }', 'normal free · thrown free'],
]);
