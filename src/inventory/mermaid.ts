import type { Inventory } from './model.js';
import { pictureOf } from './picture.js';

/** A flowchart for Mermaid, which GitHub shows in a block of Markdown: a function, an arrow that names the connection, a key. */
export function mermaid(inventory: Inventory): string {
  const { files, keys } = pictureOf(inventory);
  const lines = ['flowchart LR'];
  const arrows: string[] = [];
  let functions = 0;
  files.forEach((file, index) => {
    lines.push(`  subgraph file${index}["${escaped(file.name)}"]`);
    for (const { name, takes } of file.functions) {
      const id = `function${functions++}`;
      lines.push(`    ${id}["${escaped(name)}"]`);
      for (const { key, connection, handle, how, isFound, isInTransaction } of takes) {
        const isLoose = !isInTransaction && (connection === 'pooled' || connection === 'stateless');
        arrows.push(`  ${id} ${isLoose ? '-.->' : '-->'}|"${escaped(`${how}: ${handle} (${connection})${isFound ? ' !' : ''}`)}"| key${key}`);
      }
    }
    lines.push('  end');
  });
  keys.forEach(({ text, isShared }, index) => lines.push(`  key${index}(["${escaped(text)}"])${isShared ? ':::shared' : ''}`));
  if (keys.some(({ isShared }) => isShared)) arrows.push('  classDef shared stroke-width:3px');
  return [...lines, ...arrows].join('\n');
}

/** Entities as Mermaid writes them, for all that has a meaning to it. */
const escaped = (text: string): string => text.replace(/\s+/g, ' ').replace(/[^\w .,:;/()$@-]/gu, (one) => `#${one.codePointAt(0) ?? 0};`);
