/**
 * The places of the values in a template string: `Hello {name}, {price:.2f}`. `{{` and `}}` are braces. Knows offsets only.
 */
import { closingQuote } from "../../operands/tokens.ts";
import { isQuote } from "../../steps/slots.ts";

export type TemplatePiece =
  | { readonly kind: "text"; readonly start: number; readonly end: number }
  /** `{…}` with its braces; the expression ends at `valueEnd`, where its format begins. */
  | { readonly kind: "value"; readonly start: number; readonly end: number; readonly valueEnd: number };

/** The pieces between the quotes. A brace without its other half is text. */
export function templatePieces(text: string, from: number, limit: number): readonly TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let start = from;
  let at = from;
  const addText = (end: number): void => {
    if (end > start) pieces.push({ kind: "text", start, end });
  };
  while (at < limit) {
    const character = text.charAt(at);
    if ((character === "{" || character === "}") && text.charAt(at + 1) === character && at + 1 < limit) at += 2;
    else if (character === "{") {
      const value = valueAt(text, at, limit);
      if (value === null) break;
      addText(at);
      pieces.push(value);
      start = value.end;
      at = value.end;
    } else at++;
  }
  addText(limit);
  return pieces;
}

function valueAt(text: string, start: number, limit: number): TemplatePiece | null {
  let depth = 0;
  let valueEnd = -1;
  for (let at = start + 1; at < limit; at++) {
    const character = text.charAt(at);
    if (isQuote(text.charCodeAt(at)) && valueEnd === -1) {
      const close = closingQuote(text, at, limit);
      if (close === -1) return null;
      at = close;
    } else if (character === "(" || character === "[" || character === "{") depth++;
    else if (depth === 0 && character === "}")
      return { kind: "value", start, end: at + 1, valueEnd: valueEnd === -1 ? at : valueEnd };
    else if (character === ")" || character === "]" || character === "}") depth--;
    else if (depth === 0 && character === ":" && valueEnd === -1) valueEnd = at;
  }
  return null;
}
