/**
 * The body of an answer as text: decompressed, counted while it streams, strict UTF-8. What is too large stops the stream at once, so
 * that a small compressed body cannot fill the process.
 */
import { pipeline, type Readable } from "node:stream";
import { CONTENT_DECODERS } from "../adapters/guard/http-body.ts";
import { FetchRefusal } from "./fetch-refusal.ts";

export type BodyFacts = {
  /** Header content-encoding; empty: none. */
  readonly coding: string;
  /** Bytes after decompression. */
  readonly maxBytes: number;
  readonly onBytes: ((bytes: number) => void) | undefined;
};

export async function readBody(body: Readable, { coding, maxBytes, onBytes }: BodyFacts): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(body, coding.trim().toLowerCase())) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > maxBytes) throw new FetchRefusal("too_large", `the document is larger than ${maxBytes} bytes`);
    chunks.push(bytes);
    onBytes?.(size);
  }
  return textOf(Buffer.concat(chunks));
}

function decoded(body: Readable, coding: string): Readable {
  if (coding === "" || coding === "identity") return body;
  const decoder = CONTENT_DECODERS.get(coding)?.();
  if (decoder === undefined) throw new FetchRefusal("fetch_failed", "the server used an unknown content encoding");
  // A failure of either side destroys the other; reading the decoder then reports it.
  pipeline(body, decoder, () => {});
  return decoder;
}

function textOf(bytes: Buffer): string {
  const text = strictUtf8(bytes);
  if (text.includes("\0")) throw new FetchRefusal("not_text", "the document is binary data");
  return text;
}

function strictUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FetchRefusal("not_utf8", "the document is not valid UTF-8");
  }
}
