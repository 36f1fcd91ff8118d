import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries, serverAccount, type Account, type Binaries } from './postgres-binaries.js';
import { logPrefix } from './server-log.js';

export interface RunningServer {
  readonly port: number;
  readonly logFile: string;
  stop(): Promise<void>;
}

const startAttempts = 3;
const user = 'postgres';

/** Starts a server of its own on a free port; nothing of it is left after `stop()`. */
export async function startServer(): Promise<RunningServer> {
  const account = serverAccount();
  const home = mkdtempSync(path.join(os.tmpdir(), 'advisory-lock-server-'));
  try {
    give(home, account);
    const programs = findBinaries(account, home);
    const data = path.join(home, 'data');
    initialise(programs, data, account);
    return await startOnFreePort(programs, home, data, account);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

export function urlOf(server: RunningServer, database: string): string {
  return `postgres://${user}@127.0.0.1:${server.port}/${database}`;
}

function give(file: string, { uid, gid }: Account): void {
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
}

function initialise(programs: Binaries, data: string, account: Account): void {
  const options = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', `--username=${user}`, `--pgdata=${data}`];
  const { status, stderr, error } = spawnSync(programs.initdb, options, { ...account, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`, { cause: error });
}

/** Between asking for a free port and using it another process may take it. */
async function startOnFreePort(programs: Binaries, home: string, data: string, account: Account): Promise<RunningServer> {
  const logFile = path.join(home, 'server.log');
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const log = openSync(logFile, 'w');
    // The server writes straight to the file: once a client has its answer, what was logged about it can be read.
    const child = spawn(programs.postgres, ['-D', data, ...settings(port)], { ...account, stdio: ['ignore', log, log] });
    closeSync(log);
    if (await accepts(child, port)) return { port, logFile, stop: stopper(child, home) };
    if (attempt === startAttempts) throw new Error(`PostgreSQL did not start: ${readFileSync(logFile, 'utf8')}`);
  }
}

function settings(port: number): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 100,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    log_statement: 'all',
    log_line_prefix: logPrefix,
    // A fault of ours that waits for a lock for ever should fail with a name, not with the runner's timeout.
    lock_timeout: '20s',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function accepts(child: ChildProcess, port: number): Promise<boolean> {
  // A program that cannot be started emits `error` and has no process id.
  child.once('error', () => undefined);
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const client = new pg.Client({ host: '127.0.0.1', port, user, database: 'postgres' });
    try {
      await client.connect();
      return true;
    } catch {
      await sleep(20);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return false;
}

function stopper(child: ChildProcess, home: string): () => Promise<void> {
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  // Where the runner ends without stopping us, the server and its files go all the same.
  const abandon = () => {
    child.kill('SIGQUIT');
    remove();
  };
  process.once('exit', abandon);
  return async () => {
    process.removeListener('exit', abandon);
    if (child.exitCode === null && child.signalCode === null) {
      const gone = new Promise(resolve => child.once('exit', resolve));
      child.kill('SIGINT');
      await gone;
    }
    remove();
  };
}
