/** Long texts are worked on in pieces, and other runs get a turn between two of them. */
import { Bytes, type Calling, type Context, type Value } from "../../object.ts";

/** Code units of a piece: what takes longest for each takes about 10 ms. */
export const PIECE = 65_536;

/** The end of the piece that begins at `from`: never inside of a surrogate pair. */
function endOfPiece(text: string, from: number): number {
  const end = Math.min(from + PIECE, text.length);
  const isInPair = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00;
  return isInPair ? end + 1 : end;
}

/** Looks at a text from its start to its end; `look` returns true to end that. Gives what `end` makes: at once, or as a coroutine for a long text. */
export function walk<T extends Value>(
  ctx: Context,
  text: string,
  // biome-ignore lint/suspicious/noConfusingVoidType: most looks return nothing.
  look: (from: number, to: number) => boolean | void,
  end: () => T,
): T | Calling<T> {
  if (text.length > PIECE) return walkOn(ctx, text, look, end);
  ctx.charge(text.length);
  look(0, text.length);
  return end();
}

function* walkOn<T extends Value>(
  ctx: Context,
  text: string,
  // biome-ignore lint/suspicious/noConfusingVoidType: as above.
  look: (from: number, to: number) => boolean | void,
  end: () => T,
): Calling<T> {
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    ctx.charge(to - from);
    if (look(from, to) === true) break;
    from = to;
    yield null;
  }
  return end();
}

/** The text that `make` makes of the parts of a text. */
export function changed(
  ctx: Context,
  text: string,
  make: (from: number, to: number) => string,
): string | Calling<string> {
  const parts: string[] = [];
  let units = 0;
  return walk(
    ctx,
    text,
    (from, to) => {
      const part = make(from, to);
      units += part.length;
      ctx.room(units * Bytes.Unit);
      parts.push(part);
    },
    () => {
      ctx.alloc(units * Bytes.Unit);
      return parts.join("");
    },
  );
}
