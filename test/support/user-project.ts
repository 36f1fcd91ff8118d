import { spawn, type SpawnOptions } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { inProject } from './paths.js';

const name = 'eslint-plugin-pg-advisory-lock';

export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of a user, outside of this project, in which the built plugin and other packages are installed. */
export interface UserProject {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): void;
  read(path: string): string;
  /** Runs a line as a shell of continuous integration would, from the top of the project. */
  run(line: string, env?: Readonly<Record<string, string>>): Promise<Outcome>;
}

const made: string[] = [];

/**
 * Writes the files, links the packages to those of this project, and the commands of those that have some. Each is a link, so
 * nothing is downloaded; the plugin itself is what `npm run build` has made. `eslint=eslint-9` is the package that has another name
 * here.
 */
export function userProject(packages: readonly string[], files: Readonly<Record<string, string>>): UserProject {
  if (!existsSync(inProject('dist/src/index.js'))) throw new Error('There is no plugin to install: run `npm run build` first.');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'user-project-')));
  made.push(folder);
  for (const one of packages) {
    const [to = one, from = to] = one.split('=');
    install(to, inProject(`node_modules/${from}`), folder);
  }
  install(name, inProject(''), folder);
  const project: UserProject = {
    folder,
    write: (texts) => {
      for (const [path, text] of Object.entries(texts)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    run: (line, env) => runLine(line, folder, env),
  };
  project.write(files);
  return project;
}

export function removeUserProjects(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function install(one: string, from: string, folder: string): void {
  const to = join(folder, 'node_modules', one);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(from, to, 'junction');
  const { bin = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { bin?: string | Record<string, string> };
  const commands = typeof bin === 'string' ? { [one.replace(/^.*\//, '')]: bin } : bin;
  const bins = join(folder, 'node_modules/.bin');
  mkdirSync(bins, { recursive: true });
  for (const [command, script] of Object.entries(commands)) {
    writeFileSync(join(bins, command), `#!/bin/sh\nexec "${process.execPath}" "${join(from, script)}" "$@"\n`);
    chmodSync(join(bins, command), 0o755);
  }
}

/** As seen from outside of this run: neither its colours, nor its being in continuous integration, nor what npm adds to the environment. */
export function plainEnvironment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([key]) => !/^(?:CI|NO_COLOR|FORCE_COLOR|NODE_OPTIONS|NODE_ENV|VITEST.*|npm_.*|GIT_.*|GITHUB_.*|GITLAB_.*|CI_.*|LEFTHOOK.*|HUSKY.*)$/i.test(key));
  return { ...Object.fromEntries(kept), PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`, ...env };
}

function runLine(line: string, cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  // GitHub and GitLab both stop at the first line that fails.
  return runProgram('bash', ['-e', '-c', line], { cwd, env: plainEnvironment(env) });
}

function runProgram(program: string, args: readonly string[], options: SpawnOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) child[stream].setEncoding('utf8').on('data', (text: string) => { said[stream] += text; });
    child.on('error', reject);
    child.on('close', (status) => { resolve({ status, ...said }); });
  });
}
