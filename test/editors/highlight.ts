/** Scopes of a text under the generated TextMate grammar, by the tokenizer and the regular expressions that editors use. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate, { type IGrammar, type IRawGrammar } from "vscode-textmate";
import { textMateOf } from "../../grammar/generate/textmate.ts";

/** A stretch of one line under one list of scopes, outermost first, `source.weft` left out. Offsets are those of the whole text. */
type Piece = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly scopes: readonly string[];
};

export type Highlighter = {
  pieces(source: string): readonly Piece[];
  /** Each piece that has a scope, with the innermost one: `text:scope`, blanks around it and the ending `.weft` left out. */
  scopes(source: string): readonly string[];
};

const WASM = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
/** The tokenizer gives up on a line after this long, and says so. */
const LINE_LIMIT_MS = 20_000;

export async function createHighlighter(): Promise<Highlighter> {
  await oniguruma.loadWASM(new Uint8Array(readFileSync(WASM)));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => oniguruma.createOnigScanner(patterns),
      createOnigString: (text) => oniguruma.createOnigString(text),
    }),
    loadGrammar: async () => textMateOf() as unknown as IRawGrammar,
  });
  const grammar = await registry.loadGrammar("source.weft");
  if (grammar === null) throw new Error("the grammar does not load");
  return {
    pieces: (source) => piecesOf(grammar, source),
    scopes: (source) =>
      piecesOf(grammar, source).flatMap(({ text, scopes }) => {
        const inner = scopes.at(-1);
        return inner === undefined || text.trim() === "" ? [] : [`${text.trim()}:${inner.replace(/\.weft$/, "")}`];
      }),
  };
}

function piecesOf(grammar: IGrammar, source: string): readonly Piece[] {
  let state = textmate.INITIAL;
  let lineStart = 0;
  return source.split("\n").flatMap((line) => {
    const { tokens, ruleStack, stoppedEarly } = grammar.tokenizeLine(line, state, LINE_LIMIT_MS);
    if (stoppedEarly) throw new Error(`a line of ${line.length} characters took too long`);
    state = ruleStack;
    const offset = lineStart;
    lineStart += line.length + 1;
    return tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      start: offset + startIndex,
      end: offset + endIndex,
      scopes: scopes.slice(1),
    }));
  });
}
