import { Linter } from 'eslint';
import * as parser from '@typescript-eslint/parser';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/paths.js';
import rooms from './rooms.mjs';

function reportsOn(path: string, code: string): string[] {
  const config: Linter.Config = { files: ['**/*.ts'], plugins: { house: rooms }, languageOptions: { parser: parser }, rules: { 'house/rooms': 'error' } };
  return new Linter({ cwd: projectRoot }).verify(code, [config], { filename: `${projectRoot}/${path}` }).map(({ message }) => message);
}

test.each([
  ['src/sql/read/deep.ts', "import { a } from '../model.js';"],
  ['src/drivers/pg.ts', "import type { LockCall } from '../sql/model.js';"],
  ['src/types/x.ts', "import ts from 'typescript'; import type { TSESTree } from '@typescript-eslint/utils';"],
  ['src/analysis/answers/x.ts', "import { a } from '../../sql/read.js'; import { b } from '../../drivers/index.js'; import { c } from '../../types/index.js';"],
  ['src/analysis/x.ts', "import type { TSESTree } from '@typescript-eslint/utils'; import type * as E from '@typescript-eslint/utils/ts-eslint';"],
  ['src/rewrites/x.ts', "import { a } from '../drivers/index.js'; import type { B } from '../analysis/model.js';"],
  ['rules/a.ts', "import { a } from '../src/analysis/index.js'; import { b } from '../src/rewrites/index.js';"],
  ['rules/a.ts', "import { createRule } from '../src/rule.js';"],
  ['src/rule.ts', "import { factsOf } from './analysis/facts.js';"],
  ['src/index.ts', "import { rules } from '../rules/index.js';"],
  ['src/inventory/x.ts', "import { compareKeys } from '../analysis/keys.js'; import type { TSESTree } from '@typescript-eslint/utils';"],
  ['src/cli/x.ts', "import plugin from '../index.js'; import { mentionsLocks } from '../types/index.js'; import { svg } from '../inventory/svg.js'; import { ESLint } from 'eslint';"],
  ['test/any.test.ts', "import ts from 'typescript'; import { a } from '../src/types/index.js';"],
])('%s may say %s', (path, code) => {
  expect(reportsOn(path, code)).toEqual([]);
});

test.each([
  ['src/sql/x.ts', "import ts from 'typescript';"],
  ['src/sql/x.ts', "import type { TSESTree } from '@typescript-eslint/utils';"],
  ['src/sql/x.ts', "import type { Where } from '../analysis/model.js';"],
  ['src/drivers/x.ts', "import { read } from '../sql/read.js';"],
  ['src/drivers/x.ts', "import { read, type LockCall } from '../sql/read.js';"],
  ['src/drivers/x.ts', "import type { Types } from '../types/index.js';"],
  ['src/drivers/x.ts', "import type { TSESTree } from '@typescript-eslint/utils';"],
  ['src/types/x.ts', "import { drivers } from '../drivers/index.js';"],
  ['src/types/x.ts', "import { ESLintUtils } from '@typescript-eslint/utils';"],
  ['src/analysis/x.ts', "import type ts from 'typescript';"],
  ['src/analysis/x.ts', "import { AST_NODE_TYPES } from '@typescript-eslint/utils';"],
  ['src/analysis/x.ts', "import { edit } from '../rewrites/index.js';"],
  ['src/analysis/x.ts', "export { parse } from '@typescript-eslint/typescript-estree';"],
  ['src/analysis/x.ts', "export const load = () => import('typescript');"],
  ['src/analysis/x.ts', "const ts = require('typescript');"],
  ['src/analysis/x.ts', "export type Node = import('typescript').Node;"],
  ['src/rewrites/x.ts', "import { types } from '../types/index.js';"],
  ['src/rewrites/x.ts', "export * from '../../rules/a.js';"],
  ['rules/a.ts', "import { types } from '../src/types/index.js';"],
  ['rules/a.ts', "import { drivers } from '../src/drivers/index.js';"],
  ['rules/a.ts', "import type ts from 'typescript';"],
  ['rules/a.ts', "import plugin from '../src/index.js';"],
  ['src/rule.ts', "import { types } from './types/index.js';"],
  ['src/inventory/x.ts', "import { drivers } from '../drivers/index.js';"],
  ['src/inventory/x.ts', "import { main } from '../cli/main.js';"],
  ['src/cli/x.ts', "import { drivers } from '../drivers/index.js';"],
  ['src/cli/x.ts', "import ts from 'typescript';"],
  ['src/index.ts', "import { main } from './cli/main.js';"],
])('%s may not say %s', (path, code) => {
  expect(reportsOn(path, code)).toHaveLength(1);
});
