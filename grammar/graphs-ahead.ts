/** What may follow the words of a statement in the indented form, by the rules of its parser: the tokens that may come next. */
import { EMPTY, type Expression, IMPOSSIBLE, leavesOf, rule } from "./generate/expression.ts";
import { Following, takesType } from "./generate/following.ts";
import { spellingIn } from "./generate/forms/indented-tokens.ts";
import { readProductions } from "./generate/productions.ts";
import { StatementLexing } from "./indented/lexing/statements.ts";
import { indentedProductions } from "./indented/parser/program.ts";
import { type Lexeme, TOKENS } from "./indented/tokens.ts";
import { PARSE_LIMITS } from "./parse.ts";
import { createReporter } from "./reporter.ts";
import { createSource } from "./text/source.ts";

/** A token that may come next. */
export type NextToken = {
  readonly type: string;
  /** The words it may be, where it is one of a few. */
  readonly texts: readonly string[];
};

const SHAPE = { adapters: null, functions: [], declarations: [], closed: null };
const TYPES = new Map(TOKENS.map((type) => [type.name, type]));
let following: Following<Lexeme> | null = null;

/** Made at first use. */
function statements(): Following<Lexeme> {
  // A rule that reads what is wrong is not a way to continue.
  following ??= new Following(
    readProductions(indentedProductions()).set("anything", IMPOSSIBLE),
    (leaf, { tokenTypeIdx }) => (takesType(TYPES, leaf, tokenTypeIdx) ? EMPTY : null),
  );
  return following;
}

/** The tokens that may come after the words of one statement, each once. Brackets that are still open are not closed. */
export function tokensInGraph(statement: string, isVariable: (name: string) => boolean): readonly NextToken[] {
  const reporter = createReporter(createSource(statement, null));
  const tokens: Lexeme[] = [];
  const start = statement.length - statement.trimStart().length;
  new StatementLexing({ reporter, limits: PARSE_LIMITS, isVariable }, tokens).read(0, start);
  // What closes an open bracket is a token without characters.
  const written = tokens.filter(({ image, span }) => image === "" || span.end > span.start);
  const leaves = statements()
    .after(rule("statement"), written)
    .flatMap((way) => (way === null ? [] : [way.first]));
  const next = new Map<string, NextToken>();
  for (const leaf of leaves) {
    const found = leaf.is === "token" ? { type: leaf.type, texts: textsOf(leaf.type, leaf.label) } : null;
    if (found !== null && (found.texts.length > 0 || !next.has(found.type))) next.set(found.type, found);
  }
  return [...next.values()];
}

/** How a token is written that stands apart from the one before it. */
function textsOf(type: string, label: string | null): readonly string[] {
  const { of, before, after } = spellingIn(SHAPE, type, label) ?? {};
  if (of === undefined || (before === "glue" && after === "glue") || type === "Question") return [];
  const leaves: readonly Expression[] = leavesOf(of);
  return leaves.every((leaf) => leaf.is === "text") ? leaves.map(({ text }) => text) : [];
}
