/**
 * Bytes to a JSON value, with the rules that hold for every body: UTF-8, one object, bounded nesting, finite numbers, and no member
 * that objects of the language would treat in a way of their own. Total for any bytes; nothing here knows what a body means.
 */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { pointer } from "../../../compiler/ir/issues.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { OperationFailure } from "../../../vm/errors/failures.ts";
import { readJson } from "../../../vm/functions/json/reader.ts";
import { exactly } from "../../../vm/inputs/exact-text.ts";
import type { Clock } from "../../../vm/run.ts";
import { completed, inTurns, Pace, type Task } from "../../../vm/tasks/task.ts";
import { unmetered } from "../../../vm/tasks/work-meter.ts";
import { keepNumbers, keepNumbersTask } from "../../run/exact-body.ts";
import { faults, type RequestIssue, ServiceFault } from "../../wire/errors.ts";
import { decodedBody } from "./coding.ts";
import type { BodyRoom } from "./room.ts";
import { bodyKind, readBody } from "./stream.ts";

const BODY_TIMEOUT_MS = 30_000;
const BYTE_ORDER_MARK = 0xfeff;
const MAX_NESTING = 512;
const MAX_IR_NESTING = 256;
const MAX_ISSUES = 100;
/** In these parts of a request names are ours, so the names of an object's own machinery are refused as well. */
const OUR_PARTS: readonly string[] = ["ir", "adapters", "policy", "limits"];

type BodyOf = {
  readonly config: { readonly maxBodyBytes: number };
  readonly clock: Clock;
  readonly bodies: BodyRoom;
};

/** The body of a request as one JSON object. Throws, or rejects with, ServiceFault. */
export function readJsonBody(of: BodyOf, incoming: IncomingMessage): Promise<JsonObject> {
  return readAs(of, incoming, (bytes) => readJsonPaced(bytes, of.clock));
}

/** The same for a body that may have a Content-Encoding; its bytes are bounded as they are decoded. */
export function readCodedJsonBody({ config, clock, bodies }: BodyOf, incoming: IncomingMessage): Promise<JsonObject> {
  if (bodyKind(incoming.headers, true) !== "json") throw faults.notJson();
  const stream = decodedBody(incoming);
  // Its length says how many bytes come, not how many there will be.
  const headers = stream === incoming ? incoming.headers : {};
  const bounds = { maxBytes: config.maxBodyBytes, timeoutMs: BODY_TIMEOUT_MS, clock, room: bodies };
  const body = readBody(stream, headers, bounds, (bytes) => readJsonPaced(bytes, clock));
  // A body that is refused is not decoded any further.
  if (stream !== incoming) body.catch(() => stream.destroy());
  return body;
}

/** As `readJsonBody`, where nothing asks for nothing in particular: an empty body is an object without members. */
export function readOptionalJsonBody(of: BodyOf, incoming: IncomingMessage): Promise<JsonObject> {
  return readAs(of, incoming, (bytes) => (bytes.length === 0 ? {} : readJsonPaced(bytes, of.clock)));
}

export function readAs<T>(of: BodyOf, incoming: IncomingMessage, read: (body: Buffer) => T | Promise<T>): Promise<T> {
  if (bodyKind(incoming.headers) !== "json") throw faults.notJson();
  return readBytes(of, incoming, read);
}

/** Of any type, which has been looked at. One promise: each more, and its turn, takes a part of a short run. */
export function readBytes<T>(
  { config, clock, bodies }: BodyOf,
  incoming: IncomingMessage,
  read: (body: Buffer) => T | Promise<T>,
): Promise<T> {
  const { headers } = incoming;
  const bounds = { maxBytes: config.maxBodyBytes, timeoutMs: BODY_TIMEOUT_MS, clock, room: bodies };
  return readBody(incoming, headers, bounds, read);
}

/**
 * A body that may be any JSON value, for programs to read. Undefined without a body. Throws, or rejects with, ServiceFault invalid_json or
 * invalid_request. A number
 * whose text says more, such as 5.0, is an object (`exact-text.ts`).
 */
export function readJsonValue(bytes: Uint8Array, clock: Clock): Json | undefined | Promise<Json> {
  if (bytes.length === 0) return undefined;
  if (bytes.length > LARGE_BODY) return inTurns(jsonValueTask(bytes), clock, setImmediate);
  const text = textOf(bytes);
  const value = parsed(text);
  if (typeof value !== "object" || value === null) {
    if (typeof value === "number" && !Number.isFinite(value))
      throw faults.invalidRequest([
        { path: "", code: "bad_number", message: "the number is outside the range of doubles" },
      ]);
    return exactly(value as Json, text.trim());
  }
  const issues = isPlain(value, 1) ? [] : issuesOf(value, false);
  if (issues.length > 0) throw faults.invalidRequest(issues);
  keepNumbers(value, text);
  return value as Json;
}

/** Larger bodies are read in pieces, with other requests in between. */
const LARGE_BODY = 128 * 1024;
/** Of an object of a large body. Programs refuse to make objects of more than 100,000; listing those of twice as many takes 0.05 s. */
const MAX_MEMBERS = 250_000;

function readJsonPaced(bytes: Buffer, clock: Clock): JsonObject | Promise<JsonObject> {
  if (bytes.length <= LARGE_BODY) return readJsonObject(bytes);
  return inTurns(jsonObjectTask(bytes), clock, setImmediate);
}

/** `readJsonValue` of a large body. */
function* jsonValueTask(bytes: Uint8Array): Task<Json> {
  const text = textOf(bytes);
  yield;
  const value = yield* parsedTask(text);
  if (typeof value !== "object" || value === null) return value;
  const issues = yield* issuesTask(value, false);
  if (issues.length > 0) throw faults.invalidRequest(issues);
  yield* keepNumbersTask(value, text, parsedTask);
  return value;
}

/** `readJsonObject` in pieces. */
function* jsonObjectTask(bytes: Buffer): Task<JsonObject> {
  const text = textOf(bytes);
  yield;
  const body = yield* parsedTask(text);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return checkedObject(body);
  const issues = yield* issuesTask(body, true);
  if (issues.length > 0) throw faults.invalidRequest(issues);
  yield* keepNumbersTask(body as JsonObject, text, parsedTask);
  return body as JsonObject;
}

function* parsedTask(text: string): Task<Json> {
  try {
    return yield* readJson(text, new Pace(unmetered), MAX_MEMBERS);
  } catch (cause) {
    if (!(cause instanceof OperationFailure)) throw cause;
    if (cause.causeType === "number_range")
      throw faults.invalidRequest([
        { path: "", code: "bad_number", message: "a number is outside the range of doubles" },
      ]);
    if (cause.causeType === "too_large")
      throw faults.invalidRequest([
        { path: "", code: "range", message: `an object has more than ${MAX_MEMBERS} members` },
      ]);
    throw new ServiceFault("invalid_json", "the body is not JSON");
  }
}

/** Throws ServiceFault invalid_json or invalid_request. */
export function readJsonObject(bytes: Uint8Array): JsonObject {
  const text = textOf(bytes);
  const body = checkedObject(parsed(text));
  keepNumbers(body, text);
  return body;
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new ServiceFault("invalid_json", "the request has no body; send one JSON object");
  if (!isUtf8(bytes)) throw new ServiceFault("invalid_json", "the body is not UTF-8");
  const text = (bytes instanceof Buffer ? bytes : Buffer.from(bytes)).toString("utf8");
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    throw new ServiceFault("invalid_json", "the body is not JSON");
  }
}

function checkedObject(value: unknown): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw faults.invalidRequest([{ path: "", code: "type", message: "expected one JSON object" }]);
  if (isPlain(value, 1)) return value as JsonObject;
  const issues = issuesOf(value);
  if (issues.length > 0) throw faults.invalidRequest(issues);
  return value as JsonObject;
}

/** How deep most bodies nest at most. */
const PLAIN_NESTING = 16;

/** A quick look that spares most bodies the thorough one: true only where that finds nothing. */
function isPlain(value: object, depth: number): boolean {
  if (depth > PLAIN_NESTING) return false;
  // A list would be asked for the names of its places.
  if (Array.isArray(value)) return value.every((element) => isPlainMember(element, depth));
  for (const key in value) {
    if (key === "__proto__" || key === "constructor" || key === "prototype") return false;
    if (!isPlainMember((value as { readonly [key: string]: unknown })[key], depth)) return false;
  }
  return true;
}

function isPlainMember(member: unknown, depth: number): boolean {
  if (typeof member === "object") return member === null || isPlain(member, depth + 1);
  return member !== Number.POSITIVE_INFINITY && member !== Number.NEGATIVE_INFINITY;
}

/** Pointers are made for findings only: of every object in a large body they would take longer than anything else. */
type Place = {
  readonly value: object;
  readonly within: Place | null;
  readonly key: string;
  readonly depth: number;
  readonly most: number;
  readonly ours: boolean;
};

/** Without recursion: a body may nest as deeply as its size admits. `isRequest`: some of its members are read by the service itself. */
function issuesOf(body: object, isRequest = true): RequestIssue[] {
  return completed(issuesTask(body, isRequest));
}

/** Members that are looked at between two yields. */
const PIECE = 4096;

function* issuesTask(body: object, isRequest: boolean): Task<RequestIssue[]> {
  let left = PIECE;
  const issues: RequestIssue[] = [];
  const root: Place = { value: body, within: null, key: "", depth: 1, most: MAX_NESTING, ours: false };
  const pending = [root];
  for (let place = pending.pop(); place !== undefined && issues.length < MAX_ISSUES; place = pending.pop()) {
    const { value, depth, most, ours } = place;
    const found = (code: string, message: string, key?: string): void => {
      issues.push({ path: shortened(pathOf(place, key)), code, message });
    };
    if (depth > most) {
      found("too_deep", `nested deeper than ${most === MAX_NESTING ? MAX_NESTING : MAX_IR_NESTING}`);
      continue;
    }
    const list = Array.isArray(value);
    const keys = list ? null : Object.keys(value);
    left -= keys?.length ?? 1;
    for (let at = 0; at < (keys?.length ?? (value as readonly unknown[]).length); at++) {
      if (issues.length >= MAX_ISSUES) break;
      if (--left <= 0) {
        left = PIECE;
        yield;
      }
      const name = keys === null ? at : (keys[at] as string);
      const member = (value as { readonly [key: string | number]: unknown })[name];
      // Most elements of long lists are nothing to stop at.
      if (list && (typeof member !== "object" || member === null) && typeof member !== "number") continue;
      if (list && Array.isArray(member) && member.length === 0 && depth < most) continue;
      const key = String(name);
      if (!list && isForbidden(key, ours)) found("forbidden_member", "this member name is refused", key);
      else if (typeof member === "number" && !Number.isFinite(member))
        found("bad_number", "the number is outside the range of doubles", key);
      else if (typeof member === "object" && member !== null)
        pending.push({
          value: member,
          within: place,
          key,
          depth: depth + 1,
          most: isRequest && depth === 1 && key === "ir" ? MAX_IR_NESTING + 1 : most,
          ours: ours || (isRequest && depth === 1 && OUR_PARTS.includes(key)),
        });
    }
  }
  return issues;
}

/** JSON pointer to a place, or to its member `key`. */
function pathOf(place: Place, key?: string): string {
  const keys = key === undefined ? [] : [key];
  for (let at: Place | null = place; at !== null && at.within !== null; at = at.within) keys.push(at.key);
  return keys.reduceRight((path, member) => pointer(path, member), "");
}

function isForbidden(key: string, ours: boolean): boolean {
  return key === "__proto__" || (ours && (key === "constructor" || key === "prototype"));
}

/** A pointer may be as long as the body is deep. */
function shortened(path: string): string {
  return path.length <= 300 ? path : `${path.slice(0, 300)}…`;
}
