import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { inProject } from '../../support/paths.js';
import { ourPlugin } from '../../support/plugin.js';

/** The README's first example, in a project of its own. */
export interface Example {
  readonly file: string;
  readonly code: string;
  /** What `npx eslint .` prints there, with colours; paths as from the top of the project. */
  readonly report: string;
  readonly messages: readonly Linter.LintMessage[];
  /** What ESLint says of other text in the same file. */
  lint(text: string): Promise<readonly Linter.LintMessage[]>;
  remove(): void;
}

const file = 'src/nightly.ts';
const compilerOptions = { strict: true, target: 'es2023', module: 'nodenext', types: ['node'], skipLibCheck: true };

export function firstExample(): string {
  const code = /^```ts\n([^]*?)^```$/m.exec(readFileSync(inProject('README.md'), 'utf8'))?.[1];
  if (code === undefined) throw new Error('README.md has no block of TypeScript.');
  return code;
}

export async function lintExample(): Promise<Example> {
  const code = firstExample();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pictures-')));
  const filePath = join(folder, file);
  mkdirSync(dirname(filePath));
  writeFileSync(filePath, code);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  symlinkSync(inProject('node_modules'), join(folder, 'node_modules'), 'junction');
  const typed = { languageOptions: { parser: tseslint.parser as Linter.Parser, parserOptions: { projectService: true, tsconfigRootDir: folder } } };
  const { recommended } = ourPlugin.configs as Record<string, Linter.Config>;
  const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: [{ files: ['**/*.ts'], ...typed }, recommended ?? {}] });
  const results = await eslint.lintFiles(['src']);
  // By its path: a package of the same name, which a dependency may bring, would come before ESLint's own.
  const stylish = await eslint.loadFormatter(inProject('node_modules/eslint/lib/cli-engine/formatters/stylish.js'));
  const report = await stylish.format(results, { color: true });
  return {
    file,
    code,
    report: report.replaceAll(`${folder}/`, ''),
    messages: results.flatMap(({ messages }) => messages),
    lint: async (text) => (await eslint.lintText(text, { filePath })).flatMap(({ messages }) => messages),
    remove: () => { rmSync(folder, { recursive: true, force: true }); },
  };
}
