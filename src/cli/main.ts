import type { ESLint } from 'eslint';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import plugin from '../index.js';
import { wordsIn } from '../analysis/facts.js';
import { untypedHandles } from '../analysis/connections/untyped.js';
import { collect } from '../inventory/collect.js';
import type { Collected } from '../inventory/model.js';
import { diff } from './diff.js';
import { findSources, readText } from './files.js';
import { gate } from './gate.js';
import { help } from './help.js';
import { inventoryFrom, written } from './inventory.js';
import { lint, type Linting } from './lint.js';
import { InstallationError, parseOptions, UsageError, type Options } from './options.js';
import { Progress } from './progress.js';
import { lastLines, nameOf, report, type Looked, type Page } from './report.js';
import { loadSettings } from './settings.js';
import { coloured, plain } from './style.js';
import { gatherTypeWarnings } from './warnings.js';

/** What the command needs of its process. */
export interface Surroundings {
  cwd(): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown };
}

/** Runs the command; its exit code: 0 nothing found, 1 something found, 2 a wrong call or a failure. */
export async function main(args: readonly string[], process: Surroundings): Promise<0 | 1 | 2> {
  const progress = new Progress(process.stderr);
  try {
    return await run(parseOptions(args, Object.keys(plugin.rules)), process, progress);
  } catch (error) {
    progress.end();
    if (error instanceof UsageError) process.stderr.write(`${error.message}\n--help shows how to call it.\n`);
    else if (error instanceof InstallationError) process.stderr.write(`${error.message}\n`);
    else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 2;
  }
}

interface Seen {
  readonly statements: readonly Collected[];
  readonly isTyped: boolean;
  readonly untyped: readonly string[];
}

async function run(options: Options, process: Surroundings, progress: Progress): Promise<0 | 1> {
  if (options.help || options.version) {
    process.stdout.write(options.help ? help : `${plugin.meta.version}\n`);
    return 0;
  }
  const cwd = process.cwd();
  const settings = await loadSettings(options.settings, cwd);
  const reasons = gatherTypeWarnings();
  const sources = findSources(options.paths, cwd);
  const { passing, mentioning } = gate(sources, wordsIn(settings.read.house), (done) => { progress.say(`${done} of ${sources.importable.length} files looked through`); });
  if (sources.files.length === 0) throw new UsageError(`There are no source files ${options.paths.length > 0 ? `at \`${options.paths.join('`, `')}\`` : 'in this folder'}, or all of them are left out by .gitignore.`);
  const seen = new Map<string, Seen>();
  const linting = await lint(passing, options, settings, cwd, (file, facts) => seen.set(file, { statements: collect(facts, (name) => nameOf(name, cwd)), isTyped: facts.types.isTyped, untyped: untypedHandles(facts) }), (done) => { progress.say(`${done} of ${passing.length} files with locks analysed`); });
  progress.end();
  const all = [...seen.values()];
  const statements = all.flatMap((one) => one.statements);
  const looked: Looked = {
    files: sources.files.length, mentioning, statements: statements.length, ...unknownAmong(statements), withLocks: all.length, typed: all.filter((one) => one.isTyped).length, reasons,
    untyped: [...seen].flatMap(([file, { untyped }]) => (untyped.length > 0 ? [`${nameOf(file, cwd)}: ${untyped.join(', ')}`] : [])),
  };
  if (options.inventory) {
    presentInventory(statements, linting, looked, options, process, cwd);
    return linting.results.some((one) => one.fatalErrorCount > 0) ? 1 : 0;
  }
  await present(linting, looked, options, process, cwd);
  return linting.results.some((one) => one.messages.length > 0) ? 1 : 0;
}

function unknownAmong(all: readonly Collected[]): Pick<Looked, 'unknown' | 'inStrict'> {
  const unknown = all.filter(({ statement }) => statement.connection === 'unknown');
  return { unknown: unknown.length, inStrict: unknown.filter(({ isJudgedAtCalls, statement: { operation, level, guard } }) => !isJudgedAtCalls && (operation === 'acquire' || operation === 'try') && level === 'session' && guard !== 'statement').length };
}

function presentInventory(collected: readonly Collected[], { results }: Linting, looked: Looked, options: Options, process: Surroundings, cwd: string): void {
  const page = pageFor(options, process, cwd);
  emit(written(inventoryFrom(collected, results, cwd), options.format, looked, page), options, process, cwd);
  for (const { filePath, messages } of results) for (const one of messages) if (one.fatal === true) process.stderr.write(`${nameOf(filePath, cwd)}:${one.line}:${one.column} cannot be read: ${one.message}\n`);
}

async function present(linting: Linting, looked: Looked, options: Options, process: Surroundings, cwd: string): Promise<void> {
  const page = pageFor(options, process, cwd);
  const last = `${lastLines(linting, looked, options, page)}\n`;
  if (options.format !== undefined) {
    emit(await formatted(linting, options.format, cwd), options, process, cwd);
    process.stderr.write(changesOf(linting, page) + last);
    return;
  }
  const changes = changesOf(linting, page);
  const found = report(linting.results, page);
  const text = [changes, found].filter((one) => one !== '').map((one) => `${one}\n`).join('');
  if (options.outputFile === undefined) process.stdout.write(text + last);
  else {
    emit(text + last, options, process, cwd);
    process.stdout.write(last);
  }
}

function pageFor({ color, outputFile }: Options, { stdout, env }: Surroundings, cwd: string): Page {
  const isColoured = color ?? (outputFile === undefined && stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
  return { cwd, paint: isColoured ? coloured : plain, width: Math.max(60, Math.min(outputFile === undefined ? stdout.columns ?? 110 : 110, 110)) };
}

function emit(text: string, { outputFile }: Options, process: Surroundings, cwd: string): void {
  if (outputFile === undefined) {
    process.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
    return;
  }
  const file = resolve(cwd, outputFile);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`);
  } catch (error) {
    throw new UsageError(`\`${outputFile}\` cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function formatted({ eslint, results }: Linting, format: string, cwd: string): Promise<string> {
  let formatter: ESLint.LoadedFormatter;
  try {
    formatter = await eslint.loadFormatter(formatterAt(format, cwd));
  } catch (error) {
    throw new UsageError(`The format \`${format}\` cannot be loaded. ${error instanceof Error ? error.message : String(error)}`);
  }
  return await formatter.format([...results], {});
}

/** ESLint looks for formatters from the folder that it works in, which may be above the user's. */
function formatterAt(format: string, cwd: string): string {
  if (/^\.{0,2}[\\/]|^[a-z]:/i.test(format)) return resolve(cwd, format);
  const [scope, name] = format.startsWith('@') ? [`${format.split('/')[0] ?? ''}/`, format.split('/')[1] ?? ''] : ['', format];
  for (const one of [`${scope}eslint-formatter${name ? '-' : ''}${name.replace(/^eslint-formatter-?/, '')}`, format]) {
    try {
      return createRequire(join(cwd, 'package.json')).resolve(one);
    } catch {
      // not installed under that name: ESLint's own, or nobody's
    }
  }
  return format;
}

function changesOf({ before }: Linting, { cwd, paint }: Page): string {
  return [...before].map(([file, text]) => diff(text, readText(file) ?? '', nameOf(file, cwd)).split('\n')
    .map((line) => (/^(?:\+\+\+|---|@@)/.test(line) ? paint('bold', line) : line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : line)).join('\n')).join('');
}
