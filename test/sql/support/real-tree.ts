/** The tree of PostgreSQL's parser: objects with one key, the type, around the fields; what is zero or empty is left out. */
export type Tree = Readonly<Record<string, unknown>>;

/** The type of a node, and its fields. */
export function only(node: Tree): [string, Tree] {
  const [entry] = Object.entries(node);
  return [entry![0], entry![1] as Tree];
}

export function has(node: Tree, key: string): boolean {
  return node[key] !== undefined;
}

export function children(node: Tree, key: string): readonly Tree[] {
  return (node[key] as readonly Tree[] | undefined) ?? [];
}

/** The text or number in a node that is a leaf. */
export function word(node: Tree): string | undefined {
  const [, fields] = only(node);
  const value = fields['sval'] ?? fields['ival'] ?? fields['fval'] ?? fields['bsval'];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A list of names; a star is `*`. */
export function texts(node: Tree, key: string): string[] {
  return children(node, key).map((item) => word(item) ?? '*');
}
