export { findLockFunction, findUnlockFunction, lockFunctions, takesArguments } from './catalogue.js';
export type * from './model.js';
export { readSql } from './reader.js';
