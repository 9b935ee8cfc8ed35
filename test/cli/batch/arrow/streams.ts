/** Arrow streams and files for tests: written by the library, taken apart, changed and put together again. */
import * as arrow from "apache-arrow";
import { arrowFrames } from "../../../../cli/batch/arrow/reader.ts";
import type { Piece } from "../../../../vm/batch/rows/cut-lines.ts";
import { EVERY_LINE, type LineSelection } from "../../../../vm/batch/rows/cut-lines.ts";

export type Message = { readonly metadata: Uint8Array; readonly body: Uint8Array };

export const END_MARK: Uint8Array = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
const MAGIC = Buffer.from("ARROW1");

/** A column; `type` says how the values are written. */
export const column = (values: readonly unknown[], type: arrow.DataType): arrow.Vector =>
  arrow.vectorFromArray(values as unknown[], type);

export function streamWith(columns: Readonly<Record<string, arrow.Vector>>): Uint8Array {
  return arrow.tableToIPC(new arrow.Table(columns), "stream");
}

/** As pyarrow, polars and others write files: a stream between a mark and a footer. */
export function fileOf(stream: Uint8Array, footer: Uint8Array = new Uint8Array(40)): Uint8Array {
  return Buffer.concat([MAGIC, Buffer.alloc(2), stream, footer, int32(footer.length), MAGIC]);
}

export function messagesOf(stream: Uint8Array): Message[] {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  const messages: Message[] = [];
  for (let at = 0; ; ) {
    const length = view.getInt32(at + 4, true);
    if (length === 0) return messages;
    const metadata = stream.subarray(at + 8, at + 8 + length);
    const body = at + 8 + length;
    at = body + arrow.Message.decode(metadata).bodyLength;
    messages.push({ metadata, body: stream.subarray(body, at) });
  }
}

export function messageBytes({ metadata, body }: Message): Uint8Array {
  return Buffer.concat([int32(-1), int32(metadata.length), metadata, body]);
}

export function streamOf(messages: readonly Message[]): Uint8Array {
  return Buffer.concat([...messages.map(messageBytes), END_MARK]);
}

type Header = {
  nodes: { length: number; nullCount: number }[];
  buffers: { offset: number; length: number }[];
  _length: number;
};

/** A message whose header is changed; `body`: the length of the body that it tells. */
export function changed(message: Message, change: (header: Header) => void, body?: number | bigint): Message {
  const told = arrow.Message.decode(message.metadata);
  const header = told.header() as unknown as Header;
  change("data" in header ? (header.data as Header) : header);
  const metadata = arrow.Message.encode(
    new arrow.Message(body ?? told.bodyLength, told.version, told.headerType, header),
  );
  return { ...message, metadata: Buffer.concat([metadata, Buffer.alloc((8 - (metadata.length % 8)) % 8)]) };
}

export type Reading = { readonly blockBytes?: number; readonly total?: number | null } & Partial<LineSelection>;

export async function piecesOf(
  bytes: Uint8Array,
  { blockBytes = 1_000_000, total = bytes.length, ...selection }: Reading = {},
): Promise<Piece[]> {
  async function* blocks() {
    for (let at = 0; at < bytes.length; at += blockBytes) yield bytes.subarray(at, at + blockBytes);
  }
  const pieces: Piece[] = [];
  for await (const piece of arrowFrames(blocks(), { ...EVERY_LINE, ...selection }, total)) pieces.push(piece);
  return pieces;
}

/** The JSON text of each frame, or the message of its fault. */
export async function rowsOf(bytes: Uint8Array, reading: Reading = {}): Promise<string[]> {
  const texts = (piece: Piece): readonly string[] =>
    "fault" in piece ? [piece.fault.message] : Buffer.from(piece.bytes).toString().split("\n");
  return (await piecesOf(bytes, reading)).flatMap(texts);
}

/** The message with which the input is refused. */
export async function refusalOf(bytes: Uint8Array, reading: Reading = {}): Promise<string> {
  try {
    await piecesOf(bytes, reading);
  } catch (cause) {
    if (cause instanceof Error && cause.name === "CliFault") return cause.message;
    throw cause;
  }
  return "read";
}

function int32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
