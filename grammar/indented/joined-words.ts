/**
 * Words such as `n+1` are text (docs/language.md, text). Where their parts are variables of the file, a value was meant that nothing computes;
 * which names are variables is known at its end.
 */
import { type InfixWord, readInfix } from "../infix.ts";
import type { Reporter } from "../reporter.ts";
import type { Span } from "../span.ts";
import { nameEnd, type Token } from "../tokens.ts";

const OPERAND = String.raw`(?:\$?[\p{L}_][\p{L}\p{Nd}_.[\]]*|\d[\d.]*)`;
const JOINED = new RegExp(`^-?${OPERAND}(?:[-+*/%]${OPERAND})*$`, "u");
const PIECE = new RegExp(`${OPERAND}|[-+*/%]`, "gu");
const LONGEST_WORD = 100;

type Joined = Pick<Token, "image" | "span">;

export class JoinedWords {
  private readonly found: Joined[] = [];

  /** Keeps what looks like a computation among the tokens of an expression. */
  see(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.type === "Word" && isJoined(token.image)) this.found.push(token);
    }
  }

  /** `x = order.total-1` is read as a call of an adapter, of which then nothing is to be said. */
  seeTarget(image: string, span: Span): void {
    if (isJoined(image)) this.found.push({ image, span });
  }

  report(variables: ReadonlySet<string>, reporter: Reporter): void {
    for (const { image, span } of this.found) {
      const pieces = image.match(PIECE) ?? [];
      const roots = pieces.flatMap(rootOf);
      if (roots.length === 0 || !roots.every((root) => variables.has(root))) continue;
      const operator = pieces.find((piece) => "-+*/%".includes(piece)) ?? "-";
      const text = computed(pieces, span);
      reporter.report({
        code: "WF1009",
        span,
        words: { token: `'${operator}'` },
        suggestion: `write ${text}, or quote it if it is text`,
        fix: { title: `write ${text}`, edits: [{ span, new_text: text }] },
        // What would be said of it as a text or as a call says the same again.
        covers: span,
      });
    }
  }
}

function isJoined(image: string): boolean {
  return image.length <= LONGEST_WORD && JOINED.test(image);
}

function rootOf(piece: string): string[] {
  const start = piece.startsWith("$") ? 1 : 0;
  const end = nameEnd(piece, start);
  return end === start ? [] : [piece.slice(start, end)];
}

function computed(pieces: readonly string[], span: Span): string {
  const signed = pieces[0] === "-" ? ["0", ...pieces] : pieces;
  const words = signed.map((text): InfixWord => ({ text, kind: "-+*/%".includes(text) ? "mark" : "name", span }));
  return readInfix(words, "value")?.text ?? "(add a b)";
}
