/** `declare global { … }` and `declare module 'x' { … }`, on one line or up to a brace that begins a line. */
const AUGMENTATION = /^[^\S\n]*declare\s+(?:global|module\s+['"][^'"\n]+['"])\s*\{(?:([^\n]*)\}[^\S\n]*;?[^\S\n]*$|([^]*?)^\})/gm;
const MODULE = /^\s*(?:import|export)\b|\brequire\s*\(|\bexports\b/m;
const DECLARED = /\b(?:var|let|const|function|class|interface|type|enum|namespace)\s+([\w$]+)|^\s*(?:readonly\s+)?([\w$]+)\s*\??\s*[:(]/gm;

/**
 * The names that a file declares for files that do not import it: in augmentations, or all of a script. What every file has (`Error`)
 * is not among them, only what is added to it.
 */
export function namesLentBy(text: string): string[] {
  const bodies = text.includes('declare') ? [...text.matchAll(AUGMENTATION)].map(([, short, long]) => short ?? long ?? '') : [];
  if (!MODULE.test(text)) bodies.push(text);
  const names = bodies.flatMap((body) => [...body.matchAll(DECLARED)].map(([, declared, member]) => declared ?? member ?? ''));
  return [...new Set(names)].filter((name) => !(name in globalThis));
}
