import { parse, simpleTraverse } from '@typescript-eslint/typescript-estree';

/**
 * Writes locks into a real file, so that the whole analysis runs over code that it was not made for: its functions take and free locks,
 * and its own expressions are the handles, the SQL and the keys. No line is added. Everything that is written is remembered, since
 * nothing outside of it may be reported.
 */

/** @typedef {import('@typescript-eslint/typescript-estree').TSESTree.Node} Node */
/** @typedef {{ readonly at: number, readonly text: string }} Piece */

/** Functions of one file that get locks: enough for each form of them. */
const MOST_FUNCTIONS = 14;
const PREAMBLE = { module: "import { Pool as LockPool } from 'pg';const lockPool = new LockPool();", script: "const { Pool: LockPool } = require('pg');const lockPool = new LockPool();" };

/**
 * @param {string} text
 * @param {string} file
 * @returns {{ readonly text: string, readonly ranges: readonly (readonly [number, number])[] } | undefined} `undefined` where the parser refuses the text.
 */
export function withLocks(text, file) {
  let tree;
  try {
    tree = parse(text, { filePath: file, range: true, jsx: !/\.[cm]?ts$/.test(file) });
  } catch {
    return undefined;
  }
  /** @type {FunctionNode[]} */
  const functions = [];
  simpleTraverse(tree, { enter: (node) => {
    if (isFunction(node)) functions.push(node);
  } }, true);
  const isModule = tree.body.some(({ type }) => /^(?:Import|Export)/.test(type));
  const step = Math.max(1, functions.length / MOST_FUNCTIONS);
  const chosen = Array.from({ length: Math.min(MOST_FUNCTIONS, functions.length) }, (_, index) => functions[Math.floor(index * step)]);
  const first = tree.body.find((one) => !isDirective(one));
  const pieces = [
    { at: first ? startOf(first) : text.length, text: `;${isModule ? PREAMBLE.module : PREAMBLE.script}` },
    ...chosen.flatMap((node, index) => (node ? piecesFor(node, index, text) : [])),
    { at: text.length, text: `\n;${ofDeclarations(tree)}lockPool.query('SELECT pg_advisory_lock(1)');` },
  ];
  return written(text, pieces);
}

/** @typedef {Extract<Node, { readonly params: unknown[], readonly body: { readonly type: 'BlockStatement' } | object }> & { readonly body: import('@typescript-eslint/typescript-estree').TSESTree.BlockStatement, readonly async: boolean, readonly params: readonly Node[] }} FunctionNode */

/** @param {Node} node @returns {node is FunctionNode} */
function isFunction(node) {
  const { body } = /** @type {{ readonly body?: { readonly type?: string } }} */ (/** @type {unknown} */ (node));
  return 'params' in node && /Function/.test(node.type) && body?.type === 'BlockStatement';
}

const isDirective = (/** @type {Node} */ node) => node.type === 'ExpressionStatement' && 'directive' in node && node.directive !== undefined;

/** Decorators stand before a class that is exported, and belong to it. @param {Node} node */
function startOf(node) {
  const inner = 'declaration' in node ? /** @type {Node | null} */ (node.declaration) : undefined;
  const decorators = [node, inner].flatMap((one) => (one && 'decorators' in one ? /** @type {Node[]} */ (one.decorators) : []));
  return Math.min(node.range[0], ...decorators.map(({ range }) => range[0]));
}

const FORMS = 9;

/** @param {FunctionNode} node @param {number} index @param {string} text @returns {Piece[]} */
function piecesFor(node, index, text) {
  const statements = node.body.body.filter((one) => !isDirective(one));
  const start = statements[0] ? startOf(statements[0]) : node.body.range[1] - 1;
  const middle = statements[Math.floor(statements.length / 2)];
  const end = node.body.range[1] - 1;
  const wait = node.async ? 'await ' : '';
  const [handle = 'lockPool', sql = "''", key = '7'] = expressionsIn(node, text, index);
  const [parameter = 'lockPool'] = node.params.flatMap((one) => (one.type === 'Identifier' ? [one.name] : []));
  const lock = `'SELECT pg_advisory_lock(${index})'`;
  const unlock = `'SELECT pg_advisory_unlock(${index})'`;
  const at = middle ? startOf(middle) : end;
  switch (index % FORMS) {
    case 0: return [{ at: start, text: `;const lockClient = ${wait}lockPool.connect();${wait}lockClient.query(${lock});` }, { at: end, text: `;${wait}lockClient.query(${unlock});lockClient.release();` }];
    case 1: return [{ at: start, text: `;${wait}lockPool.query('SELECT pg_advisory_lock($1)', [${key}]);` }, { at: end, text: `;${wait}lockPool.query('SELECT pg_advisory_unlock($1)', [${key}]);` }];
    case 2: return [{ at: start, text: `;${wait}${parameter}.query(${lock});` }, { at: end, text: `;${wait}${parameter}.query(${unlock});` }];
    case 3: return [{ at, text: `;${wait}(${handle}).query(\`SELECT pg_try_advisory_lock(\${${key}})\`);` }];
    case 4: return [{ at, text: `;if (!(${wait}(${handle}).query('SELECT pg_try_advisory_lock(4) AS won')).rows[0].won) return;` }, { at: end, text: `;${wait}(${handle}).query('SELECT pg_advisory_unlock(4)');` }];
    case 5: return [{ at, text: `;${wait}lockPool.query(${sql} + ' pg_advisory_xact_lock(5) ' + ${parameter});` }];
    case 6: return [{ at: start, text: `;${wait}(${handle}).transaction(async (tx) => { await tx.query(${lock}); await (${handle})(); });` }];
    case 7: return [{ at: start, text: `;const lockClient = ${wait}lockPool.connect();` }, { at, text: `;${wait}lockClient.query(${lock});` }, { at: end, text: ';lockClient.release(true);' }];
    default: return [{ at: start, text: `;${wait}(${sql}).query(${lock}).then(() => ${handle}).finally(() => (${sql}).query(${unlock}));` }];
  }
}

/** Some of a function's own expressions, short ones that can stand anywhere in it. @param {FunctionNode} node @param {string} text @param {number} seed */
function expressionsIn(node, text, seed) {
  /** @type {string[]} */
  const found = [];
  simpleTraverse(node.body, { enter: (one) => {
    const isWanted = one.type === 'CallExpression' || one.type === 'MemberExpression' || one.type === 'NewExpression' || one.type === 'ConditionalExpression' || one.type === 'TemplateLiteral' || one.type === 'LogicalExpression' || one.type === 'ObjectExpression';
    const own = isWanted ? text.slice(...one.range) : '';
    if (own !== '' && own.length < 120 && !/\b(?:await|yield|super|arguments)\b|[#\n{]|\/\//.test(own)) found.push(own);
  } });
  const step = Math.max(1, Math.floor(found.length / 3));
  return [0, 1, 2].flatMap((one) => found[(one * step + seed) % Math.max(1, found.length)] ?? []);
}

/** A function whose parameters have the types that a file declares. @param {Node} tree */
function ofDeclarations(tree) {
  const body = /** @type {readonly Node[]} */ ('body' in tree && Array.isArray(tree.body) ? tree.body : []);
  const named = body.map((one) => (one.type === 'ExportNamedDeclaration' || one.type === 'ExportDefaultDeclaration' ? one.declaration : one)).filter((one) => one?.type === 'ClassDeclaration' || one?.type === 'TSInterfaceDeclaration' || one?.type === 'TSTypeAliasDeclaration');
  const types = named.flatMap((one) => {
    const { id, typeParameters } = /** @type {{ id: { name: string } | null, typeParameters?: { params: unknown[] } }} */ (/** @type {unknown} */ (one));
    return id ? [{ name: `${id.name}${typeParameters ? `<${typeParameters.params.map(() => 'any').join(', ')}>` : ''}`, member: memberOf(one) }] : [];
  }).slice(0, 12);
  const isTyped = named.some((one) => one.type !== 'ClassDeclaration');
  if (types.length === 0 || !isTyped) return '';
  return `async function lockAll(${types.map(({ name }, index) => `lock${index}: ${name}`).join(', ')}) { ${types.map(({ member }, index) => `await lock${index}.query('SELECT pg_advisory_lock(${index})');await lock${index}${member}.query('SELECT pg_advisory_unlock(${index})');`).join('')} }`;
}

/** @param {Node | null | undefined} declaration */
function memberOf(declaration) {
  const { body, typeAnnotation } = /** @type {{ body?: { body?: readonly Node[] }, typeAnnotation?: { members?: readonly Node[] } }} */ (/** @type {unknown} */ (declaration));
  for (const one of body?.body ?? typeAnnotation?.members ?? []) {
    if (!('key' in one) || one.key.type !== 'Identifier' || ('computed' in one && one.computed)) continue;
    return `.${one.key.name}${one.type.includes('Method') ? '()' : ''}`;
  }
  return '';
}

/** @param {string} text @param {readonly Piece[]} pieces */
function written(text, pieces) {
  /** @type {[number, number][]} */
  const ranges = [];
  let [done, result] = [0, ''];
  for (const { at, text: piece } of pieces.toSorted((one, other) => one.at - other.at)) {
    result += text.slice(done, at);
    ranges.push([result.length, result.length + piece.length]);
    result += piece;
    done = at;
  }
  return { text: result + text.slice(done), ranges };
}
