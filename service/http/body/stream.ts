/**
 * Reading the body of a request from its socket: bounded in bytes and in time, refused before it is read where its length or encoding
 * says so. What the bytes mean is decided elsewhere.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Clock } from "../../../vm/run.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import type { BodyRoom } from "./room.ts";

export type BodyBounds = {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly room: BodyRoom;
};

/** What may stand in Content-Type of a route. */
export type BodyKind = "json" | "ndjson";

const JSON_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/;
const NDJSON_TYPE = /^application\/(?:x-)?ndjson$/;

/**
 * The kind of a body by its headers. `mayBeCoded`: the route decodes what has a Content-Encoding. A page can send a body without type across origins without asking, so one that bears an Origin
 * must name its type. Throws ServiceFault unsupported_media_type.
 */
export function bodyKind(headers: IncomingHttpHeaders, mayBeCoded = false): BodyKind {
  if (
    headers["content-type"] === "application/json" &&
    headers["content-encoding"] === undefined &&
    headers["transfer-encoding"] === undefined
  )
    return "json";
  const { type, isJson } = plainType(headers, mayBeCoded);
  if (isJson) return "json";
  if (NDJSON_TYPE.test(type)) return "ndjson";
  throw faults.notJson();
}

/** The type of a body that is sent as it is, in UTF-8; with `mayBeCoded` also of others. Throws ServiceFault unsupported_media_type. */
export function plainType(
  headers: IncomingHttpHeaders,
  mayBeCoded = false,
): { readonly type: string; readonly isJson: boolean } {
  const coding = (headers["transfer-encoding"] ?? "chunked").trim().toLowerCase();
  if (coding !== "chunked")
    throw new ServiceFault("unsupported_media_type", "send the body without another Transfer-Encoding than chunked");
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding !== "identity" && encoding !== "" && !mayBeCoded)
    throw new ServiceFault("unsupported_media_type", "send the body without Content-Encoding");
  const [type = "", ...parameters] = (headers["content-type"] ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice(8)
    .replaceAll('"', "");
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8")
    throw new ServiceFault("unsupported_media_type", "send the body as UTF-8");
  return { type, isJson: JSON_TYPE.test(type) || (type === "" && headers.origin === undefined) };
}

/** Bytes held by bodies without Content-Length, by stream. */
const received = new WeakMap<Readable, number>();

/** Bytes that were read of a body. */
export function receivedOf(stream: Readable): number {
  return received.get(stream) ?? 0;
}

export function countReceived(stream: Readable, bytes: number): void {
  received.set(stream, receivedOf(stream) + bytes);
}

/** What `read` makes of the whole body. Rejects with what it throws, and with ServiceFault payload_too_large, request_timeout, server_busy and invalid_json. */
export function readBody<T>(
  stream: Readable,
  headers: IncomingHttpHeaders,
  bounds: BodyBounds,
  read: (body: Buffer) => T | Promise<T>,
): Promise<T> {
  const announced = Number(headers["content-length"] ?? Number.NaN);
  if (announced > bounds.maxBytes) return Promise.reject(tooLarge(bounds.maxBytes));
  const chunks: Buffer[] = [];
  const share = bounds.room.share();
  let size = 0;
  return new Promise((resolve, reject) => {
    let stop = (): void => undefined;
    let isWaited = true;
    // Nearly every body came together with its headers, and is here by then.
    queueMicrotask(() => {
      if (isWaited && size !== announced) stop = bounds.clock.wait(bounds.timeoutMs, () => refuse(timedOut()));
    });
    const end = (): void => {
      isWaited = false;
      stop();
    };
    const refuse = (fault: unknown): void => {
      end();
      share.release();
      chunks.length = 0;
      stream.off("data", onData);
      reject(fault);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (Number.isNaN(announced)) countReceived(stream, chunk.length);
      try {
        if (size > bounds.maxBytes) throw tooLarge(bounds.maxBytes);
        share.hold(size);
        chunks.push(chunk);
      } catch (cause) {
        refuse(cause);
      }
    };
    stream.on("data", onData);
    stream.on("end", () => {
      end();
      try {
        resolve(read(wholeOf(chunks, size)));
      } catch (cause) {
        reject(cause);
      } finally {
        share.release();
      }
    });
    stream.on("close", () => {
      // Comes after a good end as well.
      if (!stream.readableEnded) refuse(brokenOff(stream.errored));
    });
  });
}

/** Most bodies come in one piece. */
function wholeOf(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size);
}

/** What is left of the body is not wanted, so the connection cannot serve another request. */
const CLOSE = { connection: "close" } as const;

function tooLarge(maxBytes: number): ServiceFault {
  return new ServiceFault("payload_too_large", `the body is larger than ${maxBytes} bytes`, {}, CLOSE);
}

export function timedOut(): ServiceFault {
  return new ServiceFault("request_timeout", "the body did not arrive in time", {}, CLOSE);
}

/** The client is gone, and the code is only for the log, unless the body could not be decoded. */
export function brokenOff(cause: unknown): ServiceFault {
  if (isUndecodable(cause))
    return new ServiceFault("invalid_json", "the body is not what its Content-Encoding says", {}, CLOSE);
  return new ServiceFault("invalid_json", "the connection closed before the body was complete", {}, CLOSE);
}

/** Whether a body could not be decoded. */
function isUndecodable(cause: unknown): boolean {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return code.startsWith("Z_") || code.startsWith("ZSTD_") || code.startsWith("ERR_ZSTD");
}
