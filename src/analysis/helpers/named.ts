import type { Specifier } from '../../drivers/index.js';
import { packageAround, type TypeName } from '../../types/index.js';

/** Whether one of the names that something goes by is one that the settings have. */
export const isNamed = (named: Specifier, names: readonly TypeName[]): boolean => names.some((one) => named.names.includes(one.name) && isFrom(named, one));

function isFrom({ from, path, package: wanted }: Specifier, one: TypeName): boolean {
  if (from === undefined) return true;
  switch (from) {
    case 'lib':
      return one.package === 'typescript';
    case 'package':
      return one.package === wanted || (one.package === undefined && one.isImport !== true && packageAround(one.file) === wanted);
    case 'file':
      return one.package === undefined && (path === undefined || isAt(path, one));
  }
}

/** Whether a file is the one that a path leads to: paths of settings begin in a folder that is not told. */
function isAt(path: string, { file, isImport = false }: TypeName): boolean {
  const [wanted, found] = [plain(path), plain(file)];
  return found === wanted || found.endsWith(`/${wanted}`) || (isImport && wanted.endsWith(`/${found}`));
}

const plain = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.{1,2}\/)+/, '').replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
