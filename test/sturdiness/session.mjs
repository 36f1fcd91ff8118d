/**
 * A long session of an editor: hundreds of edits on several files of one process, each linted with all rules, as a language server does
 * it. Prints the heap after garbage collection as it goes, and ends with 1 where it grows. Run it after a build:
 *
 *     node --expose-gc test/sturdiness/session.mjs [edits]
 *
 * Once with types on demand, made in the process, and once with the project service of typescript-eslint.
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
import { linterFor } from './session/linter.mjs';

const [edits = '600'] = process.argv.slice(2);
const STEP = 50;
/** Growth of the heap between the sixth and the last part: what a cache without a bound exceeds. */
const MOST = 1.1;

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
stayHere();

/** @param {'on demand' | 'projectService'} way */
async function session(way) {
  const folder = mkdtempSync(join(tmpdir(), 'session-'));
  symlinkSync(modules, join(folder, 'node_modules'), 'junction');
  for (const [name, text] of project()) writeFileSync(join(folder, name), text);
  const lint = linterFor(plugin, folder, way);
  const heaps = [];
  const start = performance.now();
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
  console.log(`${way}: ${edits} edits in ${((performance.now() - start) / 1000).toFixed(0)} s; heap every ${STEP} edits ${megabytes.join(' ')} MB; last to hundredth edit ${ratio.toFixed(3)}`);
  rmSync(folder, { recursive: true, force: true });
  return ratio;
}

const ratios = [await session('on demand'), await session('projectService')];
process.exitCode = ratios.every((one) => one < MOST) ? 0 : 1;
