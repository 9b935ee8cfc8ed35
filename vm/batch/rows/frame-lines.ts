/**
 * Frames as lines of JSON, a chunk of lines at a time: bytes that can be passed to another thread and are parsed there. A line that is not a
 * frame becomes a fault at its place and affects no other line. Empty lines are not frames; code that splits lines must count frames by the same rule.
 */
import type { JsonObject } from "../../../compiler/json.ts";
import { keepText } from "../../inputs/exact-text.ts";
import { lostIntegers, precisionMessage, precisionWarning } from "../../values/exact-numbers.ts";
import { MAX_NESTING } from "../../values/values.ts";
import type { BatchItem, FrameFault } from "../result.ts";

/** Whole lines; the last one may lack its end. */
export type FrameChunk = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of its first frame and its first line. */
  readonly index: number;
  readonly line: number;
};

const NEWLINE = 10;
/** What JSON takes for blanks, and nothing else. */
const BLANK = /^[ \t\r]*$/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export type FrameRules = {
  /** A frame whose whole numbers lose digits is a fault, else it has a warning. */
  readonly strict?: boolean;
  /** The program takes whole numbers of any length. */
  readonly keepsDigits?: boolean;
};

/** The items of a chunk, numbered on from its first. */
export function itemsOf(chunk: FrameChunk, { strict = false, keepsDigits = false }: FrameRules = {}): BatchItem[] {
  const items: BatchItem[] = [];
  let { index, line } = chunk;
  for (const text of linesOf(chunk.bytes)) {
    if (!isBlankLine(text)) {
      items.push(itemOfLine(text, { index, line, strict, keepsDigits }));
      index += 1;
    }
    line += 1;
  }
  return items;
}

type Place = Required<FrameRules> & { readonly index: number; readonly line: number };

export function isBlankLine(text: string | null): boolean {
  return text !== null && BLANK.test(text);
}

/** null: a line that is not UTF-8. */
export function itemOfLine(text: string | null, place: Place): BatchItem {
  return text === null ? { index: place.index, fault: brokenLine(place.line, "is not UTF-8") } : itemOf(place, text);
}

function itemOf({ index, line, strict, keepsDigits }: Place, given: string): BatchItem {
  let value: unknown;
  // A file may begin with a byte order mark.
  const text = line === 1 && given.startsWith("\uFEFF") ? given.slice(1) : given;
  try {
    value = JSON.parse(text);
  } catch {
    return { index, fault: brokenLine(line, "is not JSON") };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { index, fault: brokenLine(line, "is not a JSON object") };
  const wrong = faultIn(value, 1);
  if (wrong !== null) return { index, fault: brokenLine(line, wrong) };
  const frame = value as JsonObject;
  keepText(frame, text);
  const lost = (keepsDigits ? [] : lostIntegers(text)).map((written) => ({ written, becomes: Number(written) }));
  const [first] = lost;
  if (first === undefined) return { index, frame };
  if (strict) {
    const message = `line ${line}: number_precision: ${precisionMessage(first)}`;
    return { index, fault: { ok: false, error: "invalid_request", message, line } };
  }
  return { index, frame, warnings: lost.map((one) => precisionWarning(`line ${line}`, one)) };
}

/** Parsed JSON can be nested too deeply for a run, and `1e999` is not a finite number. */
function faultIn(value: object, depth: number): string | null {
  if (depth > MAX_NESTING) return `nests deeper than ${MAX_NESTING}`;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof member === "number") {
      if (!Number.isFinite(member)) return "contains a number out of range";
    } else if (typeof member === "object" && member !== null) {
      const wrong = faultIn(member, depth + 1);
      if (wrong !== null) return wrong;
    }
  }
  return null;
}

function brokenLine(line: number, what: string): FrameFault {
  return { ok: false, error: "invalid_json", message: `line ${line} ${what}`, line };
}

function linesOf(bytes: Uint8Array): readonly (string | null)[] {
  return textOfLines(bytes)?.split("\n") ?? brokenTextLines(bytes);
}

/** null: some line is not UTF-8. */
export function textOfLines(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** null: a line that is not UTF-8. */
export function brokenTextLines(bytes: Uint8Array): (string | null)[] {
  const lines: (string | null)[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    lines.push(decoded(bytes.subarray(start, end)));
    start = end + 1;
  }
  return lines;
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
