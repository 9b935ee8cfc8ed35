/**
 * A grammar as data: productions made of a handful of expressions. `productions.ts` reads them off the parsers, `spelling.ts` replaces
 * tokens by characters, and the printers turn the result into EBNF, GBNF and railroad diagrams. Nothing here knows the language.
 */

export type Expression =
  /** A token of a parser. `label` says what it means in its place, `slot` which slot of its op it fills; `level` is how deep the block around it is. */
  | {
      readonly is: "token";
      readonly type: string;
      readonly label: string | null;
      readonly level: number;
      readonly slot: string | null;
    }
  /** These characters. */
  | { readonly is: "text"; readonly text: string }
  /** Spaces between tokens or before the first one of a line. A reader may write others. */
  | { readonly is: "space"; readonly text: string }
  /** One character of a class, in the notation that regular expressions and GBNF share: `[a-z0-9]`, `[^"\\\n]`. */
  | { readonly is: "class"; readonly set: string }
  | { readonly is: "rule"; readonly name: string }
  | { readonly is: "sequence"; readonly of: readonly Expression[] }
  | { readonly is: "choice"; readonly of: readonly Expression[] }
  | { readonly is: "optional"; readonly of: Expression }
  | { readonly is: "repeat"; readonly of: Expression; readonly least: 0 | 1 };

export type Production = {
  /** Lower-case words joined by dashes, as GBNF requires. */
  readonly name: string;
  /** One sentence for the reader of a diagram; "" for parts of tokens. */
  readonly doc: string;
  readonly body: Expression;
};

/** Matches the empty string. */
export const EMPTY: Expression = { is: "sequence", of: [] };
/** Matches nothing: alternatives that hold it are dropped. */
export const IMPOSSIBLE: Expression = { is: "choice", of: [] };

export const text = (characters: string): Expression => ({ is: "text", text: characters });
export const rule = (name: string): Expression => ({ is: "rule", name });
export const token = (type: string, label: string | null = null, slot: string | null = null): Expression => ({
  is: "token",
  type,
  label,
  level: 0,
  slot,
});

function isImpossible(one: Expression): boolean {
  return one.is === "choice" && one.of.length === 0;
}

export function isRule(one: Expression | undefined, name: string): boolean {
  return one?.is === "rule" && one.name === name;
}

export function isToken(one: Expression | undefined, type: string): boolean {
  return one?.is === "token" && one.type === type;
}

function isEmpty(one: Expression): boolean {
  return one.is === "sequence" && one.of.length === 0;
}

export function sequence(...parts: readonly Expression[]): Expression {
  if (parts.some(isImpossible)) return IMPOSSIBLE;
  const of = parts.flatMap((part) => (part.is === "sequence" ? part.of : [part]));
  return of.length === 1 && of[0] !== undefined ? of[0] : { is: "sequence", of };
}

export function choice(...parts: readonly Expression[]): Expression {
  const of = parts.flatMap((part) => (part.is === "choice" ? part.of : [part]));
  return of.length === 1 && of[0] !== undefined ? of[0] : { is: "choice", of };
}

export function optional(of: Expression): Expression {
  if (isImpossible(of) || isEmpty(of)) return EMPTY;
  return { is: "optional", of };
}

export function many(of: Expression): Expression {
  return isImpossible(of) || isEmpty(of) ? EMPTY : { is: "repeat", of, least: 0 };
}

export function some(of: Expression): Expression {
  return isImpossible(of) || isEmpty(of) ? of : { is: "repeat", of, least: 1 };
}

/** One of these words. */
export function words(...of: readonly string[]): Expression {
  return choice(...of.map(text));
}

/** The expression with every part changed, smallest parts first; what can no longer match is dropped. */
export function mapped(one: Expression, change: (part: Expression) => Expression): Expression {
  const inner = (part: Expression): Expression => mapped(part, change);
  if (one.is === "sequence") return change(sequence(...one.of.map(inner)));
  if (one.is === "choice") return change(choice(...one.of.map(inner)));
  if (one.is === "optional") return change(optional(inner(one.of)));
  if (one.is === "repeat") return change(one.least === 0 ? many(inner(one.of)) : some(inner(one.of)));
  return change(one);
}

/** The parts that hold no others. */
export function leavesOf(one: Expression): readonly Expression[] {
  return "of" in one ? [one.of].flat().flatMap(leavesOf) : [one];
}

const PIECE = /\s*("(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[a-z][a-z0-9-]*|[A-Z][A-Za-z]*(?::[a-z]+)?|[()|?*+])/y;

/** Reads a body in the notation of GBNF; a word that begins with a capital letter is a token, with its label after a colon. A malformed one is a mistake in the source of this folder, so it throws. */
export function notation(source: string): Expression {
  const pieces: string[] = [];
  PIECE.lastIndex = 0;
  for (let found = PIECE.exec(source); found !== null; found = PIECE.exec(source)) pieces.push(found[1] ?? "");
  let at = 0;
  const alternatives = (): Expression => {
    const of: Expression[] = [];
    do {
      const parts: Expression[] = [];
      while (at < pieces.length && pieces[at] !== "|" && pieces[at] !== ")") parts.push(marked());
      of.push(sequence(...parts));
    } while (pieces[at] === "|" && at++ < pieces.length);
    return choice(...of);
  };
  const marked = (): Expression => {
    const of = item(pieces[at++] ?? "");
    const mark = { "?": optional, "*": many, "+": some }[pieces[at] ?? ""];
    if (mark === undefined) return of;
    at++;
    return mark(of);
  };
  const item = (piece: string): Expression => {
    if (piece === "(") {
      const inside = alternatives();
      if (pieces[at++] !== ")") throw new Error(`unclosed bracket in ${source}`);
      return inside;
    }
    if (piece.startsWith("[")) return { is: "class", set: piece };
    if (/^[A-Z]/.test(piece)) return token(...(piece.split(":") as [string, string?]));
    if (!piece.startsWith('"')) return rule(piece);
    const characters = JSON.parse(piece) as string;
    return /^ +$/.test(characters) ? { is: "space", text: characters } : text(characters);
  };
  const body = alternatives();
  if (at < pieces.length) throw new Error(`cannot read ${pieces[at]} in ${source}`);
  return body;
}

/** The productions that `roots` need, in their order, without what can never match. */
export function reachable(productions: readonly Production[], roots: readonly string[]): readonly Production[] {
  let all = new Map(productions.map((one) => [one.name, one]));
  for (;;) {
    const dead = new Set([...all.values()].filter(({ body }) => isImpossible(body)).map(({ name }) => name));
    if (dead.size === 0) break;
    const live = [...all.values()].filter(({ name }) => !dead.has(name));
    const change = (leaf: Expression): Expression => (leaf.is === "rule" && dead.has(leaf.name) ? IMPOSSIBLE : leaf);
    all = new Map(live.map((one) => [one.name, { ...one, body: mapped(one.body, change) }]));
  }
  const used = new Set<string>();
  const visit = (name: string): void => {
    const found = all.get(name);
    if (used.has(name) || found === undefined) return;
    used.add(name);
    for (const leaf of leavesOf(found.body)) if (leaf.is === "rule") visit(leaf.name);
  };
  for (const name of roots) visit(name);
  return [...all.values()].filter(({ name }) => used.has(name));
}
