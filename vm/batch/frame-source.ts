/** Frames as a caller gives them: objects one by one, or blocks of lines of JSON. */
import { isObject, type JsonObject } from "../../compiler/json.ts";
import { RequestInvalid } from "../inputs/request-invalid.ts";
import type { BatchItem } from "./result.ts";
import { cutLines, EVERY_LINE, type Piece } from "./rows/cut-lines.ts";
import { type FrameRules, itemsOf } from "./rows/frame-lines.ts";

/** Objects, or blocks of bytes with one object of JSON a line; a line may be split over blocks. */
export type Frames = FramesOf<JsonObject> | FramesOf<Uint8Array>;

type FramesOf<Frame> = Iterable<Frame> | AsyncIterable<Frame>;
type Given = JsonObject | Uint8Array;

const GROUP = 256;

/** What the first element is, all must be: throws RequestInvalid. */
export async function* piecesOf(frames: Frames): AsyncGenerator<Piece | readonly BatchItem[], void> {
  if (Symbol.asyncIterator in frames) yield* fromAsync(frames[Symbol.asyncIterator]());
  else yield* fromSync(frames[Symbol.iterator]());
}

/** The same for those who run no lines. */
export async function* itemsIn(
  pieces: AsyncIterable<Piece | readonly BatchItem[]>,
  rules: FrameRules,
): AsyncGenerator<readonly BatchItem[], void> {
  for await (const piece of pieces)
    if ("bytes" in piece) yield itemsOf(piece, rules);
    else yield "index" in piece ? [piece] : piece;
}

async function* fromAsync(frames: AsyncIterator<Given>): AsyncGenerator<Piece | readonly BatchItem[], void> {
  let isOver = false;
  try {
    for (let index = 0; ; index++) {
      const { value, done } = await frames.next();
      if (done === true) {
        isOver = true;
        return;
      }
      if (index === 0 && value instanceof Uint8Array) {
        yield* cutLines(blocks(value, frames), EVERY_LINE);
        return;
      }
      yield [itemOf(index, value)];
    }
  } finally {
    if (!isOver) await frames.return?.();
  }
}

async function* fromSync(frames: Iterator<Given>): AsyncGenerator<Piece | readonly BatchItem[], void> {
  let isOver = false;
  let group: BatchItem[] = [];
  try {
    for (let index = 0; ; index++) {
      const { value, done } = frames.next();
      if (done === true) break;
      if (index === 0 && value instanceof Uint8Array) {
        yield* cutLines(blocks(value, frames), EVERY_LINE);
        return;
      }
      group.push(itemOf(index, value));
      if (group.length < GROUP) continue;
      yield group;
      group = [];
    }
    isOver = true;
    yield group;
  } finally {
    if (!isOver) frames.return?.();
  }
}

async function* blocks(
  first: Uint8Array,
  rest: AsyncIterator<Given> | Iterator<Given>,
): AsyncGenerator<Uint8Array, void> {
  for (let block: unknown = first; ; ) {
    if (!(block instanceof Uint8Array)) throw notBytes();
    yield block;
    const { value, done } = await rest.next();
    if (done === true) return;
    block = value;
  }
}

function notBytes(): RequestInvalid {
  return new RequestInvalid([{ path: "/frames", code: "type", message: "blocks of bytes and frames are mixed" }]);
}

/** Who embeds this without its types may hand in anything, and it spoils no other frame. */
function itemOf(index: number, frame: unknown): BatchItem {
  if (isObject(frame) && !(frame instanceof Uint8Array)) return { index, frame: frame as JsonObject };
  return { index, fault: { ok: false, error: "invalid_json", message: `frame ${index} is not an object` } };
}
