/**
 * The body of an answer: content codings taken off while it streams, counted after that, and given up as soon as it is too large, so
 * that a small compressed body cannot fill the process.
 */
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { adapterError } from "../errors.ts";

const MAX_CODINGS = 5;

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);

export const ACCEPTED_CODINGS = "gzip, deflate, br";

/** The decoded bytes. Throws TOO_LARGE and BAD_DATA; a connection that breaks rejects with its own error. */
export async function readBody(body: Readable, codings: readonly string[], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(body, codings)) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > maxBytes) {
      body.destroy();
      throw adapterError("ADAPTER_TOO_LARGE", `the answer is larger than ${maxBytes} bytes`, {
        data: { max_response_bytes: maxBytes },
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks, size);
}

/** `codings` as the header names them: the last was applied last. */
function decoded(body: Readable, codings: readonly string[]): Readable {
  const applied = codings
    .flatMap((value) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (applied.length > MAX_CODINGS) throw refusal(body, "the answer has too many content codings");
  let stream = body;
  for (const coding of applied.reverse()) {
    const decoder = DECODERS.get(coding)?.();
    if (decoder === undefined) throw refusal(body, "the answer has a content coding that nobody asked for");
    // A failure of either side destroys the other; reading the last decoder then reports it.
    stream = pipeline(stream, decoder, () => {});
  }
  return stream;
}

/** Whether reading failed because the bytes are no valid coding, rather than because they stopped coming. */
export function isCodingFault(code: string): boolean {
  return code.startsWith("Z_") || code.startsWith("ERR_BROTLI") || code.startsWith("ERR__ERROR_");
}

function refusal(body: Readable, message: string): Error {
  body.destroy();
  return adapterError("ADAPTER_BAD_DATA", message);
}
