import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Driver } from '../../src/drivers/index.js';

/** The names of a driver's record, as far as declarations of its library must have them. */
interface Names {
  readonly types: readonly string[];
  readonly members: readonly string[];
}

function namesOf(driver: Driver): Names {
  const members = [
    ...driver.types.flatMap((one) => [...(one.members?.has ?? []), ...(one.members?.lacks ?? []), ...(one.over === undefined ? [] : [one.over])]),
    ...driver.runs.map(({ name }) => name), ...driver.reserves.flatMap(({ name, completedBy }) => [name, ...(completedBy === undefined ? [] : [completedBy])]),
    ...driver.releases.map(({ name }) => name), ...(driver.derives ?? []).map(({ name }) => name), ...Object.keys(driver.chained ?? {}), ...Object.keys(driver.pieces ?? {}), ...(driver.properties ?? []),
    ...(driver.transactions ? [...driver.transactions.begins, ...driver.transactions.ends, ...(driver.transactions.asks ?? [])] : []),
  ];
  return { types: driver.types.flatMap(({ name, members: by }) => (name === undefined || by !== undefined ? [] : [name])), members: [...new Set(members)] };
}

/** The names of a driver's record that no declaration file in the folders of its packages has. */
export function undeclaredNames(driver: Driver, folders: readonly string[]): Names {
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file))).filter((file) => /\.d\.[cm]?ts$/.test(file)));
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const plain = (name: string): string => name.replaceAll('$', '\\$');
  const isDeclared = (name: string): boolean => new RegExp(`\\b(?:class|interface|type|const|let|var|function)\\s+${plain(name)}\\b`).test(text);
  const isMember = (name: string): boolean => new RegExp(`(?<![\\w$])(?:readonly\\s+|get\\s+)?['"]?${plain(name)}['"]?\\??\\s*[(<:]`).test(text);
  const { types, members } = namesOf(driver);
  return { types: types.filter((name) => !isDeclared(name)), members: members.filter((name) => !isMember(name)) };
}
