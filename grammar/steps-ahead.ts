/**
 * What may follow the words of a statement in the opcode form, by the rules of its parser: the tokens that may come next, and texts that
 * end the statement.
 */
import { EMPTY, type Expression, isToken, type Production, rule, some } from "./generate/expression.ts";
import { Following, type Pending, Samples, takeCharacter, takesType } from "./generate/following.ts";
import { declarationRules, nameRules } from "./generate/forms/calls.ts";
import { lexicalRules } from "./generate/forms/lexical.ts";
import { spellingOf } from "./generate/forms/opcode.ts";
import { asProductions, readProductions } from "./generate/productions.ts";
import type { Token } from "./operands/tokens.ts";
import { findOp, OPS, type Op } from "./ops.ts";
import { PARSE_LIMITS } from "./parse.ts";
import { StatementLexer } from "./parser/lexer.ts";
import { opcodeProductions, readDraft } from "./parser/opcode-parser.ts";
import { ruleNameOf } from "./parser/step-parser.ts";
import { TOKEN_TYPES } from "./parser/tokens.ts";
import { createReporter, type Reporter } from "./reporter.ts";
import type { Draft } from "./steps/draft.ts";
import { isLabelWord } from "./steps/slots.ts";
import { createSource } from "./text/source.ts";

const TYPES = new Map(TOKEN_TYPES.map((type) => [type.name, type]));
/** One step, or several on the line of a label. */
const STEPS = "steps";

function takeToken(leaf: Expression, token: Token): Expression | null {
  // The word of an op is a value in the place of one.
  const isValue = isToken(leaf, "Atom") && token.type === "OpWord";
  return isValue || takesType(TYPES, leaf, token.tokenTypeIdx) ? EMPTY : null;
}

/** Made at first use. */
class Ahead {
  private readonly steps: Following<Token>;
  private readonly words: Following<string>;
  private readonly stepTexts: Samples;
  private readonly wordTexts: Samples;

  constructor() {
    const bodies = readProductions(opcodeProductions()).set(STEPS, some(rule("step")));
    this.steps = new Following(bodies, takeToken);
    const declarations = OPS.filter(({ kind }) => kind === "declaration").map(({ name }) => name);
    const shape = { adapters: null, functions: [], declarations, closed: null };
    const lexical: readonly Production[] = [...lexicalRules(true), ...nameRules(null), ...declarationRules(shape)];
    this.words = new Following(new Map(lexical.map(({ name, body }) => [name, body])), takeCharacter);
    this.wordTexts = new Samples(lexical, () => null);
    this.stepTexts = new Samples(asProductions(bodies, {}), (type, label) => this.written(type, label));
  }

  after(tokens: readonly Token[]): readonly Pending[] {
    return this.steps.after(rule(STEPS), tokens);
  }

  /** What ends the steps. */
  end(pending: Pending): string | null {
    return this.stepTexts.ofPending(pending);
  }

  private written(type: string, label: string | null): string | null {
    if (findOp(type)?.kind === "step") return ` ${type}`;
    const spelling = spellingOf(type, label, null);
    if (spelling === null) return null;
    // A name may stand wherever a value may; `(1)` is not a value.
    const isNamed = this.words.after(spelling.of, "x").includes(null);
    const word = isNamed ? "x" : this.wordTexts.ofPending({ first: spelling.of, rest: null });
    return word === null || spelling.before === "glue" ? word : ` ${word}`;
  }

  /** What makes a token of a word that has begun. */
  wordEnds(leaf: Expression, begun: string): readonly string[] {
    const spelling = leaf.is === "token" ? spellingOf(leaf.type, leaf.label, null) : null;
    return spelling === null ? [] : this.texts(spelling.of, begun);
  }

  /** What ends the line of a declaration or include. */
  declarationEnds(op: Op, begun: string): readonly string[] {
    return this.texts(rule(op.kind === "include" ? "include" : ruleNameOf(op)), begun);
  }

  private texts(start: Expression, begun: string): readonly string[] {
    const ways = this.words.after(start, begun).map((way) => this.wordTexts.ofPending(way));
    return [...new Set(ways.filter((way) => way !== null))];
  }
}

let made: Ahead | null = null;

function ahead(): Ahead {
  made ??= new Ahead();
  return made;
}

/** The words of a statement, as far as it is written. Brackets that are still open are not closed. */
export type Begun = { readonly draft: Draft; readonly tokens: readonly Token[]; readonly reporter: Reporter };

/** Reads a statement that begins with a step or a label; null: with neither, or nothing of a step is there. */
export function begunSteps(statement: string): Begun | null {
  const [word = ""] = statement.trimStart().split(/[\s#"']/, 1);
  const isLabel = isLabelWord(word);
  const from = statement.length - statement.trimStart().length + (isLabel ? word.length : 0);
  const reporter = createReporter(createSource(statement, null));
  const lexer = new StatementLexer(reporter, 0, from, isLabel, PARSE_LIMITS);
  const draft = readDraft(lexer, reporter, isLabel);
  // What closes an open bracket is a token without characters.
  const tokens = lexer.tokens.filter(({ type, span }) => type !== "End" && span.end > span.start);
  return draft === null ? null : { draft, tokens, reporter };
}

/** The tokens that may come next, each with what follows it; null: the line may end. */
export function tokensAfter({ tokens }: Begun): readonly Pending[] {
  return ahead().after(tokens);
}

/** Texts that may end the statement; the parser knows which of them do. */
export function* stepEnds(statement: string): Generator<string> {
  const begun = begunSteps(statement);
  if (begun === null) return;
  const { tokens } = begun;
  for (const way of ahead().after(tokens)) yield ahead().end(way) ?? "";
  const last = tokens.at(-1);
  const runs = [last?.span.end === statement.length ? last.span.start : -1, wordStart(statement)];
  for (const start of new Set(runs)) {
    if (start === -1 || start === statement.length) continue;
    for (const way of ahead().after(tokens.filter(({ span }) => span.end <= start))) {
      if (way === null) continue;
      const end = ahead().end(way.rest) ?? "";
      for (const word of ahead().wordEnds(way.first, statement.slice(start))) yield word + end;
    }
  }
}

/** Where the word at the end begins. From the back: a search from the front takes the square of a long word. */
function wordStart(statement: string): number {
  let start = statement.length;
  while (start > 0 && /\S/.test(statement.charAt(start - 1))) start--;
  return start;
}

/** The same for a declaration or an include; `begun` follows its word. */
export function declarationEnds(op: Op, begun: string): readonly string[] {
  return ahead().declarationEnds(op, `${op.name}${begun}`);
}
