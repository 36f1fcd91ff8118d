import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { clearCandidateTSConfigRootDirs } from '@typescript-eslint/typescript-estree';
import { afterAll, expect, test } from 'vitest';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';
import { edit, FILES, project } from './session/edits.mjs';
import { linterFor, WAYS } from './session/linter.mjs';

/** A part of `session.mjs`. */
const folders: string[] = [];

afterAll(() => {
  clearCandidateTSConfigRootDirs();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function collected(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test.each(WAYS)('edits of several files leave nothing behind: %s', async (way) => {
  const folder = mkdtempSync(join(tmpdir(), 'session-'));
  folders.push(folder);
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'), 'junction');
  for (const [name, text] of project(way)) writeFileSync(join(folder, name), text);
  const lint = linterFor(ourPlugin, folder, way);
  const heapAfter = async (from: number, to: number): Promise<number> => {
    for (let count = from; count < to; count++) {
      const name = FILES[count % FILES.length]!;
      const { failures, reports } = lint(join(folder, name), edit(name, count));
      expect(failures).toEqual([]);
      expect(reports > 0).toBe(name !== 'db.ts');
    }
    await sleep(0);
    return collected();
  };
  const first = await heapAfter(0, 50);
  const then = await heapAfter(50, 200);
  expect(then / first).toBeLessThan(1.15);
}, 900_000);
