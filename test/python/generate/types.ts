/** The types of generated programs, and texts of expressions with how tightly they bind. */

export type Type =
  | { readonly kind: "int" }
  | { readonly kind: "float" }
  | { readonly kind: "bool" }
  | { readonly kind: "str" }
  | { readonly kind: "list"; readonly item: Type }
  | { readonly kind: "set"; readonly item: Type }
  | { readonly kind: "dict"; readonly key: Type; readonly item: Type }
  | { readonly kind: "tuple"; readonly items: readonly Type[] };

export const INT: Type = { kind: "int" };
export const FLOAT: Type = { kind: "float" };
export const BOOL: Type = { kind: "bool" };
export const STR: Type = { kind: "str" };
export const listOf = (item: Type): Type => ({ kind: "list", item });
export const setOf = (item: Type): Type => ({ kind: "set", item });
export const dictOf = (key: Type, item: Type): Type => ({ kind: "dict", key, item });
export const tupleOf = (...items: Type[]): Type => ({ kind: "tuple", items });

export function isSame(left: Type, right: Type): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** How tightly operators bind, from the loosest. */
export const BINDS = {
  any: 0,
  ternary: 1,
  or: 2,
  and: 3,
  not: 4,
  compare: 5,
  bitOr: 6,
  bitXor: 7,
  bitAnd: 8,
  shift: 9,
  add: 10,
  multiply: 11,
  unary: 12,
  power: 13,
  /** A number, which needs brackets before a dot. */
  number: 14,
  atom: 15,
} as const;

export type Expression = { readonly text: string; readonly binds: number };

export const atom = (text: string): Expression => ({ text, binds: BINDS.atom });

/** The text as an operand of something that binds as tightly as `binds`: in brackets where it would otherwise fall apart. */
export function inside({ text, binds }: Expression, least: number): string {
  return binds >= least ? text : `(${text})`;
}
