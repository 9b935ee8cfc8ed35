/** The older spellings inside a line as edits that write Python: words, calls with spaces, members by dots. */
import type { Token } from "../lexing/tokens.ts";
import * as T from "../lexing/tokens.ts";
import { type Edit, Refusal } from "../refusal.ts";
import { beginsValue, closerOf, commas, is, isCloser, isOpener, isWord, type Line } from "./lines.ts";

export type Known = {
  readonly source: string;
  /** Names that the file sets, or has as inputs, functions or imports: none of these is a word of the older form. */
  readonly taken: ReadonlySet<string>;
  /** Names of values whose members are written with dots. */
  readonly values: ReadonlySet<string>;
  /** The file has a header of the older form. */
  readonly isOlder: boolean;
};

const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["true", "True"],
  ["false", "False"],
  ["null", "None"],
]);

/** Fills the edits of a line. True where the line is one that Python does not parse. */
export function respell(line: Line, known: Known): boolean {
  refuseLimit(line);
  if (known.isOlder) refuseCaught(line);
  const found = word(line, known) || call(line, known) || adapterCall(line, known);
  if (known.isOlder) {
    raisedText(line);
    constants(line, known);
    members(line, known);
  }
  return found;
}

/** `while c limit 50:` */
function refuseLimit({ tokens }: Line): void {
  const at = is(tokens[0], T.While) ? tokens.findIndex((token) => isWord(token, "limit")) : -1;
  if (at > 1 && is(tokens[at + 1], T.NumberLiteral)) throw new Refusal("older_limit", tokens[at] as Token);
}

/** `except e:` */
function refuseCaught({ tokens }: Line): void {
  const [first, name, colon] = tokens;
  if (!is(first, T.Except) || !is(name, T.Name) || name === undefined || !is(colon, T.Colon)) return;
  if (!/^[a-z_]/.test(name.image)) return;
  const python = `Exception as ${name.image}`;
  const edits = [{ start: name.start, end: name.end, text: python }];
  throw new Refusal("older_except", name, {
    words: { python },
    fix: { title: `write ${python}`, edits },
  });
}

function replace(line: Line, { start, end }: Pick<Token, "start" | "end">, text: string): void {
  line.edits.push({ start, end, text });
}

// ---- words ----

/** `out v`, `err m`. */
function word(line: Line, { taken, isOlder }: Known): boolean {
  const [first, second] = line.tokens as [Token, Token | undefined];
  const isOut = isWord(first, "out");
  if ((!isOut && !isWord(first, "err")) || taken.has(first.image)) return false;
  if (second === undefined) {
    if (isOut && isOlder) replace(line, first, 'return "done"');
    return isOut && isOlder;
  }
  if (!beginsValue(second) && !is(second, T.Not) && !is(second, T.Lambda)) return false;
  line.edits.push(...wordEdits(line.tokens));
  return true;
}

function wordEdits(tokens: readonly Token[]): Edit[] {
  const [first, second] = tokens as readonly [Token, Token];
  const { end } = tokens.at(-1) as Token;
  if (first.image === "out") return [{ start: first.start, end: first.end, text: "return" }];
  return [
    { start: first.start, end: second.start, text: "raise RuntimeError(" },
    { start: end, end, text: ")" },
  ];
}

/** Python reads `out [1]` as a part of `out`, and `out -1` as a difference: one refusal with the edits for all such lines. */
export function ambiguousWords(lines: Iterable<Line>, { source, taken }: Known): Refusal | null {
  const edits: Edit[] = [];
  let found: { readonly first: Token; readonly python: string } | null = null;
  for (const { tokens } of lines) {
    const [first, second] = tokens as [Token, Token | undefined];
    if (!(isWord(first, "out") || isWord(first, "err")) || taken.has(first.image)) continue;
    if (second === undefined || second.start === first.end || beginsValue(second)) continue;
    if (!isOpener(second) && !is(second, T.Minus)) continue;
    const value = source.slice(second.start, (tokens.at(-1) as Token).end);
    found ??= { first, python: first.image === "out" ? `return ${value}` : `raise RuntimeError(${value})` };
    edits.push(...wordEdits(tokens));
  }
  if (found === null) return null;
  const { first, python } = found;
  return new Refusal("older_word", first, {
    words: { word: first.image, python },
    fix: { title: `write ${python}`, edits },
  });
}

/** `raise "text"` */
function raisedText({ tokens, edits }: Line): void {
  const [first, second] = tokens;
  if (!is(first, T.Raise) || second === undefined || !(is(second, T.Text) || is(second, T.FStart))) return;
  const { end } = tokens.at(-1) as Token;
  edits.push({ start: second.start, end: second.start, text: "RuntimeError(" }, { start: end, end, text: ")" });
}

function constants(line: Line, { taken }: Known): void {
  for (const [at, token] of line.tokens.entries()) {
    const python = is(token, T.Name) ? CONSTANTS.get(token.image) : undefined;
    if (python === undefined || taken.has(token.image) || is(line.tokens[at - 1], T.Dot)) continue;
    if (!is(line.tokens[at + 1], T.Equal)) replace(line, token, python);
  }
}

// ---- calls ----

/** Where the value of a line begins: after its last `=`. */
export function valueStart(tokens: readonly Token[]): number {
  let start = 0;
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (isOpener(token)) depth++;
    else if (isCloser(token)) depth--;
    else if (depth === 0 && is(token, T.Equal)) start = at + 1;
  }
  return start;
}

/** `call g`, `x = call g`. */
function call(line: Line, { source, taken }: Known): boolean {
  const { tokens } = line;
  const start = valueStart(tokens);
  const [first, name, ...more] = tokens.slice(start) as [Token, Token, ...Token[]];
  if (!isWord(first, "call") || taken.has("call") || !is(name, T.Name)) return false;
  if (more.length > 0) {
    const python = is(more[0], T.For) ? `parallel(${name.image}, items)` : "parallel([f, g])";
    const { end } = tokens.at(-1) as Token;
    throw new Refusal(
      "older_word",
      { start: first.start, end },
      {
        words: { word: source.slice(first.start, end), python },
      },
    );
  }
  replace(line, { start: first.start, end: name.end }, `${name.image}()`);
  return true;
}

/** The function that a line calls by `call g`; null: it does not. */
export function calledBy({ tokens }: Line): string | null {
  const [first, name] = tokens.slice(valueStart(tokens));
  return isWord(first, "call") && is(name, T.Name) ? (name?.image ?? null) : null;
}

/** `x = core.ADD 2 3`, and `x = core.UUID` where `core` is not a name of the file. */
function adapterCall(line: Line, { taken, isOlder }: Known): boolean {
  const { tokens } = line;
  const start = valueStart(tokens);
  const [adapter, dot, verb, operand] = tokens.slice(start);
  if (!is(adapter, T.Name) || !is(dot, T.Dot) || !is(verb, T.Name) || taken.has(adapter?.image ?? "")) return false;
  const { end } = verb as Token;
  if (operand === undefined) {
    if (isOlder) replace(line, { start: end, end }, "()");
    return false;
  }
  if (!beginsValue(operand) || operand.start === end) return false;
  const last = (tokens.at(-1) as Token).end;
  replace(line, { start: end, end: operand.start }, "(");
  line.edits.push(...commas(tokens, start + 3, tokens.length), { start: last, end: last, text: ")" });
  return true;
}

/** Calls as `(f a b)`: one refusal with the edits for all of them. */
export function nestedCalls(lines: Iterable<Line>): Refusal | null {
  const edits: Edit[] = [];
  let first: { readonly start: number; readonly end: number } | null = null;
  for (const { tokens } of lines) {
    for (let at = 0; at + 2 < tokens.length; at++) {
      const [open, name, operand] = tokens.slice(at, at + 3) as [Token, Token, Token];
      const isGlued = at > 0 && tokens[at - 1]?.end === open.start && is(tokens[at - 1], T.Name);
      if (!is(open, T.LParen) || isGlued || !is(name, T.Name) || operand.start === name.end) continue;
      if (!beginsValue(operand) && !is(operand, T.LParen) && !is(operand, T.LBracket)) continue;
      // `(f (a))` and `(f [a])` are Python.
      const close = closerOf(tokens, at);
      const between = commas(tokens, at + 2, close);
      if (!beginsValue(operand) && between.length === 0) continue;
      first ??= { start: open.start, end: (tokens[close] as Token).end };
      edits.push({ start: open.start, end: open.end, text: "" }, { start: name.end, end: operand.start, text: "(" });
      edits.push(...between);
    }
  }
  if (first === null) return null;
  return new Refusal("older_call", first, { fix: { title: "write f(a, b)", edits } });
}

// ---- members ----

/** `order.total` of a value of the file, also `rows[0].name`. A call of a method stays. */
function members(line: Line, { source, values }: Known): void {
  const { tokens } = line;
  /** The quotes of the f-string that a token stands in. */
  const quotes: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (is(token, T.FStart)) quotes.push(/["']/.exec(source.slice(token.start, token.end))?.[0] ?? '"');
    else if (is(token, T.FEnd)) quotes.pop();
    if (!is(token, T.Name) || is(tokens[at - 1], T.Dot) || !values.has(token.image)) continue;
    const quote = quotes.at(-1) === '"' ? "'" : '"';
    for (let next = at + 1; ; ) {
      const [dot, name, after] = tokens.slice(next, next + 3);
      if (is(dot, T.LBracket) && dot?.start === tokens[next - 1]?.end) next = closerOf(tokens, next) + 1;
      else if (is(dot, T.Dot) && is(name, T.Name) && !(is(after, T.LParen) && after?.start === name?.end)) {
        replace(line, { start: (dot as Token).start, end: (name as Token).end }, `[${quote}${name?.image}${quote}]`);
        next += 2;
      } else break;
    }
  }
}
