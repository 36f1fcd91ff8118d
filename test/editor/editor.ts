import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inProject } from '../support/paths.js';
import type { UserProject } from '../support/user-project.js';
import { Wire } from './wire.js';

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Range {
  readonly start: Position;
  readonly end: Position;
}

interface Diagnostic {
  readonly range: Range;
  readonly severity: number;
  readonly source: string;
  readonly code: string;
  readonly message: string;
}

interface Action {
  readonly title: string;
  readonly kind: string;
  readonly command?: { readonly command: string; readonly arguments: readonly unknown[] };
  readonly edit?: { readonly documentChanges: readonly FileEdit[] };
}

interface FileEdit {
  readonly textDocument: { readonly uri: string };
  readonly edits: readonly { readonly range: Range; readonly newText: string }[];
}

/** What is underlined in a file: the rule, and the text under the line. */
export interface Squiggle {
  readonly rule: string;
  readonly text: string;
  readonly message: string;
  readonly diagnostic: Diagnostic;
}

/** An editor with the ESLint extension of VS Code, without a screen: its language server, and the files that are open. */
export class Editor {
  readonly #wire: Wire;
  readonly #folder: string;
  readonly #open = new Map<string, { text: string; version: number }>();
  /** What the server asked to have shown: popups, and the states of its files that are not `ok` (1). */
  readonly complaints: string[] = [];
  /** What else the server asked or told. */
  readonly requests: string[] = [];

  constructor(project: UserProject) {
    this.#folder = project.folder;
    this.#wire = new Wire(inProject('node_modules/vscode-langservers-extracted/bin/vscode-eslint-language-server'), project.folder, (method, params) => this.#answer(method, params));
  }

  async start(): Promise<this> {
    const folder = { name: basename(this.#folder), uri: pathToFileURL(this.#folder).href };
    await this.#wire.request('initialize', {
      processId: process.pid, rootUri: folder.uri, workspaceFolders: [folder],
      capabilities: {
        workspace: { configuration: true, applyEdit: true, workspaceEdit: { documentChanges: true }, workspaceFolders: true, diagnostics: { refreshSupport: true } },
        textDocument: { synchronization: {}, diagnostic: {}, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['', 'quickfix', 'source', 'source.fixAll.eslint'] } } } },
      },
    });
    this.#wire.notify('initialized', {});
    return this;
  }

  open(path: string, text: string): void {
    this.#open.set(path, { text, version: 1 });
    this.#wire.notify('textDocument/didOpen', { textDocument: { uri: this.#uri(path), languageId: 'typescript', version: 1, text } });
  }

  textOf(path: string): string {
    return this.#file(path).text;
  }

  /** Types: the file then has this text on the screen, and the old one on disk. */
  type(path: string, text: string): void {
    const file = this.#file(path);
    file.text = text;
    file.version += 1;
    this.#wire.notify('textDocument/didChange', { textDocument: { uri: this.#uri(path), version: file.version }, contentChanges: [{ text }] });
  }

  closeFile(path: string): void {
    this.#open.delete(path);
    this.#wire.notify('textDocument/didClose', { textDocument: { uri: this.#uri(path) } });
  }

  /** Asks what is to be underlined in an open file, as the editor does after each change of it. */
  async squiggles(path: string): Promise<Squiggle[]> {
    const { items } = await this.#wire.request('textDocument/diagnostic', { textDocument: { uri: this.#uri(path) }, identifier: 'eslint' }) as { items: Diagnostic[] };
    const { text } = this.#file(path);
    return items.map((diagnostic) => ({ rule: diagnostic.code, text: text.slice(offsetOf(text, diagnostic.range.start), offsetOf(text, diagnostic.range.end)), message: diagnostic.message, diagnostic }));
  }

  /** What the light bulb at a squiggle offers; `kinds` as the editor asks for them, on save or by hand. */
  async actions(path: string, { diagnostic }: Squiggle, kind = 'quickfix'): Promise<Action[]> {
    return await this.#wire.request('textDocument/codeAction', {
      textDocument: { uri: this.#uri(path) }, range: diagnostic.range, context: { diagnostics: [diagnostic], only: [kind], triggerKind: 1 },
    }) as Action[];
  }

  /** Chooses an offer; the server answers by asking the editor to change the text. */
  async apply(action: Action): Promise<void> {
    await this.#wire.request('workspace/executeCommand', { command: action.command?.command, arguments: action.command?.arguments });
  }

  close(): Promise<number | null> {
    return this.#wire.close();
  }

  kill(): void {
    this.#wire.kill();
  }

  #answer(method: string, params: unknown): unknown {
    this.requests.push(method);
    switch (method) {
      case 'workspace/configuration': return (params as { items: unknown[] }).items.map(() => this.#configuration());
      case 'workspace/applyEdit': return { applied: this.#applyEdits((params as { edit: { documentChanges: FileEdit[] } }).edit.documentChanges) };
      case 'eslint/confirmESLintExecution': return 4; // approved
      case 'eslint/status': {
        const { state } = params as { state: number };
        if (state !== 1) this.complaints.push(`state ${state}`);
        return undefined;
      }
      case 'window/showMessage': case 'window/showMessageRequest':
        this.complaints.push((params as { message: string }).message);
        return undefined;
      default: return undefined;
    }
  }

  /** What the extension sends for its defaults. */
  #configuration(): object {
    return {
      validate: 'on', packageManager: 'npm', useESLintClass: true, useFlatConfig: true, experimental: { useFlatConfig: false },
      codeActionOnSave: { mode: 'all' }, format: false, quiet: false, onIgnoredFiles: 'off', options: {}, rulesCustomizations: [], run: 'onType',
      problems: { shortenToSingleLine: false }, nodePath: null,
      workspaceFolder: { name: basename(this.#folder), uri: pathToFileURL(this.#folder).href },
      codeAction: { disableRuleComment: { enable: true, location: 'separateLine', commentStyle: 'line' }, showDocumentation: { enable: true } },
    };
  }

  #applyEdits(changes: readonly FileEdit[]): boolean {
    for (const { textDocument, edits } of changes) {
      const path = [...this.#open.keys()].find((one) => this.#uri(one) === textDocument.uri);
      if (path === undefined) return false;
      const before = this.textOf(path);
      const fromBehind = [...edits].sort((a, b) => offsetOf(before, b.range.start) - offsetOf(before, a.range.start));
      this.type(path, fromBehind.reduce((text, { range, newText }) => text.slice(0, offsetOf(before, range.start)) + newText + text.slice(offsetOf(before, range.end)), before));
    }
    return true;
  }

  #file(path: string): { text: string; version: number } {
    const file = this.#open.get(path);
    if (!file) throw new Error(`${path} is not open.`);
    return file;
  }

  #uri(path: string): string {
    return pathToFileURL(join(this.#folder, path)).href;
  }
}

function offsetOf(text: string, { line, character }: Position): number {
  return text.split('\n').slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
}
