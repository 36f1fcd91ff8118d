import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { inProject, projectRoot } from '../support/paths.js';

test('no file, export or dependency is left over', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [inProject('node_modules/knip/bin/knip.js'), '--no-progress', '--no-config-hints'], { cwd: projectRoot, encoding: 'utf8' });
  expect({ stdout: stdout.trim(), stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 });
});
