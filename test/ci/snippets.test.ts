import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { fencesOf } from '../support/page.js';
import { removeUserProjects, type Outcome, type UserProject } from '../support/user-project.js';
import { pooled, projectWith, single } from './projects.js';

/** docs/ci.md, its jobs run as they stand there: on a project with the bug, and on one without. */

interface Workflow {
  readonly on: unknown;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: Readonly<Record<string, unknown>> }[] }>>;
}

type Pipeline = Readonly<Record<string, { readonly script: readonly string[]; readonly artifacts?: { readonly reports: { readonly codequality: string } } }>>;

interface Job {
  readonly name: string;
  readonly lines: readonly string[];
  /** A file that it leaves for others. */
  readonly leaves: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

afterAll(removeUserProjects);

const blocks = fencesOf('docs/ci.md').filter(({ language }) => language === 'yaml');
const isInstall = (line: string): boolean => line === 'npm ci';

function jobOf(file: string, text: string): Job {
  if (file.startsWith('.github/')) {
    const [[name, { steps }] = ['', { steps: [] }], ...more] = Object.entries((parse(text) as Workflow).jobs);
    expect(more).toEqual([]);
    const leaves = steps.map((step) => step.with?.['sarif_file']).find((one) => typeof one === 'string');
    return { name, lines: steps.flatMap(({ run }) => run ?? []), leaves, env: { CI: 'true', GITHUB_ACTIONS: 'true' } };
  }
  const [[name, { script, artifacts }] = ['', { script: [] }], ...more] = Object.entries(parse(text) as Pipeline);
  expect(more).toEqual([]);
  return { name, lines: script, leaves: artifacts?.reports.codequality, env: { CI: 'true', GITLAB_CI: 'true', CI_JOB_NAME: name, CI_CONFIG_PATH: file } };
}

/** As the service does: line after line, until one fails. */
async function runJob({ lines, env }: Job, project: UserProject): Promise<Outcome & { line: string | undefined }> {
  let said: Outcome = { status: null, stdout: '', stderr: '' };
  for (const line of lines.filter((one) => !isInstall(one))) {
    said = await project.run(line, { ...env, CI_PROJECT_DIR: project.folder });
    if (said.status !== 0) return { ...said, line };
  }
  return { ...said, line: undefined };
}

/** How a finding of each line of the job is shown: to a matcher of GitHub, as its command, or as data. */
const shown: Readonly<Record<string, (outcome: Outcome, left: string) => string[]>> = {
  '.github/workflows/lint.yml': ({ stdout }) => matched(stdout),
  '.github/workflows/locks.yml': ({ stdout }) => matched(stdout),
  '.github/workflows/oxlint.yml': ({ stdout }) => [...stdout.matchAll(/^::error file=([^,]+),line=(\d+)/gm)].map(([, file, line]) => `${file}:${line}`),
  '.github/workflows/scan.yml': (_, left) => scanned(left),
  '.github/workflows/eslint-scan.yml': (_, left) => scanned(left),
  '.gitlab-ci.yml': (_, left) => quality(left),
  'oxlint.gitlab-ci.yml': (_, left) => quality(left),
};

interface Sarif {
  readonly runs: readonly { readonly results: readonly { readonly locations: readonly { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: { readonly startLine: number } } }[] }[] }[];
}

/** GitHub takes a URI below the checkout, or one that is relative to it. */
const scanned = (text: string): string[] => (JSON.parse(text) as Sarif).runs.flatMap(({ results }) => results.flatMap(({ locations }) => (
  locations.map(({ physicalLocation: { artifactLocation: { uri }, region } }) => `${uri.replace(/^file:.*\/(?=src\/)/, '')}:${region.startLine}`)
)));

/** GitLab takes either form of a place. */
type Location = { readonly path: string } & ({ readonly lines: { readonly begin: number } } | { readonly positions: { readonly begin: { readonly line: number } } });

const quality = (text: string): string[] => (JSON.parse(text) as { location: Location }[]).map(({ location: { path, ...at } }) => `${path}:${'lines' in at ? at.lines.begin : at.positions.begin.line}`);

/** What `setup-node` tells GitHub to look for in ESLint's output: a line with a path, then lines with a place, a level, a message and two spaces before the rule. */
function matched(stdout: string): string[] {
  const found: string[] = [];
  let file = '';
  for (const line of stdout.split('\n')) {
    const at = /^\s+(\d+):\d+\s+(?:error|warning)\s+\S.*\s\s\S+$/.exec(line)?.[1];
    if (at !== undefined) found.push(`${file}:${at}`);
    else if (line.trim() !== '') file = line.trim().replace(/^.*[\\/](?=src[\\/])/, '');
  }
  return found;
}

test('each kind of job is shown', () => {
  expect(blocks.map(({ file }) => file).sort()).toEqual(Object.keys(shown).sort());
});

describe.each(blocks.map((block) => [block.at, block] as const))('the job at %s', (_at, { file = '', text }) => {
  const job = jobOf(file, text);
  const leftIn = (project: UserProject): string => {
    if (job.leaves === undefined) return '';
    expect(existsSync(join(project.folder, job.leaves))).toBe(true);
    return project.read(job.leaves);
  };

  test('installs first', () => {
    expect(job.lines.findIndex(isInstall)).toBe(0);
    expect(job.lines.length).toBeGreaterThan(1);
  });

  test('fails on the bug, and shows where it is', async () => {
    const project = projectWith(pooled, { [file]: text });
    const outcome = await runJob(job, project);
    expect([outcome.status, outcome.line], outcome.stdout + outcome.stderr).toEqual([1, job.lines.at(-1)]);
    expect(shown[file]?.(outcome, leftIn(project)).sort()).toEqual(['src/job.ts:4', 'src/job.ts:8']);
  });

  test('passes without it', async () => {
    const project = projectWith(single, { [file]: text });
    const outcome = await runJob(job, project);
    expect([outcome.status, outcome.line], outcome.stdout + outcome.stderr).toEqual([0, undefined]);
    expect(shown[file]?.(outcome, leftIn(project))).toEqual([]);
  });
});
