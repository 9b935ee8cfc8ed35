/**
 * Bodies and answers that are compressed: which codings this Node has, how a body is decoded as it is read, and which coding an answer has.
 * What comes out of a body is bounded where it is read, so a small body that becomes a large one is refused like a large one.
 */
import type { IncomingHttpHeaders } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { ServiceFault } from "../../wire/errors.ts";
import { countReceived } from "./stream.ts";

export type Coding = "gzip" | "zstd";

type Codec = { readonly decode: () => Transform; readonly encode: () => Transform };
type Make = (options: object) => Transform;

/** Rows of a stream are alike: more effort than the least gains little of them. */
const LEVEL = 1;
const WINDOW_LOG_MAX = 23;

/** Parts of zlib that not every Node has. */
const made = zlib as unknown as { readonly [name: string]: Make | undefined };
const { constants } = zlib as unknown as { readonly constants: Readonly<Record<string, number>> };

function zstd(): Codec | null {
  const { createZstdDecompress, createZstdCompress } = made;
  if (createZstdDecompress === undefined || createZstdCompress === undefined) return null;
  const { ZSTD_d_windowLogMax: windowLogMax = 0, ZSTD_c_compressionLevel: level = 0, ZSTD_e_flush: flush } = constants;
  return {
    decode: () => createZstdDecompress({ params: { [windowLogMax]: WINDOW_LOG_MAX } }),
    encode: () => createZstdCompress({ params: { [level]: LEVEL }, flush }),
  };
}

const GZIP: Codec = {
  decode: () => zlib.createGunzip(),
  // Each row leaves when it is there, not when a block of the coding is full.
  encode: () => zlib.createGzip({ level: LEVEL, flush: zlib.constants.Z_SYNC_FLUSH }),
};
const ZSTD = zstd();
const CODECS: ReadonlyMap<string, Codec> = new Map([
  ["gzip", GZIP],
  ...(ZSTD === null ? [] : [["zstd", ZSTD] as const]),
]);

/** Names of the codings, for messages and headers. */
const CODINGS: readonly string[] = [...CODECS.keys()];

/** The coding of a body; null: it is sent as it is. Throws ServiceFault unsupported_media_type. */
function codingOf(headers: IncomingHttpHeaders): Coding | null {
  const named = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (named === "identity" || named === "") return null;
  if (CODECS.has(named)) return named as Coding;
  const message = `send the body without Content-Encoding, or with ${CODINGS.join(" or ")}`;
  throw new ServiceFault("unsupported_media_type", message, {}, { "accept-encoding": CODINGS.join(", ") });
}

/** The bytes that a body stands for. Throws ServiceFault unsupported_media_type. */
export function decodedBody(incoming: Readable & { readonly headers: IncomingHttpHeaders }): Readable {
  const coding = codingOf(incoming.headers);
  if (coding === null) return incoming;
  const decoder = (CODECS.get(coding) as Codec).decode();
  incoming.on("data", (chunk: Buffer) => countReceived(incoming, chunk.length));
  // A body that cannot be decoded must not take its connection along: the answer says why.
  incoming.pipe(decoder);
  incoming.once("close", () => {
    if (!incoming.readableEnded) decoder.destroy(new Error("the connection closed"));
  });
  decoder.on("error", () => {});
  decoder.once("close", () => incoming.unpipe(decoder));
  return decoder;
}

/** The coding of an answer: the one that the request names with the most weight; null: none. */
export function wantedCoding({ "accept-encoding": accepted = "" }: IncomingHttpHeaders): Coding | null {
  const named = (Array.isArray(accepted) ? accepted.join(",") : accepted).split(",").map((part) => {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const weight = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    return { name, weight };
  });
  const [first] = named
    .filter(({ name, weight }) => weight > 0 && CODECS.has(name))
    .sort((a, b) => b.weight - a.weight);
  return first === undefined ? null : (first.name as Coding);
}

/** The same bytes in a coding. */
export function encodedStream(stream: Readable, coding: Coding): Readable {
  // A failure of one end destroys the other; who reads hears of it.
  return pipeline(stream, (CODECS.get(coding) as Codec).encode(), () => {});
}
