/**
 * A grammar as data: productions made of a handful of expressions. `rules.ts` writes the language down once in this form, and the
 * printers beside it turn it into EBNF, GBNF and railroad diagrams. Nothing here knows the language.
 */

export type Expression =
  /** These characters. */
  | { readonly is: "text"; readonly text: string }
  /** One character of a class, in the notation regular expressions and GBNF share: `[a-z0-9]`, `[^"\\\n]`. */
  | { readonly is: "class"; readonly set: string }
  | { readonly is: "rule"; readonly name: string }
  | { readonly is: "sequence"; readonly of: readonly Expression[] }
  | { readonly is: "choice"; readonly of: readonly Expression[] }
  | { readonly is: "optional"; readonly of: Expression }
  | { readonly is: "repeat"; readonly of: Expression; readonly least: 0 | 1 }
  /** The blank between two slots: one in formatted programs, any number when read. */
  | { readonly is: "blank" }
  /** The indentation of a step. */
  | { readonly is: "indent" }
  | { readonly is: "newline" };

export type Production = {
  /** Words of small letters with dashes, as GBNF wants them. */
  readonly name: string;
  /** One sentence for the reader of a diagram; "" for the parts of tokens. */
  readonly doc: string;
  readonly body: Expression;
};

export const BLANK: Expression = { is: "blank" };
export const INDENT: Expression = { is: "indent" };
export const NEWLINE: Expression = { is: "newline" };

export const text = (characters: string): Expression => ({ is: "text", text: characters });
export const oneOf = (set: string): Expression => ({ is: "class", set });
export const rule = (name: string): Expression => ({ is: "rule", name });
export const optional = (of: Expression): Expression => ({ is: "optional", of });
export const many = (of: Expression): Expression => ({ is: "repeat", of, least: 0 });
export const some = (of: Expression): Expression => ({ is: "repeat", of, least: 1 });

export function sequence(...of: readonly Expression[]): Expression {
  return of.length === 1 && of[0] !== undefined ? of[0] : { is: "sequence", of };
}

export function choice(...of: readonly Expression[]): Expression {
  return of.length === 1 && of[0] !== undefined ? of[0] : { is: "choice", of };
}

/** One of these words. */
export function words(...of: readonly string[]): Expression {
  return choice(...of.map(text));
}

export function production(name: string, doc: string, body: Expression): Production {
  return { name, doc, body };
}
