import type { TSESTree } from '@typescript-eslint/utils';
import type { SqlCall } from '../analysis/model.js';
import { variableOf } from '../analysis/values/names.js';
import type { Source, TypeFacts, Types } from '../analysis/regions.js';
import { is, isMember, memberName, staticName } from '../analysis/syntax.js';
import type { Driver, Fragment } from '../drivers/index.js';
import type { Draft } from './draft.js';
import { Spans } from './spans.js';
import { fill, type Sending, type Target } from './target.js';
import { linesOf, surround, type Line } from './text.js';

/** How a statement is sent below, and the SQL of it. */
interface Sent {
  readonly template: string;
  readonly kept: TSESTree.Node;
  readonly lines: readonly Line[];
}

/** Statements of a library that works through another one, written as statements of the library below. */
export class Lowering {
  private readonly spans: Spans;

  constructor(private readonly sourceCode: Source, private readonly draft: Draft, private readonly types: Types | undefined) {
    this.spans = new Spans(sourceCode);
  }

  lower({ handle, argument, node }: SqlCall, sending: Sending, driver: Driver, { driver: below, connection }: Target, row: string | undefined): boolean {
    // What is chained on the call belongs to the library.
    if (!argument || !is(sending, 'CallExpression') || node !== sending || sending.arguments.length !== 1 || argument !== sending.arguments[0]) return false;
    const own = sending.typeArguments?.params[0];
    const rowOfOwn = own && (is(own, 'TSTypeLiteral') || is(own, 'TSTypeReference') ? this.draft.text.of(own) : `(${this.draft.text.of(own)})`);
    const type = rowOfOwn === undefined || below.rowsType === undefined ? row : fill(below.rowsType, { row: rowOfOwn });
    if (below.templates.text === undefined) return false;
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

  private sent(argument: TSESTree.Node, driver: Driver, tagged: string | undefined, text: string): Sent | undefined {
    if (is(argument, 'TaggedTemplateExpression')) return this.templateSent(argument, driver, tagged, text);
    const raw = this.argumentOf(argument, driver, 'raw');
    if (raw) return { template: text, kept: raw, lines: this.draft.cut(raw.range) };
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

  /** Values are bound as before, and pieces of SQL become a part of the text; text alone can be sent without a tag. */
  private templateSent(argument: TSESTree.TaggedTemplateExpression, driver: Driver, tagged: string | undefined, text: string): Sent | undefined {
    if (this.makes(argument.tag, driver) !== 'tag') return undefined;
    const { expressions } = argument.quasi;
    const isText = expressions.length > 0 && expressions.every((one) => this.rawIn(one, driver) !== undefined);
    const isFilled = isText ? expressions.every((one) => this.replaceHole(one, this.rawIn(one, driver)!)) : expressions.every((one) => this.inline(one, driver));
    const template = isText ? text : tagged;
    return isFilled && template !== undefined ? { template, kept: argument.quasi, lines: this.draft.cut(argument.quasi.range) } : undefined;
  }

  /** Makes a hole one of the library below: a value stays, constant SQL and nested pieces go into the text around. */
  private inline(hole: TSESTree.Expression, driver: Driver): boolean {
    const raw = this.rawIn(hole, driver);
    if (is(raw, 'Literal') && typeof raw.value === 'string' && !/[`\\$]/.test(raw.value)) return this.replaceAround(hole, raw.value);
    if (is(hole, 'TaggedTemplateExpression') && this.makes(hole.tag, driver) === 'tag') {
      if (!hole.quasi.expressions.every((one) => this.inline(one, driver))) return false;
      const [start, end] = hole.quasi.range;
      return this.replaceAround(hole, this.draft.cut([start + 1, end - 1]));
    }
    const bound = this.argumentOf(hole, driver, 'value') ?? hole;
    const kind = this.kindOf(this.types?.typeOf(bound)) ?? (this.isPlainInJavaScript(bound) ? 'other' : undefined);
    if (kind === undefined) return false;
    // The type of the tag takes no bigint; its digits are as good.
    const value = this.draft.text.of(bound);
    if (kind === 'bigint' || bound !== hole) this.draft.replace(hole.range, linesOf(kind === 'bigint' ? `String(${value})` : value));
    return true;
  }

  private rawIn(hole: TSESTree.Expression, driver: Driver): TSESTree.Node | undefined {
    return this.argumentOf(hole, driver, 'raw');
  }

  /** The one argument of a function of the library that makes such a piece. */
  private argumentOf(node: TSESTree.Node, driver: Driver, makes: Fragment['makes']): TSESTree.Node | undefined {
    const [only, ...more] = is(node, 'CallExpression') && this.makes(node.callee, driver) === makes ? node.arguments : [];
    return more.length === 0 ? only : undefined;
  }

  private replaceHole(hole: TSESTree.Expression, by: TSESTree.Node): boolean {
    this.draft.replace(hole.range, this.draft.cut(by.range));
    return true;
  }

  /** Puts text in the place of a hole and its braces. */
  private replaceAround(hole: TSESTree.Expression, by: string | readonly Line[]): boolean {
    const { text } = this.sourceCode;
    const start = text.lastIndexOf('${', hole.range[0]);
    const end = text.indexOf('}', hole.range[1]) + 1;
    this.draft.replace([start, end], typeof by === 'string' ? linesOf(by) : by);
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
