import type { TSESTree } from '@typescript-eslint/utils';
import type { LockAnswer } from '../../sql/model.js';
import type { ResultShape } from '../model.js';
import type { FunctionNode } from '../syntax.js';
import type { Scopes } from '../values/scopes.js';
import type { Holding } from './value.js';

export interface AnswerQuestion {
  /** The call that sends the SQL; its value is the promise or thenable of the result. */
  readonly call: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression;
  readonly shape: ResultShape;
  /**
   * What the call gives at the place of the rows where that is not an array of them: the row itself (`one()`), its boolean
   * (`oneFirst()`, the `data` of `rpc()`), a row count (`$executeRaw`).
   */
  readonly holds?: Holding | undefined;
  /** Properties of the result that say nothing of the answer: `command`, `error`. Any other unknown one counts as a reading. */
  readonly silent?: readonly string[] | undefined;
  /** The parameter of a Node-style callback that receives the result, instead of a promise. */
  readonly callback: TSESTree.Parameter | undefined;
  /** The result goes to a callback that is not in view: whoever wrote that may read it. */
  readonly handedOn?: boolean | undefined;
  readonly column: LockAnswer;
  /** Names of the statement's other output columns; `undefined` where they are not all known. */
  readonly otherColumns?: readonly string[] | undefined;
  readonly scopes: Scopes;
  /** Whether the declared result of a function says `void` or `Promise<void>`. */
  returnsVoid(functionNode: TSESTree.Node): boolean;
  /** The function that a call of this expression reaches, if it is in view. */
  bodyOf?(callee: TSESTree.Expression): TSESTree.Node | undefined;
  /** The calls in view of a function that gives the answer back; where they are not asked for, whoever calls it may read it. */
  callsOf?(functionNode: FunctionNode): readonly TSESTree.Node[];
}
