import type { Connection, ConnectionKind } from '../model.js';

/** Whether a handle stands for one session. */

const PINNED = new Set<ConnectionKind>(['reserved', 'transaction', 'single']);
export const isPinned = (connection: Connection): boolean => PINNED.has(connection.kind);
export const isWithoutSession = (connection: Connection): boolean => connection.kind === 'pooled' || connection.kind === 'stateless';
