/**
 * The tokens of a file in pieces, so that a large one does not hold its thread: cut between graphs, and between the statements directly in one.
 */
import { Dedent, Elif, Else, Indent, type Lexeme, lexeme, Newline } from "../tokens.ts";

/** Tokens of a piece, at least. */
const PIECE = 2000;

export function* piecesOf(tokens: readonly Lexeme[]): Generator<readonly Lexeme[]> {
  if (tokens.length <= 2 * PIECE) {
    yield tokens;
    return;
  }
  let piece: Lexeme[] = [];
  let depth = 0;
  // A graph that was cut ends with the piece: its own end is then one too many.
  let isCut = false;
  for (const [at, token] of tokens.entries()) {
    const { tokenType } = token;
    if (tokenType === Indent) depth++;
    if (tokenType === Dedent) {
      depth--;
      if (depth === 0 && isCut) {
        isCut = false;
        continue;
      }
    }
    piece.push(token);
    const next = tokens[at + 1]?.tokenType;
    const endsStatement = tokenType === Newline || tokenType === Dedent;
    if (piece.length < PIECE || depth > 1 || !endsStatement) continue;
    if (next === Indent || next === Dedent || next === Elif || next === Else) continue;
    if (depth === 1 && !isCut) piece.push(lexeme(Dedent, token.span, "", "", false));
    if (depth === 1) isCut = true;
    yield piece;
    piece = [];
  }
  yield piece;
}
