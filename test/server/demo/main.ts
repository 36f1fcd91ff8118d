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
  const fixed = await fixApp(app, before);
  showChanges(screen, fixed, before);
  const faults = [...(problems > 0 ? [] : ['ESLint found nothing in the app.']), ...checkText(screen, fixed)];
  screen.heading('What the server says');
  const runs = await runAll(before, fixed.sources);
  for (const line of table(screen, rowsOf(runs))) screen.line(line);
  faults.push(...faultsOf(runs));
  conclude(screen, runs, faults);
  return faults.length > 0 ? 1 : 0;
}

function showChanges(screen: Screen, fixed: FixedApp, before: Sources): void {
  screen.heading('What the quick fixes change');
  for (const [file, applied] of fixed.applied) {
    screen.line(screen.style('underline', file));
    for (const { ruleId, description } of applied) screen.line(`  ${description} ${screen.style('dim', ruleId ?? '')}`);
    screen.line();
    for (const line of diffLines(before.get(file) ?? '', fixed.sources.get(file) ?? '')) screen.line(`  ${coloured(screen, line)}`.trimEnd());
  }
}

function coloured(screen: Screen, line: string): string {
  if (line.startsWith('+')) return screen.style('green', line);
  return line.startsWith('-') ? screen.style('red', line) : line;
}

/** What ESLint and the compiler still say of the fixed app. */
function checkText(screen: Screen, { sources, left }: FixedApp): string[] {
  const errors = typeErrors(app, sources);
  const verdict = `ESLint: ${left.length} problems left. TypeScript: ${errors.length} errors.`;
  const faults = [...left.map(({ ruleId, message }) => `${ruleId ?? 'ESLint'}: ${message}`), ...errors];
  screen.line(`\n${screen.style(faults.length > 0 ? 'red' : 'green', verdict)}`);
  return faults;
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
    [fixed.errors.length === 0, `The fixed app failed: ${fixed.errors[0] ?? ''}`],
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
