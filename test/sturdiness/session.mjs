/**
 * A long session of an editor: hundreds of edits on several files of one process, each linted with all rules, as a language server does
 * it. Prints the heap after garbage collection as it goes, and ends with 1 where it grows. Run it after a build:
 *
 *     node --expose-gc test/sturdiness/session.mjs [edits] [way]
 *
 * The ways are `onDemand`, with types made in the process, and `projectService`, with those of typescript-eslint; without one, both.
 */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import plugin from '../../dist/src/index.js';
import { stayHere } from '../../dist/src/worker/client.js';
import { edit, FILES, project } from './session/edits.mjs';
import { linterFor, WAYS } from './session/linter.mjs';

const [edits = '600', only] = process.argv.slice(2);
const STEP = 50;
/** Growth of the heap from the hundredth edit to the last, which a cache without a bound exceeds. */
const MOST = 1.1;

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
stayHere();

/** @param {import('./session/linter.mjs').Way} way */
async function session(way) {
  const folder = mkdtempSync(join(tmpdir(), 'session-'));
  symlinkSync(modules, join(folder, 'node_modules'), 'junction');
  for (const [name, text] of project(way)) writeFileSync(join(folder, name), text);
  const lint = linterFor(plugin, folder, way);
  const heaps = [];
  const start = process.cpuUsage();
  for (let count = 0; count < Number(edits); count++) {
    const name = FILES[count % FILES.length] ?? '';
    const { failures, reports } = lint(join(folder, name), edit(name, count));
    if (failures.length > 0 || reports === 0 !== (name === 'db.ts')) throw new Error(`${way}, edit ${count} of ${name}: ${reports} reports; ${failures.join('; ')}`);
    if ((count + 1) % STEP > 0) continue;
    await sleep(0);
    globalThis.gc?.();
    heaps.push(process.memoryUsage().heapUsed);
  }
  const megabytes = heaps.map((bytes) => (bytes / 1_048_576).toFixed(0));
  const ratio = (heaps.at(-1) ?? 0) / (heaps[1] ?? 1);
  const { user, system } = process.cpuUsage(start);
  console.log(`${way}: ${edits} edits, ${((user + system) / 1000 / Number(edits)).toFixed(0)} ms of the processor each; heap every ${STEP} edits ${megabytes.join(' ')} MB; last to hundredth edit ${ratio.toFixed(3)}`);
  rmSync(folder, { recursive: true, force: true });
  return ratio;
}

for (const way of WAYS) {
  if ((only ?? way) === way && await session(way) > MOST) process.exitCode = 1;
}
