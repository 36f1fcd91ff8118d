import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inProject } from '../support/paths.js';
import { type Example, lintExample } from './pictures/example.js';
import { fixPicture } from './pictures/fix.js';
import { reportPicture } from './pictures/report.js';
import { type Picture, escape, width } from './pictures/svg.js';
import { observe, timelinePicture } from './pictures/timeline.js';

/** `npm run pictures` writes the files instead of comparing them. */
const isBlessing = process.env['MODE'] === 'bless';

let example: Example;
beforeAll(async () => { example = await lintExample(); });
afterAll(() => { example.remove(); });

const pictures: [name: string, draw: () => Promise<Picture>][] = [
  ['timeline', async () => timelinePicture(await observe())],
  ['report', async () => reportPicture(example)],
  ['fix', async () => fixPicture(example)],
];

test.each(pictures)('%s.svg shows what really happens, and the README says it in words', async (name, draw) => {
  const { svg, words } = await draw();
  const path = `docs/pictures/${name}.svg`;
  if (isBlessing) writeFileSync(inProject(path), svg);
  expect(existsSync(inProject(path)) ? readFileSync(inProject(path), 'utf8') : '').toBe(svg);
  const readme = readFileSync(inProject('README.md'), 'utf8');
  const image = `<img src="${path}" width="${String(width)}" alt="${escape(words)}">`;
  if (isBlessing) writeFileSync(inProject('README.md'), readme.replace(new RegExp(`<img src="${path}"[^>]*>`), () => image));
  expect(readFileSync(inProject('README.md'), 'utf8')).toContain(image);
});

test('the report in the README is what ESLint prints', () => {
  const readme = readFileSync(inProject('README.md'), 'utf8');
  const block = /^```text\n(src\/nightly\.ts\n[^]*?)^```$/m;
  const expected = `${reportPicture(example).lines.join('\n')}\n`;
  if (isBlessing) writeFileSync(inProject('README.md'), readme.replace(block, () => `\`\`\`text\n${expected}\`\`\``));
  expect(block.exec(readFileSync(inProject('README.md'), 'utf8'))?.[1]).toBe(expected);
});
