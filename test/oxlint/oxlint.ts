import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject } from '../support/paths.js';
import { ourRules } from '../support/plugin.js';

/** One finding as oxlint prints it; the column counts from 1. */
export interface Finding {
  readonly file: string;
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

interface Diagnostic {
  readonly message: string;
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number; readonly column: number } }[];
}

export interface Ran {
  readonly findings: readonly Finding[];
  /** What is no report of a rule of ours: a crash, a config that is wrong. */
  readonly others: readonly string[];
}

/** Runs the real oxlint with the built plugin and all its rules over files or folders. */
export async function oxlint(cwd: string, paths: readonly string[], { settings = {}, rules = {}, flags = [] }: { settings?: object; rules?: object; flags?: readonly string[] } = {}): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'oxlint-config-'));
  try {
    const config = join(folder, 'oxlintrc.json');
    writeFileSync(config, JSON.stringify({
      categories: { correctness: 'off' }, jsPlugins: [inProject('dist/src/index.js')], settings: { 'pg-advisory-lock': settings },
      rules: { ...Object.fromEntries([...ourRules.keys()].map((rule) => [`pg-advisory-lock/${rule}`, 'error'])), ...rules },
    }));
    const output = await run(cwd, ['--config', config, '--format', 'json', '--no-ignore', ...flags, ...paths]);
    const diagnostics = (JSON.parse(output) as { diagnostics: Diagnostic[] }).diagnostics;
    const isOurs = ({ code }: Diagnostic): boolean => /^pg-advisory-lock\(/.test(code);
    return {
      findings: diagnostics.filter(isOurs).map(({ message, code, filename, labels }) => ({
        file: filename, rule: code.replace(/^.*\(|\)$/g, ''), line: labels[0]?.span.line ?? 0, column: labels[0]?.span.column ?? 0, message,
      })),
      others: diagnostics.filter((one) => !isOurs(one)).map(({ message, filename }) => `${filename}: ${message}`),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(cwd: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [inProject('node_modules/oxlint/bin/oxlint'), ...args], { cwd, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (stdout.trimStart().startsWith('{')) resolve(stdout);
      else reject(new Error(`${error?.message ?? 'No JSON'}\n${stdout}\n${stderr}`));
    });
  });
}
