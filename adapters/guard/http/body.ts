/**
 * The body of an answer: content codings taken off while it streams, counted after that, and given up as soon as it is too large, so
 * that a small compressed body cannot fill the process.
 */
import { addAbortSignal, Duplex, pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { adapterError } from "../../errors.ts";

const MAX_CODINGS = 5;
const ZLIB_HEADER_BYTES = 2;

/** By the name of a content coding. */
const CONTENT_DECODERS: ReadonlyMap<string, () => Duplex> = new Map([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => Duplex.from(inflated)],
  ["br", () => createBrotliDecompress()],
]);

export const ACCEPTED_CODINGS = "gzip, deflate, br";

export type BodyBounds = {
  /** After decoding. */
  readonly maxBytes: number;
  /** Ends the decoding, too: a few bytes may keep decoders busy for hours without giving anything that could be counted. */
  readonly signal: AbortSignal;
  readonly onBytes?: ((bytes: number) => void) | undefined;
};

/** The decoded bytes. Throws TOO_LARGE and BAD_DATA; a connection that breaks rejects with its own error. */
export async function readBody(
  body: Readable,
  codings: readonly string[],
  { maxBytes, signal, onBytes }: BodyBounds,
): Promise<Buffer> {
  const decoders = decodersFor(codings);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, await decoded(body, decoders))) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > maxBytes) {
      const data = { max_response_bytes: maxBytes };
      throw adapterError("ADAPTER_TOO_LARGE", `the answer is larger than ${maxBytes} bytes`, { data });
    }
    chunks.push(bytes);
    onBytes?.(size);
  }
  return Buffer.concat(chunks, size);
}

/** `codings` as the header names them: what was applied last comes off first. */
function decodersFor(codings: readonly string[]): readonly (() => Duplex)[] {
  const applied = codings
    .flatMap((value) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (applied.length > MAX_CODINGS) throw adapterError("ADAPTER_BAD_DATA", "the answer has too many content codings");
  return applied.reverse().map((coding) => {
    const decoder = CONTENT_DECODERS.get(coding);
    if (decoder !== undefined) return decoder;
    throw adapterError("ADAPTER_BAD_DATA", "the answer has a content coding that was not requested");
  });
}

async function decoded(body: Readable, decoders: readonly (() => Duplex)[]): Promise<Readable> {
  if (decoders.length === 0) return body;
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  // No coding gives nothing at all, but servers name one for empty bodies too.
  if (first.done === true) return body;
  // A failure of either side destroys the other; reading the last decoder then reports it.
  return decoders.reduce<Readable>(
    (stream, decoder) => pipeline(stream, decoder(), () => {}),
    Readable.from(resumed(first.value, chunks), { objectMode: false }),
  );
}

/** `deflate` as zlib's format, which RFC 9110 says, or as the bare data that some servers send under its name and browsers take. */
async function* inflated(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < ZLIB_HEADER_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const decoder = isZlib(head) ? createInflate() : createInflateRaw();
  yield* pipeline(Readable.from(resumed(head, chunks), { objectMode: false }), decoder, () => {});
}

/** RFC 1950, 2.2: method and check bits of the header. */
function isZlib([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

async function* resumed(first: Buffer, others: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await others.next(); next.done !== true; next = await others.next()) yield next.value;
  } finally {
    await others.return?.();
  }
}

/** Whether reading failed because the coding is invalid, rather than because the connection ended. */
export function isCodingFault(code: string): boolean {
  return code.startsWith("Z_") || code.startsWith("ERR_BROTLI") || code.startsWith("ERR__ERROR_");
}
