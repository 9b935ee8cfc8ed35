/** The frame of a run that an endpoint begins: path parameters, query parameters and the body, for the inputs that the label declares. */
import type { IncomingHttpHeaders } from "node:http";
import { isObject, type Json, type JsonObject, setMember } from "../../../compiler/json.ts";
import { exactText, isJsonNumber, keepComposed, memberTexts, plainly } from "../../../vm/inputs/exact-text.ts";
import { exactBody } from "../../run/exact-body.ts";
import { faults } from "../../wire/errors.ts";
import type { InputReading } from "./endpoint-types.ts";
import type { Fields } from "./forms.ts";
import { BODY_INPUT, REQUEST_INPUT, type ReadyEndpoint } from "./program-api.ts";

export type EndpointCall = {
  readonly method: string;
  /** Below the program, as it was sent. */
  readonly path: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Undefined when it is absent. */
  readonly body: Json | undefined;
  /** The texts of a form; null: the body is not a form. */
  readonly fields: Fields | null;
};

/** What is in the path goes before the body, and that before the query. Throws ServiceFault invalid_request. */
export function frameOf(
  { inputs, isOpen, settings }: Pick<ReadyEndpoint, "inputs" | "isOpen" | "settings">,
  call: EndpointCall,
  { read, readQuery, declaresRequest }: InputReading,
): JsonObject {
  const frame: { [name: string]: Json } = {};
  /** What the texts of members say more than their values. */
  const pieces = new Map<string, string>();
  for (const name of isOpen ? new Set([...inputs, ...call.query.keys()]) : inputs) {
    const texts = call.query.getAll(name);
    if (texts.length === 0) continue;
    setMember(frame, name, readQuery(name, texts));
    keepNumber(pieces, name, frame, texts);
  }
  const { fields } = call;
  const body = call.body === undefined ? undefined : plainly(call.body);
  if (isWholeBody({ inputs, isOpen, settings }, call)) {
    setMember(frame, BODY_INPUT, body ?? null);
  } else if (isObject(body)) {
    const texts = memberTexts(body);
    for (const name of isOpen ? Object.keys(body) : inputs) {
      if (!Object.hasOwn(body, name)) continue;
      const written = fields?.get(name);
      if (written !== undefined) {
        setMember(frame, name, readQuery(name, written));
        keepNumber(pieces, name, frame, written);
        continue;
      }
      setMember(frame, name, body[name] ?? null);
      const text = texts.get(name);
      if (text === undefined) pieces.delete(name);
      else pieces.set(name, text);
    }
  } else if (body !== undefined) {
    if (!inputs.has(BODY_INPUT))
      throw faults.invalidRequest([{ path: "", code: "type", message: "expected one JSON object" }]);
    setMember(frame, BODY_INPUT, body);
  }
  for (const [name, text] of call.parameters) {
    if (!isOpen && !inputs.has(name)) continue;
    setMember(frame, name, read(name, text));
    pieces.delete(name);
    keepNumber(pieces, name, frame, [text]);
  }
  if (declaresRequest) setMember(frame, REQUEST_INPUT, requestValue(call, settings.headers ?? []));
  keepBody(frame, pieces, call.body);
  return frame;
}

/** A number that was written `5.0`, or with many digits, is one of a JSON text as well. */
function keepNumber(
  pieces: Map<string, string>,
  name: string,
  frame: { readonly [name: string]: Json },
  texts: readonly string[],
): void {
  const [text = ""] = texts;
  if (texts.length === 1 && typeof frame[name] === "number" && isJsonNumber(text)) pieces.set(name, text);
}

/** The whole body as an input has its text already. */
function keepBody(
  frame: { readonly [name: string]: Json },
  pieces: Map<string, string>,
  body: EndpointCall["body"],
): void {
  const text = exactText(body);
  const isWhole = Object.hasOwn(frame, BODY_INPUT) && body !== undefined && frame[BODY_INPUT] === plainly(body);
  if (text !== undefined && isWhole && !pieces.has(BODY_INPUT)) pieces.set(BODY_INPUT, text);
  keepComposed(frame, pieces);
}

/** Whether the input `body` is the body as it came: the settings say so, or nothing else is left that its members could be for. */
function isWholeBody(
  { inputs, isOpen, settings }: Pick<ReadyEndpoint, "inputs" | "isOpen" | "settings">,
  { body, parameters, query }: EndpointCall,
): boolean {
  if (body === undefined || !inputs.has(BODY_INPUT)) return false;
  if (settings.body === "whole") return true;
  return !isOpen && [...inputs].every((name) => name === BODY_INPUT || parameters.has(name) || query.has(name));
}

/** Of a repeated query parameter all values are given, as a list. */
function requestValue({ method, path, query, headers }: EndpointCall, listed: readonly string[]): Json {
  const values: { [name: string]: Json } = {};
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name);
    setMember(values, name, texts.length === 1 ? (texts[0] ?? "") : texts);
  }
  const shown: { [name: string]: Json } = {};
  for (const name of listed) {
    const value = headers[name.toLowerCase()];
    if (value !== undefined) setMember(shown, name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value);
  }
  return { method, path, query: values, headers: shown };
}

/** What tells a delivery from others, by the setting `dedupe`. Throws ServiceFault invalid_request when the request does not have it. */
export function deliveryKey(dedupe: string, { headers, body }: EndpointCall): string {
  const value = dedupe.startsWith("/") ? at(body, dedupe) : headers[dedupe.toLowerCase()];
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number") {
    // Ids of 64 bits differ in digits that a double does not hold.
    const exact = at(exactBody(body), dedupe);
    if (exact !== undefined) return typeof exact === "string" ? exact : JSON.stringify(exact);
  }
  const where = dedupe.startsWith("/") ? "body" : "headers";
  const message = `a delivery needs ${dedupe.startsWith("/") ? "a string or a number here" : `the header ${dedupe}`}, by which repeated ones are known`;
  throw faults.invalidRequest([{ path: where === "body" ? dedupe : "", code: "delivery_key", message }], where);
}

/** The value at a JSON pointer. */
function at(value: Json | undefined, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const part of path.slice(1).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null) return undefined;
    found = Object.hasOwn(found, key) ? (found as { readonly [key: string]: Json })[key] : undefined;
  }
  return found;
}
