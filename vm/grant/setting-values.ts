/**
 * Values of adapter settings: their one spelling, and the meet of two of them, which is always the more restrictive. Settings that
 * no definition knows merge by the type of their values.
 */
import type { ElementKind, SettingDefinition } from "../../compiler/catalog/settings.ts";
import { foldEventPattern, meetEventPatterns } from "../../compiler/events.ts";
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import { compareText } from "../../compiler/ir/checksum.ts";
import { type Json, setMember } from "../../compiler/json.ts";
import { CONFLICT, isConflict } from "./grant.ts";
import { foldHostPattern, meetHostPatterns } from "./host-patterns.ts";

const MAX_ELEMENTS = 1000;
/** A database in memory: the only value here that is not a path. */
const MEMORY = ":memory:";

/** What two patterns have in common, as one; null: nothing. */
type Meet = (left: string, right: string) => string | null;
/** By kind of element; those of other kinds are the same or different. */
const MEETS: Readonly<Partial<Record<ElementKind, Meet>>> = { host: meetHostPatterns, event: meetEventPatterns };

export type FoldResult = { readonly value: Json } | { readonly expected: string };

/** The one spelling of a value, or what was expected in its place. */
export function foldSetting(value: Json, definition: SettingDefinition | undefined): FoldResult {
  switch (definition?.kind) {
    case "min":
      if (typeof value !== "number" || value < 0) return { expected: "a number of at least 0" };
      return { value: value === 0 ? 0 : value };
    case "and":
      return typeof value === "boolean" ? { value } : { expected: "true or false" };
    case "within":
      return definition.map === true ? foldPaths(value) : foldPath(value);
    case "intersect":
      return foldList(value, definition);
    default:
      return {
        value: Array.isArray(value) && definition === undefined ? uniqueSorted(value as readonly Json[]) : value,
      };
  }
}

/** The more restrictive of two folded values. Commutative, associative, idempotent; a conflict absorbs everything. */
export function meetSettings(a: Json, b: Json, definition: SettingDefinition | undefined): Json {
  if (isConflict(a) || isConflict(b)) return CONFLICT;
  switch (definition?.kind ?? kindOfValues(a, b)) {
    case "min":
      return typeof a === "number" && typeof b === "number" ? Math.min(a, b) : CONFLICT;
    case "and":
      return typeof a === "boolean" && typeof b === "boolean" ? a && b : CONFLICT;
    case "within":
      return definition?.map === true ? meetPathMaps(a, b) : meetPaths(a, b);
    case "intersect":
      return meetLists(a, b, definition);
    default:
      return canonicalJson(a) === canonicalJson(b) ? a : CONFLICT;
  }
}

function kindOfValues(a: Json, b: Json): SettingDefinition["kind"] {
  if (typeof a === "number" && typeof b === "number") return "min";
  if (typeof a === "boolean" && typeof b === "boolean") return "and";
  return Array.isArray(a) && Array.isArray(b) ? "intersect" : "server";
}

function foldList(value: Json, definition: SettingDefinition): FoldResult {
  if (!Array.isArray(value)) return { expected: "a list" };
  if (value.length > MAX_ELEMENTS) return { expected: `a list of at most ${MAX_ELEMENTS} elements` };
  const elements: Json[] = [];
  for (const element of value as readonly Json[]) {
    const folded = foldElement(element, definition.elements ?? "exact");
    if (folded === null) return { expected: `a list of ${nounOf(definition)}` };
    elements.push(folded);
  }
  const sorted = uniqueSorted(elements);
  const meet = MEETS[definition.elements ?? "exact"];
  return { value: meet === undefined ? sorted : reduced(sorted, meet) };
}

function nounOf(definition: SettingDefinition): string {
  if (definition.elements === "number") return "whole numbers";
  if (definition.elements === "event")
    return "names of events such as orders/created, or beginnings of names with * as orders/*";
  if (definition.elements !== "host") return "text";
  return "host patterns such as api.example.com or *.example.com, without scheme and path";
}

function foldElement(element: Json, kind: NonNullable<SettingDefinition["elements"]>): Json {
  if (kind === "number") return typeof element === "number" && Number.isSafeInteger(element) ? element : null;
  if (typeof element !== "string" || element.length > 1000) return null;
  const lower = element.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (kind === "host") return foldHostPattern(element);
  if (kind === "event") return foldEventPattern(element);
  if (kind === "extension") return lower === "" || lower.startsWith(".") ? lower : `.${lower}`;
  return kind === "folded" ? lower : element;
}

function uniqueSorted(values: readonly Json[]): readonly Json[] {
  const byText = new Map(values.map((value) => [canonicalJson(value), value]));
  const numbers = values.every((value) => typeof value === "number");
  return [...byText]
    .sort(([a, left], [b, right]) => (numbers ? Number(left) - Number(right) : compareText(a, b)))
    .map(([, value]) => value);
}

function meetLists(a: Json, b: Json, definition: SettingDefinition | undefined): Json {
  if (!Array.isArray(a) || !Array.isArray(b)) return CONFLICT;
  const meet = MEETS[definition?.elements ?? "exact"];
  if (meet === undefined) {
    const held = new Set((b as readonly Json[]).map(canonicalJson));
    return uniqueSorted((a as readonly Json[]).filter((element) => held.has(canonicalJson(element))));
  }
  const met = new Set<string>();
  for (const left of a) {
    for (const right of b) {
      const both = typeof left === "string" && typeof right === "string" ? meet(left, right) : null;
      if (both !== null) met.add(both);
    }
  }
  return reduced(uniqueSorted([...met]), meet);
}

/** Without the patterns that another one of the list covers. */
function reduced(patterns: readonly Json[], meet: Meet): readonly Json[] {
  const texts = patterns.filter((pattern) => typeof pattern === "string");
  return texts.filter((one) => !texts.some((other) => other !== one && meet(one, other) === one));
}

function foldPath(value: Json): FoldResult {
  const path = typeof value === "string" ? lexicalPath(value) : null;
  return path === null ? { expected: "an absolute path" } : { value: path };
}

function foldPaths(value: Json): FoldResult {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return { expected: "an object of paths" };
  const folded: { [name: string]: Json } = {};
  for (const [name, path] of Object.entries(value)) {
    const one = foldPath(isPinned(path) ? path["file"] : path);
    if (!("value" in one)) return { expected: "an object of absolute paths" };
    setMember(folded, name, isPinned(path) ? { ...path, file: one.value } : one.value);
  }
  return { value: folded };
}

/** A path with the hash that its content must have: `{file, sha256}`. */
function isPinned(value: Json): value is { readonly file: Json; readonly sha256: Json } {
  return value !== null && typeof value === "object" && !Array.isArray(value) && Object.hasOwn(value, "file");
}

/** Without empty, `.` and `..` parts; null for a path that does not start at the root. Nothing is looked up. */
export function lexicalPath(text: string): string | null {
  if (text === MEMORY) return text;
  if (!text.startsWith("/") || text.includes("\0") || text.length > 4096) return null;
  const parts: string[] = [];
  for (const part of text.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function meetPaths(a: Json, b: Json): Json {
  if (typeof a !== "string" || typeof b !== "string") return CONFLICT;
  if (contains(a, b)) return b;
  return contains(b, a) ? a : CONFLICT;
}

function contains(outer: string, inner: string): boolean {
  return outer === inner || (outer !== MEMORY && inner.startsWith(outer === "/" ? "/" : `${outer}/`));
}

function meetPathMaps(a: Json, b: Json): Json {
  const left = membersOf(a);
  const right = membersOf(b);
  if (left === null || right === null) return CONFLICT;
  const met: { [name: string]: Json } = {};
  for (const [name, one] of [...left].sort(([x], [y]) => compareText(x, y))) {
    const other = right.get(name);
    // A name of one side alone would be more than the other side admits.
    if (other !== undefined) setMember(met, name, meetMembers(one, other));
  }
  return met;
}

/** Paths of which one or both may have the hash of their content: the same file with the same hash, or none at all. */
function meetMembers(a: Json, b: Json): Json {
  if (!isPinned(a) && !isPinned(b)) return meetPaths(a, b);
  const [left, right] = [isPinned(a) ? a : { file: a }, isPinned(b) ? b : { file: b }];
  if (left.file !== right.file) return CONFLICT;
  if (isPinned(a) && isPinned(b)) return a.sha256 === b.sha256 ? a : CONFLICT;
  return isPinned(a) ? a : b;
}

function membersOf(value: Json): ReadonlyMap<string, Json> | null {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  return new Map(Object.entries(value));
}
