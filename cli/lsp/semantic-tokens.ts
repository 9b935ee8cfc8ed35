/** Colours that need the syntax tree: what is a label, a variable, an adapter, a verb, a function. */
import type { Span } from "../../grammar/text/span.ts";
import { type OpenProgram, stepsOf } from "./program.ts";

export const TOKEN_TYPES = ["keyword", "class", "method", "label", "variable", "comment"] as const;
type TokenType = (typeof TOKEN_TYPES)[number];

type Token = { readonly span: Span; readonly type: TokenType };

/** As the protocol wants them: five numbers a token, each place relative to the one before. */
export function semanticTokensOf(program: OpenProgram): number[] {
  const tokens = tokensOf(program)
    .filter(({ span }) => span.line === span.end_line && span.end > span.start)
    .sort((left, right) => left.span.start - right.span.start);
  const data: number[] = [];
  let line = 0;
  let character = 0;
  let end = 0;
  for (const { span, type } of tokens) {
    if (span.start < end) continue;
    end = span.end;
    const sameLine = span.line - 1 === line;
    data.push(
      span.line - 1 - line,
      span.column - 1 - (sameLine ? character : 0),
      span.end - span.start,
      TOKEN_TYPES.indexOf(type),
      0,
    );
    line = span.line - 1;
    character = span.column - 1;
  }
  return data;
}

function tokensOf({ file, python, occurrences }: OpenProgram): Token[] {
  if (python !== null)
    return [
      ...python.comments.map((span) => ({ span, type: "comment" as const })),
      ...python.keywords.map((span) => ({ span, type: "keyword" as const })),
      ...python.functions.map(({ word }) => ({ span: word, type: "label" as const })),
    ];
  const tokens: Token[] = file.comments.map(({ span }) => ({ span, type: "comment" }));
  for (const { kind, span } of occurrences) tokens.push({ span, type: kind === "label" ? "label" : "variable" });
  for (const line of file.lines)
    if (line.kind === "declaration" || line.kind === "include") tokens.push({ span: line.word.span, type: "keyword" });
  for (const step of stepsOf(file)) {
    tokens.push({ span: step.word.span, type: "keyword" });
    if (step.op !== "R") continue;
    tokens.push({ span: step.adapter.span, type: "class" }, { span: step.verb.span, type: "method" });
  }
  return tokens;
}
