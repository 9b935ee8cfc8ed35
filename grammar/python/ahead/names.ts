/** The names that are bound above a place, by the tokens alone, so that they are known while the file has faults. */
import type { TokenType } from "chevrotain";
import * as T from "../lexing/tokens.ts";
import { setOf, type Token } from "../lexing/tokens.ts";

export type Binding = {
  readonly name: string;
  readonly kind: "variable" | "function" | "class" | "module" | "member";
  /** Of a function: the names of its parameters. */
  readonly parameters: readonly string[];
  /** Of an import: the module, or the module and its member with a dot between. */
  readonly imported: string | null;
  /** The tokens of the line, and where in it the value begins that the name gets. */
  readonly line: readonly Token[];
  readonly value: number | null;
};

const OPENS = setOf([T.LParen, T.LBracket, T.LBrace]);
const CLOSES = setOf([T.RParen, T.RBracket, T.RBrace]);
const REACHES = setOf([T.Dot, T.LParen, T.LBracket]);

const is = (token: Token | undefined, type: TokenType): boolean => token?.tokenTypeIdx === type.tokenTypeIdx;

/** What is bound in the scopes around the end of the tokens; later bindings win. */
export function bindingsAt(tokens: readonly Token[]): ReadonlyMap<string, Binding> {
  const walk = new Walk();
  let line: Token[] = [];
  for (const token of tokens) {
    if (is(token, T.Indent)) walk.indent();
    else if (is(token, T.Dedent)) walk.dedent();
    else if (is(token, T.Newline)) {
      walk.line(line, false);
      line = [];
    } else line.push(token);
  }
  walk.line(line, true);
  return new Map(walk.scopes.flatMap((scope) => [...scope]));
}

type Scope = Map<string, Binding>;

class Walk {
  /** From the file to the innermost function. */
  readonly scopes: Scope[] = [new Map()];
  /** Of each level of indentation: whether a function begins with it. */
  private readonly levels: boolean[] = [];
  /** Parameters of the function whose body comes next. */
  private parameters: Scope | null = null;

  indent(): void {
    this.levels.push(this.parameters !== null);
    if (this.parameters !== null) this.scopes.push(this.parameters);
    this.parameters = null;
  }

  dedent(): void {
    if (this.levels.pop() === true) this.scopes.pop();
  }

  line(line: readonly Token[], isLast: boolean): void {
    this.parameters = null;
    const isAsync = is(line[0], T.Async);
    const head = line[isAsync ? 1 : 0];
    if (is(head, T.Def)) this.define(line, isAsync ? 2 : 1, isLast);
    else if (is(head, T.Class)) this.add(line, line[1], "class");
    else if (is(head, T.Import)) this.modules(line);
    else if (is(head, T.From)) this.members(line);
    else this.statement(line, isLast);
  }

  private add(
    line: readonly Token[],
    token: Token | undefined,
    kind: Binding["kind"] = "variable",
    more: Partial<Binding> = {},
  ): void {
    if (token === undefined || !is(token, T.Name)) return;
    const { image: name } = token;
    this.scopes.at(-1)?.set(name, { name, kind, parameters: [], imported: null, line, value: null, ...more });
  }

  private define(line: readonly Token[], at: number, isLast: boolean): void {
    const scope: Scope = new Map();
    let depth = 0;
    for (let index = at + 1; index < line.length; index++) {
      const token = line[index] as Token;
      const before = line[index - 1] as Token;
      if (CLOSES[token.tokenTypeIdx] === 1 && --depth === 0) break;
      if (OPENS[token.tokenTypeIdx] === 1) depth++;
      const isFirst = is(before, T.LParen) || is(before, T.Comma) || is(before, T.Star) || is(before, T.DoubleStar);
      if (depth !== 1 || !is(token, T.Name) || !isFirst) continue;
      const { image: name } = token;
      const value = is(line[index + 1], T.Colon) || is(line[index + 1], T.Equal) ? index + 2 : null;
      scope.set(name, { name, kind: "variable", parameters: [], imported: null, line, value });
    }
    this.add(line, line[at], "function", { parameters: [...scope.keys()] });
    if (isLast && line.some((token) => is(token, T.RParen))) this.scopes.push(scope);
    else this.parameters = scope;
  }

  private modules(line: readonly Token[]): void {
    let path = "";
    for (let at = 1; at < line.length; at++) {
      const token = line[at] as Token;
      if (is(token, T.Comma)) path = "";
      else if (is(token, T.As)) this.add(line, line[++at], "module", { imported: path });
      else {
        path += token.image;
        const isLast = at + 1 >= line.length || is(line[at + 1], T.Comma);
        const [top = ""] = path.split(".");
        if (isLast) this.scopes.at(-1)?.set(top, { ...NOTHING, name: top, kind: "module", imported: top, line });
      }
    }
  }

  private members(line: readonly Token[]): void {
    const at = line.findIndex((token) => is(token, T.Import));
    if (at < 0) return;
    const module = line
      .slice(1, at)
      .map(({ image }) => image)
      .join("");
    for (let index = at + 1; index < line.length; index++) {
      const member = line[index] as Token;
      if (!is(member, T.Name) || is(line[index - 1], T.As)) continue;
      const bound = is(line[index + 1], T.As) ? line[index + 2] : member;
      this.add(line, bound, "member", { imported: `${module}.${member.image}` });
    }
  }

  /** Targets of `=`, `:=`, `for` and `as`, and captures of `case`. Names of comprehensions count in the last line only. */
  private statement(line: readonly Token[], isLast: boolean): void {
    const isCase = is(line[0], T.Case);
    let depth = 0;
    let begun = 0;
    let isTarget = isCase;
    for (const [at, token] of line.entries()) {
      if (OPENS[token.tokenTypeIdx] === 1) depth++;
      else if (CLOSES[token.tokenTypeIdx] === 1) depth--;
      else if (is(token, T.For) && (at === 0 || isLast || is(line[at - 1], T.Async))) isTarget = true;
      else if (is(token, T.In) || (is(token, T.If) && isCase)) isTarget = false;
      else if (depth === 0 && (is(token, T.Equal) || (is(token, T.Colon) && at === begun + 1))) {
        for (let index = begun; index < at; index++) this.target(line, index, at + 1);
        if (is(token, T.Equal)) begun = at + 1;
      } else if (is(token, T.Name)) {
        if (is(line[at - 1], T.As) || isTarget) this.target(line, at, null);
        else if (is(line[at + 1], T.Walrus)) this.target(line, at, at + 2);
      }
    }
  }

  private target(line: readonly Token[], at: number, value: number | null): void {
    const token = line[at];
    if (!is(token, T.Name) || is(line[at - 1], T.Dot) || REACHES[line[at + 1]?.tokenTypeIdx ?? 0] === 1) return;
    this.add(line, token, "variable", { value: is(line[at + 1], T.Comma) || is(line[at - 1], T.Comma) ? null : value });
  }
}

const NOTHING = { parameters: [], value: null };
