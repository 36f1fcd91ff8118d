import type { TSESTree } from '@typescript-eslint/utils';
import type { SourceCode } from '@typescript-eslint/utils/ts-eslint';
import type { SqlCall } from '../analysis/model.js';
import { variableOf } from '../analysis/names.js';
import type { TypeFacts, Types } from '../analysis/regions.js';
import { is, isMember, memberName, staticName } from '../analysis/syntax.js';
import type { Driver, Fragment } from '../drivers/index.js';
import type { Draft } from './draft.js';
import { Spans } from './spans.js';
import { fill, type Sending, type Target } from './target.js';
import { linesOf, surround, type Line } from './text.js';

/** Statements of a library that works through another one, written as statements of the library below. */
export class Lowering {
  private readonly spans: Spans;

  constructor(private readonly sourceCode: Readonly<SourceCode>, private readonly draft: Draft, private readonly types: Types | undefined) {
    this.spans = new Spans(sourceCode);
  }

  lower({ handle, argument, node }: SqlCall, sending: Sending, driver: Driver, { driver: below, connection }: Target, row: string | undefined): boolean {
    // What is chained on the call belongs to the library.
    if (!argument || !is(sending, 'CallExpression') || node !== sending || sending.arguments.length !== 1 || argument !== sending.arguments[0]) return false;
    const own = sending.typeArguments?.params[0];
    const rowOfOwn = own && (is(own, 'TSTypeLiteral') || is(own, 'TSTypeReference') ? this.draft.text.of(own) : `(${this.draft.text.of(own)})`);
    const type = rowOfOwn === undefined ? row : fill(below.templates.rows, { row: rowOfOwn });
    const sent = this.sent(argument, driver, below.templates.tagged, below.templates.text);
    if (!sent) return false;
    const filled = fill(sent.template, { connection, type: type === undefined ? '' : `<${type}>` });
    const [before = '', after = ''] = filled.split(/\{(?:template|text)\}/);
    this.draft.replace([this.spans.withParentheses(handle)[0], sending.range[1]], surround(before, sent.lines, after + this.remarks(sending, sent.kept)));
    return true;
  }

  /** The comments around the SQL, which lose their place with the parentheses of the call. */
  private remarks(sending: TSESTree.CallExpression, kept: TSESTree.Node): string {
    const lost = this.sourceCode.getCommentsInside(sending).filter(({ range }) => range[0] < kept.range[0] || range[1] > kept.range[1]);
    return lost.map((one) => ` /*${one.value.trimEnd()} */`).join('');
  }

  private sent(argument: TSESTree.Node, driver: Driver, tagged: string | undefined, text: string): { template: string; kept: TSESTree.Node; lines: Line[] } | undefined {
    if (is(argument, 'TaggedTemplateExpression')) {
      if (tagged === undefined || this.makes(argument.tag, driver) !== 'tag') return undefined;
      return this.hasPlainHoles(argument.quasi) ? { template: tagged, kept: argument.quasi, lines: this.draft.cut(argument.quasi.range) } : undefined;
    }
    if (is(argument, 'CallExpression')) {
      const [first, ...more] = argument.arguments;
      const isRaw = this.makes(argument.callee, driver) === 'raw' && first && more.length === 0;
      if (isRaw) return { template: text, kept: first, lines: this.draft.cut(first.range) };
    }
    return this.isText(argument) ? { template: text, kept: argument, lines: this.draft.cut(argument.range) } : undefined;
  }

  private isText(node: TSESTree.Node): boolean {
    if ((is(node, 'Literal') && typeof node.value === 'string') || is(node, 'TemplateLiteral')) return true;
    return this.kindOf(this.types?.typeOf(node)) === 'string';
  }

  /** What an imported tag or function of the library makes. */
  private makes(expression: TSESTree.Node, driver: Driver): Fragment['makes'] | undefined {
    const path: string[] = [];
    let at = expression;
    for (; isMember(at); at = at.object) path.unshift(memberName(at) ?? '');
    const specifier = is(at, 'Identifier') ? variableOf(at)?.defs[0]?.node as TSESTree.Node | undefined : undefined;
    if (!is(specifier, 'ImportSpecifier') || !is(specifier.parent, 'ImportDeclaration')) return undefined;
    const name = staticName(specifier.imported, false);
    const module = specifier.parent.source.value;
    return driver.fragments.find((one) => one.name === name && one.modules.includes(module) && one.path.join('.') === path.join('.'))?.makes;
  }

  /** Only values that the library below binds too. A bigint is sent as its digits: the tag's type takes none. */
  private hasPlainHoles({ expressions }: TSESTree.TemplateLiteral): boolean {
    const kinds = expressions.map((one) => this.kindOf(this.types?.typeOf(one)) ?? (this.isPlainInJavaScript(one) ? 'other' : undefined));
    if (kinds.includes(undefined)) return false;
    expressions.forEach((one, index) => {
      if (kinds[index] === 'bigint') this.draft.replace(one.range, linesOf(`String(${this.draft.text.of(one)})`));
    });
    return true;
  }

  /** Without types: a constant, or a name that is not made by the library. */
  private isPlainInJavaScript(node: TSESTree.Node): boolean {
    const facts = this.types?.typeOf(node);
    if (facts && (!facts.isAny || !/\.[cm]?jsx?$/.test(this.types!.tree.fileName))) return false;
    if (is(node, 'Literal')) return node.value !== null;
    const definition = is(node, 'Identifier') ? variableOf(node)?.defs[0] : undefined;
    if (!definition) return false;
    const made = definition.node as TSESTree.Node;
    return !is(made, 'VariableDeclarator') || (!is(made.init, 'TaggedTemplateExpression') && !is(made.init, 'CallExpression'));
  }

  private kindOf(facts: TypeFacts | undefined): 'string' | 'bigint' | 'other' | undefined {
    if (!facts || facts.isAny || facts.nullable) return undefined;
    if (facts.alternatives.length > 1) {
      const kinds = new Set(facts.alternatives.map((one) => this.kindOf(one)));
      return kinds.size === 1 ? [...kinds][0] : kinds.has(undefined) || kinds.has('bigint') ? undefined : 'other';
    }
    if (facts.isNumeric) return facts.property('toFixed') ? 'other' : 'bigint';
    if (typeof facts.literal === 'boolean') return 'other';
    return facts.property('toUpperCase') ? 'string' : undefined;
  }
}
