import path from 'node:path';
import ts from 'typescript';

/** What the compiler says of a project, with other texts for some of its files than those on disk. */
export function typeErrors(tsconfig: string, changed: ReadonlyMap<string, string> = new Map()): string[] {
  const { config } = ts.readConfigFile(tsconfig, ts.sys.readFile) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(tsconfig));
  const host = ts.createCompilerHost(options, true);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, version, ...rest) => {
    const text = changed.get(path.resolve(file));
    return text === undefined ? getSourceFile(file, version, ...rest) : ts.createSourceFile(file, text, version, true);
  };
  return ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options, host)).map(format);
}

function format({ file, start, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, '\n');
  if (!file) return text;
  return `${path.basename(file.fileName)}:${file.getLineAndCharacterOfPosition(start ?? 0).line + 1}: ${text}`;
}
