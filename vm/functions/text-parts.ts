/**
 * Splitting and replacing with plain texts (no patterns). The engine's operations serve where they are right and
 * linear; where a match could cut a surrogate pair or searching could get slow, matches are taken one by one.
 */
import type { Json } from "../../compiler/json.ts";
import { codePointLength } from "../code-points.ts";
import { OperationFailure } from "../errors.ts";
import { createFinder, type Finder, searchesNatively } from "../text-search.ts";
import { MAX_LIST_LENGTH, MAX_TEXT_UNITS, tooLarge } from "../values.ts";
import { charge, type WorkMeter } from "../work-meter.ts";

/** At runs of blanks, without empty parts. */
export function splitAtBlanks(text: string): Json {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  if (trimmed.length > 2 * MAX_LIST_LENGTH) {
    const blanks = /\s+/g;
    let parts = 1;
    while (blanks.exec(trimmed) !== null) if (++parts > MAX_LIST_LENGTH) throw tooLarge();
  }
  return trimmed.split(/\s+/);
}

function countMatches(find: Finder, length: number, most: number): number {
  let count = 0;
  for (let at = find(0); at >= 0 && count <= most; at = find(at + length)) count++;
  return count;
}

export function splitAt(text: string, separator: string, meter: WorkMeter): Json {
  if (separator === "") throw new OperationFailure("separator is empty", "value_error");
  const native = searchesNatively(text, separator);
  if (native && text.length < MAX_LIST_LENGTH) return text.split(separator);
  const find = createFinder(text, separator, meter);
  if (countMatches(find, separator.length, MAX_LIST_LENGTH) >= MAX_LIST_LENGTH) throw tooLarge();
  return native ? text.split(separator) : pieces(text, separator.length, find);
}

function pieces(text: string, length: number, find: Finder): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = find(0); at >= 0; at = find(start)) {
    parts.push(text.slice(start, at));
    start = at + length;
  }
  parts.push(text.slice(start));
  return parts;
}

export function replaceText(text: string, old: string, by: string, meter: WorkMeter): string {
  if (old === "") return insertEverywhere(text, by, meter);
  charge(meter, text.length);
  const native = searchesNatively(text, old);
  const growth = by.length - old.length;
  const mostMatches = Math.floor(text.length / old.length);
  if (growth > 0 && text.length + mostMatches * growth > MAX_TEXT_UNITS) {
    const matches = countMatches(createFinder(text, old, meter), old.length, mostMatches);
    const length = text.length + matches * growth;
    if (length > MAX_TEXT_UNITS) throw tooLarge();
    charge(meter, length);
  }
  if (native) return text.replaceAll(old, literalReplacement(by));
  return pieces(text, old.length, createFinder(text, old, meter)).join(by);
}

/** `by` before, between and after the code points. */
function insertEverywhere(text: string, by: string, meter: WorkMeter): string {
  const length = text.length + (codePointLength(text) + 1) * by.length;
  if (length > MAX_TEXT_UNITS) throw tooLarge();
  charge(meter, length);
  return inserted(text, by);
}

/** `by` between the code points: the characters joined. */
export function insertBetween(text: string, by: string, meter: WorkMeter): string {
  const length = text.length + Math.max(0, codePointLength(text) - 1) * by.length;
  if (length > MAX_TEXT_UNITS) throw tooLarge();
  charge(meter, length);
  return text === "" ? "" : inserted(text, by).slice(by.length, by.length + length);
}

/** The empty pattern matches at every border of code points; no list of characters is built. */
function inserted(text: string, by: string): string {
  return by === "" ? text : text.replaceAll(/(?:)/gu, literalReplacement(by));
}

/** A dollar sign is special in the engine's replacement text and is written twice there. */
function literalReplacement(by: string): string {
  return by.replaceAll("$", "$$$$");
}
