import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { inProject } from '../support/paths.js';
import { diffLines } from './demo/diff.js';

describe('the demo', () => {
  it('shows the fault and its end, in plain text where there is no terminal', () => {
    const env = { ...process.env, FORCE_COLOR: undefined };
    const { status, stdout, stderr } = spawnSync(process.execPath, [inProject('test/server/demo.mjs')], { encoding: 'utf8', env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('pg-advisory-lock/no-pooled-session-lock');
    expect(stdout).toMatch(/pg_advisory_unlock returned +true +false +true/);
    expect(stdout).not.toContain('\u001B[');
  });

  it('shows what changed with the lines about it', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].join('\n');
    expect(diffLines(before, before)).toEqual([]);
    expect(diffLines(before, before.replace('d', 'D\nD2'))).toEqual(['   ⋮', '  b', '  c', '- d', '+ D', '+ D2', '  e', '  f']);
  });
});
