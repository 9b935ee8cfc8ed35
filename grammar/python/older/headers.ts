/** Headers of the older form as functions: `name:`, `name(a, b=3):`, `name @api "/path" GET:`, and the line `in: a b:number`. */
import type { Token } from "../lexing/tokens.ts";
import * as T from "../lexing/tokens.ts";
import { type Edit, Refusal } from "../refusal.ts";
import { closerOf, is, isWord, type Line } from "./lines.ts";

/** A function of the file. */
export type Graph = {
  readonly name: string;
  readonly line: Line;
  /** Its header is of the older form; else Python's `def`. */
  readonly isOlder: boolean;
  /** Inputs in brackets, and those of `in:`. */
  readonly parameters: readonly string[];
  readonly inputs: readonly string[];
};

/** Types of inputs, and Python's annotations for them. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ...["number", "float", "F"].map((word): [string, string] => [word, "float"]),
  ...["text", "string", "str", "S", "T"].map((word): [string, string] => [word, "str"]),
  ...["int", "integer", "I"].map((word): [string, string] => [word, "int"]),
  ...["bool", "boolean", "B"].map((word): [string, string] => [word, "bool"]),
  ...["object", "dict", "map"].map((word): [string, string] => [word, "dict"]),
  ...["list", "array"].map((word): [string, string] => [word, "list"]),
]);

export function graphOf(line: Line): Graph | null {
  const { tokens, children } = line;
  const [first, second] = tokens;
  if (children.length === 0 || !is(tokens.at(-1), T.Colon)) return null;
  if (is(first, T.Def)) {
    const close = closerOf(tokens, 2);
    return { name: second?.image ?? "", line, isOlder: false, parameters: names(tokens.slice(3, close)), inputs: [] };
  }
  if (!is(first, T.Name) || first === undefined) return null;
  const isBracket = is(second, T.LParen);
  if (!isBracket && !is(second, T.At) && tokens.length > 2) return null;
  const close = isBracket ? closerOf(tokens, 1) : 0;
  const parameters = isBracket ? names(tokens.slice(2, close)) : [];
  const inputs = children.flatMap((child) => inputsOf(child)?.map(({ name }) => name) ?? []);
  return { name: first.image, line, isOlder: true, parameters, inputs };
}

/** Names of parameters: at the beginning of each part between commas. */
function names(tokens: readonly Token[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (is(token, T.Name) && (at === 0 || is(tokens[at - 1], T.Comma) || is(tokens[at - 1], T.Star)))
      found.push(token.image);
    if (is(token, T.LBracket) || is(token, T.LParen) || is(token, T.LBrace)) at = closerOf(tokens, at);
  }
  return found;
}

type Input = { readonly name: string; readonly type: string | null };

/** The inputs of `in: a b:number, c`; null: the line is another one. */
export function inputsOf({ tokens, children }: Line): Input[] | null {
  if (!is(tokens[0], T.In) || !is(tokens[1], T.Colon) || children.length > 0) return null;
  const inputs: Input[] = [];
  for (let at = 2; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (is(token, T.Comma)) continue;
    if (!is(token, T.Name)) throw refusedInput(token);
    if (!is(tokens[at + 1], T.Colon)) {
      inputs.push({ name: token.image, type: null });
      continue;
    }
    inputs.push({ name: token.image, type: typeOf(tokens[at + 2], tokens[at + 3]) });
    at += 2;
  }
  return inputs;
}

/** null: any value. */
function typeOf(token: Token | undefined, next: Token | undefined): string | null {
  if (token?.image === "any") return null;
  const type = TYPES.get(token?.image ?? "");
  if (token === undefined) throw new Error("a line ends with its last token");
  if (type === undefined || is(next, T.LBracket)) throw refusedInput(token);
  return type;
}

function refusedInput(token: Token): Refusal {
  return new Refusal("older_type", token, { words: { type: token.image } });
}

/** What stands in place of the header: decorators on lines of their own, then `def`. `inputs` are added to the parameters. */
export function definition({ line, name }: Graph, source: string, inputs: readonly Input[]): string[] {
  const { tokens } = line;
  const isBracket = is(tokens[1], T.LParen);
  const close = isBracket ? closerOf(tokens, 1) : 0;
  const written = isBracket ? parametersOf(source, tokens, close) : "";
  const added = inputs.map((input) => `${input.name}${input.type === null ? "" : `: ${input.type} | None`} = None`);
  const end = tokens.length - 1;
  const at = tokens.findIndex((token, index) => index > close && is(token, T.At));
  const returns = source.slice((tokens[close] as Token).end, (tokens[at < 0 ? end : at] as Token).start).trim();
  const head = `def ${name}(${[written, ...added].filter(Boolean).join(", ")})${returns === "" ? "" : ` ${returns}`}:`;
  return [...(at < 0 ? [] : decorators(source, tokens.slice(at, end))), head];
}

/** The parameters as they are written, with Python's names of types. */
function parametersOf(source: string, tokens: readonly Token[], close: number): string {
  const start = (tokens[1] as Token).end;
  const edits: Edit[] = [];
  for (let at = 2; at < close; at++) {
    const type = is(tokens[at - 1], T.Colon) ? TYPES.get((tokens[at] as Token).image) : undefined;
    if (type !== undefined)
      edits.push({ start: (tokens[at] as Token).start, end: (tokens[at] as Token).end, text: type });
  }
  let text = "";
  let from = start;
  for (const edit of edits) {
    text += source.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return text + source.slice(from, (tokens[close] as Token).start);
}

/** `@api "/path" GET` is `@api("/path", method="GET")`; POST is meant where no method stands. */
function decorators(source: string, tokens: readonly Token[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    let end = at + 1;
    while (end < tokens.length && !is(tokens[end], T.At)) end++;
    const [, name, text, ...words] = tokens.slice(at, end);
    const isApi = isWord(name, "api");
    const hasMethod = words.length === 1 && is(words[0], T.Name);
    if ((!isApi && !isWord(name, "cron")) || !is(text, T.Text) || !(words.length === 0 || (isApi && hasMethod)))
      throw new Refusal("older_decorator", { start: (tokens[at] as Token).start, end: (tokens[end - 1] as Token).end });
    const written = source.slice((text as Token).start, (text as Token).end);
    found.push(isApi ? `@api(${written}, method="${words[0]?.image ?? "POST"}")` : `@cron(${written})`);
    at = end;
  }
  return found;
}
