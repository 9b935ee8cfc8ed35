/**
 * Lines of a byte stream and what they mean as JSON-RPC 2.0: bounded, strictly UTF-8, one message a line. An invalid line gets its
 * error answer here and goes no further; the session continues with the next line.
 */

import { isObject, type Json, type Members } from "../../compiler/json.ts";
import { keepMemberText, keepText } from "../../vm/inputs/exact-text.ts";
import { type LostDigits, numbersOf } from "../../vm/values/exact-numbers.ts";
import { checkDepth } from "../../vm/values/values.ts";
import { FAULT_CODES } from "./fault.ts";

export type RequestId = string | number;

export type Incoming =
  | { readonly kind: "message"; readonly message: Members }
  /** The answer to a request that the server sent, or that it never did. */
  | { readonly kind: "response"; readonly message: Members }
  /** Nothing to do: an empty line. */
  | { readonly kind: "ignored" }
  | { readonly kind: "refused"; readonly answer: ErrorAnswer };

/** Only the protocol version 2025-03-26 has batches. */
export type IncomingLine = Incoming | { readonly kind: "batch"; readonly messages: readonly Incoming[] };

export type ErrorAnswer = {
  readonly jsonrpc: "2.0";
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string };
};

export type LineHandler = {
  line(bytes: Buffer): void;
  /** A line was longer than allowed; the rest of it is skipped. */
  tooLong(): void;
};

const NEW_LINE = 0x0a;

/** Cuts chunks into lines. A line that never ends is kept up to `maxBytes` only. */
export function createLineSplitter(maxBytes: number, handler: LineHandler): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let bytes = 0;
  let skipping = false;
  const take = (part: Buffer): void => {
    if (skipping) return;
    bytes += part.length;
    if (bytes <= maxBytes) {
      parts.push(part);
      return;
    }
    skipping = true;
    parts = [];
    handler.tooLong();
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, start)) {
      take(chunk.subarray(start, end));
      const line = skipping ? null : Buffer.concat(parts);
      parts = [];
      bytes = 0;
      skipping = false;
      start = end + 1;
      if (line !== null) handler.line(line);
    }
    take(chunk.subarray(start));
  };
}

const MAX_BATCH = 1000;

/** `batches`: a line may hold a list of messages. */
export function readLine(line: Buffer, batches = false): IncomingLine {
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(line).trim();
    if (text === "") return { kind: "ignored" };
    value = JSON.parse(text);
  } catch {
    return refused("parseError", "Parse error: the line is not JSON", null);
  }
  if (!Array.isArray(value)) {
    keepFrameText(value, text);
    return readOne(value, lostIn(value, text), "");
  }
  if (!batches) return refused("invalidRequest", "Invalid Request: batches are not supported", null);
  if (value.length === 0) return refused("invalidRequest", "Invalid Request: the batch is empty", null);
  if (value.length > MAX_BATCH)
    return refused("invalidRequest", `Invalid Request: a batch has more than ${MAX_BATCH} messages`, null);
  const lost = lostIn(value, text);
  return { kind: "batch", messages: value.map((one: unknown, at) => readOne(one, lost, `/${at}`)) };
}

/** `lost`: of the line; `place`: of the message in it. */
function readOne(value: unknown, lost: readonly LostDigits[], place: string): Incoming {
  if (!isObject(value)) return refused("invalidRequest", "Invalid Request: a message is an object", null);
  keepLostDigits(value, lost, `${place}/params/arguments`);
  return readMessage(value);
}

/** By the arguments of a call. */
const lostDigits = new WeakMap<object, readonly LostDigits[]>();

/** Whole numbers among the arguments of a call that lost digits when the line was read. */
export function lostDigitsOf(args: object): readonly LostDigits[] {
  return lostDigits.get(args) ?? [];
}

function keepLostDigits({ params }: Members, lost: readonly LostDigits[], place: string): void {
  if (lost.length === 0 || !isObject(params) || !isObject(params["arguments"])) return;
  const own = lost.filter(({ path }) => path.startsWith(`${place}/`));
  lostDigits.set(
    params["arguments"],
    own.map((one) => ({ ...one, path: one.path.slice(place.length) })),
  );
}

/** Notes the text of the frame among the arguments of a call, where it says more than its value. */
function keepFrameText(message: unknown, text: string): void {
  keepText(message, text);
  let at = message;
  for (const name of ["params", "arguments", "frame"]) {
    if (!isObject(at) || !isObject(at[name])) return;
    keepMemberText(at, name, at[name]);
    at = at[name];
  }
}

function lostIn(value: unknown, text: string): readonly LostDigits[] {
  return isShallow(value) ? (numbersOf(text)?.lost ?? []) : [];
}

/** What nests too deeply is refused by the tools. */
function isShallow(value: unknown): boolean {
  try {
    checkDepth(value as Json);
    return true;
  } catch {
    return false;
  }
}

function readMessage(message: Members): Incoming {
  const { jsonrpc, method, id, params } = message;
  const known = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return refused("invalidRequest", 'Invalid Request: jsonrpc must be "2.0"', known);
  if (method === undefined && ("result" in message || "error" in message)) return { kind: "response", message };
  if (typeof method !== "string") return refused("invalidRequest", "Invalid Request: method must be a text", known);
  const isRequest = "id" in message;
  if (isRequest && known === null)
    return refused("invalidRequest", "Invalid Request: id must be a text or a whole number", null);
  if (params !== undefined && !isObject(params))
    return isRequest
      ? refused("invalidParams", "Invalid params: params must be an object", known)
      : { kind: "ignored" };
  return { kind: "message", message };
}

/** The answer to a message whose id is not known. */
export function errorAnswer(code: keyof typeof FAULT_CODES, message: string, id: RequestId | null = null): ErrorAnswer {
  return { jsonrpc: "2.0", id, error: { code: FAULT_CODES[code], message } };
}

function refused(code: keyof typeof FAULT_CODES, message: string, id: RequestId | null): Incoming {
  return { kind: "refused", answer: errorAnswer(code, message, id) };
}

export function isId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
