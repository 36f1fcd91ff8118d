import { inProject } from '../../support/paths.js';
import { startServer } from '../postgres-server.js';
import { readSources, type Sources } from '../run-source.js';
import { typeErrors } from '../type-check.js';
import { diffLines } from './diff.js';
import { fixApp, lintApp, type FixedApp } from './lint-app.js';
import { runApp, type Run } from './run-app.js';
import { openScreen, table, type Cell, type Row, type Screen } from './screen.js';

const app = inProject('fixtures/example-app');

interface Runs {
  readonly quiet: Run;
  readonly busy: Run;
  readonly fixed: Run;
}

/** Returns the process's exit code: 0 if the fault showed, and the quick fixes took it away. */
export async function main(output: NodeJS.WriteStream): Promise<number> {
  const screen = openScreen(output);
  const before = readSources(app);
  screen.heading('What ESLint says');
  const { report, problems } = await lintApp(app, screen.colour);
  screen.line(report.trim() || 'Nothing.');
  const fixed = await fixApp(app, before.keys());
  try {
    const after = readSources(fixed.folder);
    showChanges(screen, fixed, before, after);
    const faults = await checkText(screen, fixed, after);
    if (problems === 0) faults.push('ESLint found nothing in the app.');
    screen.heading('What the server says');
    const runs = await runAll(before, after);
    for (const line of table(screen, rowsOf(runs))) screen.line(line);
    faults.push(...faultsOf(runs));
    conclude(screen, runs, faults);
    return faults.length > 0 ? 1 : 0;
  } finally {
    fixed.remove();
  }
}

function showChanges(screen: Screen, fixed: FixedApp, before: Sources, after: Sources): void {
  screen.heading('What the quick fixes change');
  for (const [file, applied] of fixed.applied) {
    screen.line(screen.style('underline', file));
    for (const { ruleId, description } of applied) screen.line(`  ${description} ${screen.style('dim', ruleId ?? '')}`);
    screen.line();
    for (const line of diffLines(before.get(file) ?? '', after.get(file) ?? '')) screen.line(`  ${coloured(screen, line)}`.trimEnd());
  }
}

function coloured(screen: Screen, line: string): string {
  if (line.startsWith('+')) return screen.style('green', line);
  return line.startsWith('-') ? screen.style('red', line) : line;
}

/** What is wrong with the fixed app as a text: what ESLint and the compiler still say. */
async function checkText(screen: Screen, fixed: FixedApp, after: Sources): Promise<string[]> {
  const { report, problems } = await lintApp(fixed.folder, screen.colour);
  const errors = typeErrors(fixed.folder, after);
  const clean = `ESLint: ${problems} problems left. TypeScript: ${errors.length} errors.`;
  screen.line(`\n${screen.style(problems + errors.length > 0 ? 'red' : 'green', clean)}`);
  return [...(problems > 0 ? [report.trim()] : []), ...errors];
}

async function runAll(before: Sources, after: Sources): Promise<Runs> {
  const server = await startServer();
  try {
    return {
      quiet: await runApp(server, app, before, 'quiet'),
      busy: await runApp(server, app, before, 'busy'),
      fixed: await runApp(server, app, after, 'busy'),
    };
  } finally {
    await server.stop();
  }
}

function rowsOf({ quiet, busy, fixed }: Runs): Row[] {
  const all = [quiet, busy, fixed];
  const row = (label: string, text: (run: Run) => string, good?: (run: Run) => boolean): Row => {
    const cell = (run: Run): Cell => (good ? { text: text(run), mood: good(run) ? 'good' : 'bad' } : { text: text(run) });
    return [label, ...all.map(cell)];
  };
  const head = (text: string): Cell => ({ text, mood: 'head' });
  const gap: Row = ['', { text: '' }, { text: '' }, { text: '' }];
  const pid = (of: number | undefined) => `pg_backend_pid ${of ?? '-'}`;
  return [
    ['', head('before, nobody about'), head('before, readers about'), head('after, readers about')],
    row('took the lock', ({ sample }) => pid(sample?.lockPid)),
    row('released the lock', ({ sample }) => pid(sample?.unlockPid)),
    row('pg_advisory_unlock returned', ({ sample }) => String(sample?.released), ({ sample }) => sample?.released === true),
    gap,
    row('unlocks that returned false', ({ refused, unlocks }) => `${refused} of ${unlocks}`, ({ refused }) => refused === 0),
    row('locks left hanging', ({ left }) => String(left), ({ left }) => left === 0),
    row('jobs done', ({ done, due }) => `${done} of ${due}`, ({ done, due }) => done === due),
    row('jobs skipped in silence', ({ done, due }) => String(due - done), ({ done, due }) => done === due),
    row('messages to readers', ({ notices }) => String(notices)),
  ];
}

function faultsOf({ busy, fixed }: Runs): string[] {
  const checks: [boolean, string][] = [
    [busy.refused > 0 && busy.sample?.lockPid !== busy.sample?.unlockPid, 'The app as written shows no unlock on another connection.'],
    [busy.left > 0, 'The app as written leaves no lock hanging.'],
    [fixed.unlocks > 0 && fixed.refused === 0, 'An unlock of the fixed app returned false.'],
    [fixed.left === 0, 'The fixed app leaves locks hanging.'],
    [fixed.done === fixed.due, 'The fixed app skipped jobs.'],
  ];
  return checks.flatMap(([holds, fault]) => (holds ? [] : [fault]));
}

function conclude(screen: Screen, { quiet, busy }: Runs, faults: readonly string[]): void {
  screen.line();
  if (faults.length > 0) {
    for (const fault of faults) screen.line(screen.style('red', fault));
    return;
  }
  if (quiet.refused === 0) screen.line('While nobody is about, one connection serves all: no test sees the fault, and no log tells of it.');
  screen.line(`With readers about, ${busy.due - busy.done} of ${busy.due} jobs were not done, and nothing said so.`);
}
