/**
 * Bodies as pages and older senders make them: `application/x-www-form-urlencoded`, and `multipart/form-data` (RFC 7578). Fields have texts, and a
 * file is an object with its bytes in base64. Bounded before anything is built; nothing here knows what a field means.
 */
import { isUtf8 } from "node:buffer";
import { type Json, type JsonObject, setMember } from "../../../compiler/json.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";

const MAX_FIELDS = 1000;
const MAX_PARTS = 1000;
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_FILE_BYTES = 1024 * 1024;

/** Texts by name, in the order in which names first stand. */
export type Fields = ReadonlyMap<string, readonly string[]>;
type ReadFields = { readonly ok: true; readonly fields: Fields } | { readonly ok: false; readonly why: string };

/** What a form says, and its texts, which inputs read as they read a query. */
export type FormBody = { readonly value: JsonObject; readonly fields: Fields };

export function readForm(bytes: Buffer): ReadFields {
  if (!isUtf8(bytes)) return { ok: false, why: "the form is not UTF-8" };
  const text = bytes.toString("utf8");
  let pairs = 1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) pairs += 1;
  if (pairs > MAX_FIELDS) return { ok: false, why: `the form has more than ${MAX_FIELDS} fields` };
  // What is escaped must be UTF-8 as well: it would be replaced without a word.
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return { ok: false, why: "a % in the form is not followed by two hex digits" };
  const fields = new Map<string, string[]>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const mark = pair.indexOf("=");
    const name = unescaped(mark < 0 ? pair : pair.slice(0, mark));
    const value = unescaped(mark < 0 ? "" : pair.slice(mark + 1));
    if (name === null || value === null) return { ok: false, why: "an escape in the form is not UTF-8" };
    add(fields, name, value);
  }
  return { ok: true, fields };
}

function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

function add<T>(fields: Map<string, T[]>, name: string, value: T): void {
  const texts = fields.get(name);
  if (texts === undefined) fields.set(name, [value]);
  else texts.push(value);
}

/** Throws ServiceFault invalid_request. */
export function formBody(bytes: Buffer): FormBody {
  const read = readForm(bytes);
  if (!read.ok) throw refused(read.why);
  return { value: objectOf(read.fields), fields: read.fields };
}

/** `type`: of the body, with its boundary. `takesFiles`: files are read, else they are refused. Throws ServiceFault. */
export function multipartBody(bytes: Buffer, type: string, takesFiles: boolean): FormBody {
  const boundary = boundaryOf(type);
  if (boundary === null) throw refused("the type of the body has no boundary, or one that is too long");
  const all = new Map<string, Json[]>();
  const fields = new Map<string, string[]>();
  for (const { head, content } of partsOf(bytes, Buffer.from(`--${boundary}`, "latin1"))) {
    const { name, filename, contentType } = headOf(head);
    if (filename === null) {
      if (!isUtf8(content)) throw refused("a field of the form is not UTF-8");
      const text = content.toString("utf8");
      add(fields, name, text);
      add(all, name, text);
      continue;
    }
    if (!takesFiles) throw refused('the form has a file: the endpoint takes files with the setting "files"', "file");
    if (content.length > MAX_FILE_BYTES)
      throw new ServiceFault("payload_too_large", `a file of the form is larger than ${MAX_FILE_BYTES} bytes`);
    add(all, name, { filename, content_type: contentType, base64: content.toString("base64") });
  }
  return { value: objectOf(all), fields };
}

/** A field that occurs once is its value, others are lists. */
function objectOf(fields: ReadonlyMap<string, readonly Json[]>): JsonObject {
  const value: { [name: string]: Json } = {};
  for (const [name, values] of fields) {
    if (name === "__proto__") throw refused("a field of the form has a name that is not allowed");
    const [first = ""] = values;
    setMember(value, name, values.length === 1 ? first : [...values]);
  }
  return value;
}

/** 1 to 70 characters, maybe in quotes (RFC 2046, 5.1.1). */
function boundaryOf(type: string): string | null {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain ?? "";
  return /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/.test(boundary) ? boundary : null;
}

type Part = { readonly head: string; readonly content: Buffer };

const LINE = Buffer.from("\r\n");
const BLANK = Buffer.from("\r\n\r\n");

function partsOf(bytes: Buffer, mark: Buffer): readonly Part[] {
  const parts: Part[] = [];
  // What stands before the first mark means nothing.
  let at = bytes.subarray(0, mark.length).equals(mark) ? 0 : after(bytes, mark, 0);
  const between = Buffer.concat([LINE, mark]);
  for (;;) {
    at += mark.length;
    if (bytes.subarray(at, at + 2).toString("latin1") === "--") return parts;
    while (bytes[at] === SPACE || bytes[at] === TAB) at += 1;
    if (!bytes.subarray(at, at + 2).equals(LINE)) throw refused("a boundary of the form is not followed by a line end");
    if (parts.length >= MAX_PARTS) throw refused(`the form has more than ${MAX_PARTS} parts`);
    const blank = bytes.indexOf(BLANK, at);
    if (blank < 0 || blank - at > MAX_HEAD_BYTES) throw refused("a part of the form has no end of its headers");
    const end = bytes.indexOf(between, blank + LINE.length);
    if (end < 0) throw refused("the form does not end with its boundary");
    const content = bytes.subarray(Math.min(blank + BLANK.length, end), end);
    parts.push({ head: bytes.subarray(at + LINE.length, blank).toString("utf8"), content });
    at = end + LINE.length;
  }
}

const SPACE = 0x20;
const TAB = 0x09;

/** Where the mark stands at the begin of a line. */
function after(bytes: Buffer, mark: Buffer, from: number): number {
  const found = bytes.indexOf(Buffer.concat([LINE, mark]), from);
  if (found < 0) throw refused("the form does not begin with its boundary");
  return found + LINE.length;
}

function headOf(head: string): {
  readonly name: string;
  readonly filename: string | null;
  readonly contentType: string;
} {
  const lines = head.split("\r\n");
  const of = (name: string): string | undefined =>
    lines.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1);
  const disposition = of("content-disposition") ?? "";
  if (!/^\s*form-data\s*(?:;|$)/i.test(disposition)) throw refused("a part of the form does not say form-data");
  const name = parameter(disposition, "name");
  if (name === null) throw refused("a part of the form has no name");
  const contentType = (of("content-type") ?? "text/plain").trim().slice(0, 200);
  return { name, filename: parameter(disposition, "filename"), contentType };
}

/** As browsers write them: in quotes, in which a quote is `%22` or `\"`. */
function parameter(disposition: string, name: string): string | null {
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, "i").exec(disposition) ?? [];
  const text = quoted?.replace(/\\(.)/g, "$1") ?? plain;
  return text?.replace(/%22/g, '"').replace(/%0D/gi, "\r").replace(/%0A/gi, "\n") ?? null;
}

function refused(message: string, code = "form"): ServiceFault {
  return faults.invalidRequest([{ path: "", code, message }]);
}
