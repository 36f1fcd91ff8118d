import path from 'node:path';
import * as parser from '@typescript-eslint/parser';
import { ESLint, type Linter } from 'eslint';
import { inProject } from '../support/paths.js';
import { ourPlugin } from '../support/plugin.js';
import type { Lint } from './apply-suggestions.js';

const folder = inProject('fixtures/server');

const config: Linter.Config[] = [
  { files: ['**/*.ts'], languageOptions: { parser, parserOptions: { projectService: true, tsconfigRootDir: folder } } },
  ...[(ourPlugin.configs ?? {})['recommended'] ?? []].flat() as Linter.Config[],
];

const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: config });

/** Lints with types and the recommended rules, as a user's project would. */
export function lintFixture(file: string): Lint {
  return async text => (await eslint.lintText(text, { filePath: path.join(folder, file) })).flatMap(({ messages }) => messages);
}
