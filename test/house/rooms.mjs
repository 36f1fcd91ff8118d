// @ts-check
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Data runs one way. What a room may import: other rooms and packages, and what of them only as types. A folder that is
 * named closer to a file than another decides. Folders that are not named may import anything.
 *
 * @typedef {{ rooms?: string[], roomTypes?: string[], packages?: string[], packageTypes?: string[] }} Allowance
 * @type {Record<string, Allowance>}
 */
export const house = {
  // PostgreSQL's lexical rules: nothing of TypeScript or ESLint, and nothing of ours.
  'src/sql': {},
  // Records of libraries: no tree, no checker.
  'src/drivers': { roomTypes: ['src/sql'] },
  // The only room that touches TypeScript's API.
  'src/types': {
    packages: ['typescript', '@typescript-eslint/typescript-estree', '@typescript-eslint/scope-manager', 'node:fs', 'node:module', 'node:path'],
    packageTypes: ['@typescript-eslint/utils'],
  },
  // Keeps a fault of ours from ending the lint run of other files.
  'src/safely': {},
  // What the settings of a config may say.
  'src/settings': { roomTypes: ['src/drivers'], packages: ['node:module'], packageTypes: ['valibot'] },
  'src/analysis': { rooms: ['src/safely', 'src/sql', 'src/drivers', 'src/types'], packages: ['node:path'], packageTypes: ['@typescript-eslint/utils'] },
  // Edits, made from what a driver's record says and from the facts' models.
  'src/rewrites': { rooms: ['src/drivers', 'src/analysis'], roomTypes: ['src/sql'], packageTypes: ['@typescript-eslint/utils'] },
  // What every rule has in common.
  'src/rule': { rooms: ['src/safely', 'src/settings', 'src/analysis', 'src/rewrites', 'src/worker/client'], packageTypes: ['@typescript-eslint/utils'] },
  // Judging in another thread, where the host gives no types: who asks, and who answers.
  'src/worker/client': { roomTypes: ['src/rule'], packages: ['node:fs', 'node:worker_threads'] },
  'src/worker': { rooms: ['src/worker/client', 'src/rule', 'rules'], packages: ['node:worker_threads'] },
  // Judgements over facts.
  rules: { rooms: ['src/analysis', 'src/rewrites', 'src/rule'], packageTypes: ['@typescript-eslint/utils'] },
  // The locks of a repository as data, tables and pictures.
  'src/inventory': { rooms: ['src/analysis'], packageTypes: ['@typescript-eslint/utils'] },
  // The command: it finds files, runs ESLint with the plugin on them, and shows what comes of it.
  'src/cli': {
    rooms: ['src', 'src/settings', 'src/types', 'src/analysis', 'src/inventory', 'src/worker/client'],
    packages: ['eslint', '@typescript-eslint/parser', 'ignore', 'node:fs', 'node:module', 'node:path', 'node:url', 'node:util'],
  },
  // The plugin object and its settings.
  src: { rooms: ['rules', 'src/settings', 'src/sql', 'src/drivers', 'src/types', 'src/analysis', 'src/rewrites'], packages: ['node:module'], packageTypes: ['@typescript-eslint/utils', 'eslint'] },
};

/** @param {string} path below the top of the project */
export function roomOf(path) {
  const plain = path.replace(/\.[jt]s$/, '');
  return Object.keys(house).filter((room) => plain === room || plain.startsWith(`${room}/`)).sort((a, b) => b.length - a.length)[0];
}

/**
 * Why a room may not import this; `undefined` where it may.
 *
 * @param {{ from: string, specifier: string, asType: boolean }} one `from`: path of the importing file below the top
 */
export function objection({ from, specifier, asType }) {
  const room = roomOf(from);
  if (room === undefined) return undefined;
  const { rooms = [], roomTypes = [], packages = [], packageTypes = [] } = /** @type {Allowance} */ (house[room]);
  if (!specifier.startsWith('.')) {
    if (packages.some((name) => isOf(name, specifier)) || (asType && [...packageTypes, ...packages].some((name) => isOf(name, specifier)))) return undefined;
    return packageTypes.some((name) => isOf(name, specifier)) ? 'only as a type (`import type`)' : 'not at all';
  }
  const target = roomOf(join(dirname(from), specifier).split(sep).join('/'));
  if (target === room || (target !== undefined && (rooms.includes(target) || (asType && roomTypes.includes(target))))) return undefined;
  return target !== undefined && roomTypes.includes(target) ? 'only as a type (`import type`)' : 'not at all';
}

/** @param {string} name @param {string} specifier */
function isOf(name, specifier) {
  return specifier === name || specifier.startsWith(`${name}/`);
}

/** @typedef {import('@typescript-eslint/utils').TSESTree.Node} Node */

/** @type {import('@typescript-eslint/utils').TSESLint.RuleModule<'boundary'>} */
const rule = {
  meta: {
    type: 'problem',
    docs: { description: 'Keep the boundaries between the rooms of the house' },
    schema: [],
    messages: { boundary: '`{{room}}` may import `{{specifier}}` {{how}}: test/house/rooms.mjs says what each room knows.' },
  },
  create(context) {
    const from = relative(top, context.filename).split(sep).join('/');
    /** @param {Node} node @param {Node | null | undefined} source @param {boolean} asType */
    const check = (node, source, asType) => {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
      const how = objection({ from, specifier: source.value, asType });
      if (how !== undefined) context.report({ node, messageId: 'boundary', data: { room: roomOf(from), specifier: source.value, how } });
    };
    return {
      ImportDeclaration: (node) => { check(node, node.source, node.importKind === 'type'); },
      ExportNamedDeclaration: (node) => { check(node, node.source, node.exportKind === 'type'); },
      ExportAllDeclaration: (node) => { check(node, node.source, node.exportKind === 'type'); },
      ImportExpression: (node) => { check(node, node.source, false); },
      TSImportType: (node) => { check(node, node.source, true); },
      CallExpression: (node) => { if (node.callee.type === 'Identifier' && node.callee.name === 'require') check(node, node.arguments[0], false); },
    };
  },
};

/** ESLint's own type of a plugin, which rules typed with the nodes of TypeScript do not fit. */
export default /** @type {import('eslint').ESLint.Plugin} */ (/** @type {unknown} */ ({ rules: { rooms: rule } }));
