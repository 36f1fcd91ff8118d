import path from 'node:path';
import ts from 'typescript';

/** What the compiler says of a project whose file `changed` has another text than on disk. */
export function typeErrors(tsconfig: string, changed: string, text: string): string[] {
  const { config } = ts.readConfigFile(tsconfig, ts.sys.readFile) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(tsconfig));
  const host = ts.createCompilerHost(options, true);
  const read = host.readFile.bind(host);
  const isChanged = (file: string) => path.resolve(file) === path.resolve(changed);
  host.readFile = file => (isChanged(file) ? text : read(file));
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (file, version, ...rest) =>
    isChanged(file) ? ts.createSourceFile(file, text, version, true) : getSourceFile(file, version, ...rest);
  const program = ts.createProgram(fileNames, options, host);
  return ts.getPreEmitDiagnostics(program).map(diagnostic => {
    const at = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    const place = diagnostic.file ? `${path.basename(diagnostic.file.fileName)}:${(at?.line ?? 0) + 1}: ` : '';
    return place + ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
  });
}
