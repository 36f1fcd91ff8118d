/** Fixtures under a real server: a function that a rule reports shows the fault, and its neighbours do not. */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type postgres from 'postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { fixedFileOf, messagesFileOf } from '../fixtures/collect.js';
import { inProject } from '../support/paths.js';
import { drills, type Drill, type Scene } from './fixture-drills.js';
import { loadSources } from './run-source.js';
import { useSessions } from './sessions.js';

const sessions = useSessions();
let afterwards: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of afterwards.reverse()) await step();
  afterwards = [];
});

describe.each(drills)('$fixture ($rule)', drill => {
  const text = sourceOf(drill.fixture);
  const functions = functionsIn(text);

  it('has functions with the fault and without it', () => {
    const faulty = Object.keys(drill.calls).map(name => isReported(functions, name, drill.rule));
    expect(new Set(faulty)).toEqual(new Set([true, false]));
  });

  it.each(Object.entries(drill.calls))('%s', async (name, call) => {
    const expected = isReported(functions, name, drill.rule);
    const scene = await setTheScene(drill, text, name);
    expect(await drill.shows(scene, () => call(scene), expected)).toBe(expected);
  });
});

/** Functions that a suggestion has changed. The work of these still leaves a lock: its error only comes to light. */
const comesToLight = new Set(['unlockErrorSwallowed']);

describe.each(drills.filter(drill => existsSync(fixedFileOf(inProject(`fixtures/${drill.fixture}`)))))('$fixture as suggested ($rule)', drill => {
  const text = readFileSync(fixedFileOf(inProject(`fixtures/${drill.fixture}`)), 'utf8');
  const left = leftIn(drill.fixture, drill.rule);
  const faulty = functionsIn(sourceOf(drill.fixture));
  const cured = Object.entries(drill.calls).filter(([name]) => isReported(faulty, name, drill.rule) && !comesToLight.has(name) && !left.some(line => lineIn(text, name, line)));

  it.runIf(cured.length > 0).each(cured)('%s', async (name, call) => {
    const scene = await setTheScene(drill, text, name, true);
    expect(await drill.shows(scene, () => call(scene), false)).toBe(false);
  });
});

/** The lines of the rewritten fixture in which a rule still reports. */
function leftIn(fixture: string, rule: string): number[] {
  const messages = readFileSync(messagesFileOf(inProject(`fixtures/${fixture}`)), 'utf8').split('Left after the suggestions:')[1] ?? '';
  return Array.from(messages.matchAll(/^ +(\d+):\S+ (\S+)/gm)).flatMap(([, line, name]) => (name === rule ? [Number(line)] : []));
}

function lineIn(text: string, name: string, line: number): boolean {
  const starts = Array.from(text.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm), ({ 1: own, index }) => ({ own, line: text.slice(0, index).split('\n').length }));
  return starts.findLast(one => one.line <= line)?.own === name;
}

function sourceOf(fixture: string): string {
  return readFileSync(inProject(`fixtures/${fixture}`), 'utf8');
}

/** The text of each exported function. */
function functionsIn(text: string): Map<string, string> {
  const parts = text.split(/^export (?:async )?(?:function|const) (?=\w)/m).slice(1);
  return new Map(parts.map(part => [/^\w+/.exec(part)?.[0] ?? '', part]));
}

function isReported(functions: ReadonlyMap<string, string>, name: string, rule: string): boolean {
  const text = functions.get(name);
  if (text === undefined) throw new Error(`There is no function ${name}.`);
  return new RegExp(`// expect: .*\\b${rule}\\b`).test(text);
}

/** Loads the fixture anew, with the database in place of what it reads from the environment, and takes hold of its handles. */
async function setTheScene(drill: Drill, text: string, name: string, isRewritten = false): Promise<Scene> {
  const database = sessions.database();
  for (const [, variable] of text.matchAll(/process\.env\.(\w+)/g)) process.env[variable ?? ''] = database.url;
  const handles = Array.from(text.matchAll(/^const (\w+) = (?:new Pool|postgres|drizzle\w*)\(/gm), ([, handle]) => handle);
  const loaded = loadSources(new Map([[drill.fixture, `${text}\nexport const opened = [${handles.join(', ')}];\n`]]));
  await database.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${drill.schema ?? ''}`);
  const { opened, ...exported } = (await loaded.import(drill.fixture)) as { opened: unknown[] } & Record<string, never>;
  afterwards.push(async () => {
    await Promise.all(Array.from(clientsOf(opened), client => client.end()));
    loaded.remove();
  });
  const before = database.events().length;
  return {
    sessions,
    subject: exported[name]!,
    opened,
    source: functionsIn(text).get(name) ?? '',
    isRewritten,
    events: () => database.events().slice(before),
    untilFreed: async () => {
      for (let tries = 0; tries < 500 && (await sessions.holders()).length > 0; tries++) await sleep(10);
    },
  };
}

function clientsOf(opened: readonly unknown[]): Set<pg.Pool | postgres.Sql> {
  return new Set(opened.map(handle => ('$client' in (handle as object) ? (handle as { $client: pg.Pool }).$client : (handle as pg.Pool))));
}
