/**
 * The body of an answer: content codings taken off while it streams, counted after that, and given up as soon as it is too large, so
 * that a small compressed body cannot fill the process.
 */
import { addAbortSignal, pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { adapterError } from "../errors.ts";

const MAX_CODINGS = 5;

/** By the name of a content coding. */
export const CONTENT_DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);

export const ACCEPTED_CODINGS = "gzip, deflate, br";

export type BodyBounds = {
  /** After decoding. */
  readonly maxBytes: number;
  /** Ends the decoding, too: a few bytes may keep decoders busy for hours without giving anything that could be counted. */
  readonly signal: AbortSignal;
};

/** The decoded bytes. Throws TOO_LARGE and BAD_DATA; a connection that breaks rejects with its own error. */
export async function readBody(
  body: Readable,
  codings: readonly string[],
  { maxBytes, signal }: BodyBounds,
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
  }
  return Buffer.concat(chunks, size);
}

/** `codings` as the header names them: what was applied last comes off first. */
function decodersFor(codings: readonly string[]): readonly (() => Transform)[] {
  const applied = codings
    .flatMap((value) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (applied.length > MAX_CODINGS) throw adapterError("ADAPTER_BAD_DATA", "the answer has too many content codings");
  return applied.reverse().map((coding) => {
    const decoder = CONTENT_DECODERS.get(coding);
    if (decoder !== undefined) return decoder;
    throw adapterError("ADAPTER_BAD_DATA", "the answer has a content coding that nobody asked for");
  });
}

async function decoded(body: Readable, decoders: readonly (() => Transform)[]): Promise<Readable> {
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

async function* resumed(first: Buffer, others: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    for (let next = await others.next(); next.done !== true; next = await others.next()) yield next.value;
  } finally {
    await others.return?.();
  }
}

/** Whether reading failed because the bytes are no valid coding, rather than because they stopped coming. */
export function isCodingFault(code: string): boolean {
  return code.startsWith("Z_") || code.startsWith("ERR_BROTLI") || code.startsWith("ERR__ERROR_");
}
