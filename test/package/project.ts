import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inProject, projectRoot } from '../support/paths.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly peerDependencies: Readonly<Record<'eslint' | 'typescript', string>>;
  readonly engines: { readonly node: string };
}

export const manifest = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as Manifest;

export interface Tarball {
  readonly file: string;
  /** The tarball as a package manager would lay it out. */
  readonly folder: string;
  readonly names: readonly string[];
  remove(): void;
}

/** Packs what `npm run build` has made, and unpacks it again. */
export function pack(): Tarball {
  if (!existsSync(inProject('dist/src/index.js'))) throw new Error('There is nothing to pack: run `npm run build` first.');
  const work = mkdtempSync(join(tmpdir(), 'packed-'));
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', work], projectRoot)) as { filename: string }[];
  const file = join(work, packed?.filename ?? '');
  run('tar', ['-xzf', file, '-C', work], work);
  const folder = join(work, 'package');
  return { file, folder, names: filesOf(folder), remove: () => { rmSync(work, { recursive: true, force: true }); } };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1).replaceAll('\\', '/')).sort();
}

export interface Project {
  readonly folder: string;
  remove(): void;
}

/** What a user has installed beside the plugin, and under which name it is installed here. */
export type Installed = Readonly<Record<string, string>>;

export const usual: Installed = Object.fromEntries(
  ['eslint', 'typescript', 'typescript-eslint', 'jiti', 'pg', '@types/pg', '@types/node'].map((name) => [name, name]),
);

/** Everything that is installed here. With links kept as they are, packages then find each other in the user's project alone. */
export function everything(): Installed {
  const folders = readdirSync(inProject('node_modules')).filter((name) => !name.startsWith('.'));
  const names = folders.flatMap((name) => (name.startsWith('@') ? readdirSync(inProject(`node_modules/${name}`)).map((one) => `${name}/${one}`) : [name]));
  return Object.fromEntries(names.map((name) => [name, name]));
}

/**
 * A user's project with the packed plugin. Only what the plugin declares and what the user installs can be imported in it; the
 * packages are links to those of this project, so that nothing is downloaded.
 */
export function projectWith(tarball: Tarball, installed: Installed, files: Readonly<Record<string, string>>): Project {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  write(folder, files);
  const own = Object.keys(manifest.dependencies).map((name) => [name, name] as const);
  for (const [name, from] of [...Object.entries(installed), ...own]) link(from, join(folder, 'node_modules', name));
  cpSync(tarball.folder, join(folder, 'node_modules', manifest.name), { recursive: true });
  return { folder, remove: () => { rmSync(folder, { recursive: true, force: true }); } };
}

/** The same, installed by npm, which refuses what does not fit: peers that exclude each other, and another Node.js than packages ask for. */
export function projectInstalledWith(tarball: Tarball, packages: readonly string[], files: Readonly<Record<string, string>>): Project {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  write(folder, files);
  run('npm', ['install', '--save-dev', '--engine-strict', '--strict-peer-deps', '--prefer-offline', '--no-audit', '--no-fund', tarball.file, ...packages], folder);
  return { folder, remove: () => { rmSync(folder, { recursive: true, force: true }); } };
}

/** These packages as npm is asked for them, in the versions that are installed here. */
export function packagesBeside(installed: Installed): string[] {
  const version = (folder: string): string => (JSON.parse(readFileSync(inProject(`node_modules/${folder}/package.json`), 'utf8')) as Manifest).version;
  return Object.entries(installed).map(([name, from]) => `${name}@${version(from)}`);
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }\n', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function link(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(inProject(`node_modules/${from}`), to, 'junction');
}

/** Runs a program to its end; its output, or an error with all that it said. */
export function run(program: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

const lintScript = `
  import { ESLint } from 'eslint';
  const [result] = await new ESLint().lintFiles([process.argv[1]]);
  console.log(JSON.stringify(result.messages.map(({ ruleId, message }) => ruleId ?? message)));
`;

/** What the project's own ESLint, with the project's own config, reports for a file: the rules, in order. */
export function lintIn({ folder }: Project, file: string, ...flags: string[]): string[] {
  return JSON.parse(run(process.execPath, [...flags, '--input-type=module', '-e', lintScript, file], folder)) as string[];
}
