/**
 * What is known of the types of values before a run: declared inputs and their fields, literals, the results of functions, and variables whose
 * writes all agree. Types are written as inputs declare them (`text`, `A[Order]`, `map`). It reports nothing.
 */
import type { Operand, Step } from "../../../grammar/ast.ts";
import { Pieces, type Task } from "../../../grammar/text/task.ts";
import { findFunction } from "../../functions.ts";
import { type RecordTypes, readRecordTypes } from "../../ir/record-types.ts";
import type { LoweredStep } from "../../lower/lowered.ts";
import type { ProgramView } from "../program-view.ts";
import { writtenBy } from "./flow-graph.ts";

/** `pending`: nothing has been found yet; null: any type. */
type Found = string | null | typeof PENDING;
const PENDING = Symbol("pending");

/** Where a variable gets a value: an operand, the elements of one, or an adapter whose answers have one type. */
type Source = { readonly operand: Operand; readonly isElement: boolean } | { readonly type: string } | null;

/** Variables get their types from one another; more passes than this find none. */
const MAX_PASSES = 8;

const SOURCES_OF_A_PIECE = 2000;

/** `given`: names that the frame holds, whatever the program declares. */
export function* valueTypes(view: ProgramView, given: readonly string[]): Task<ValueTypes> {
  const types = new ValueTypes(view);
  yield* types.read(view, given);
  return types;
}

export class ValueTypes {
  readonly records: RecordTypes;
  private readonly variables = new Map<string, Found>();

  constructor({ program: { declarations } }: ProgramView) {
    this.records = readRecordTypes(
      declarations.map(({ line }) => ({ op: line.op, slots: line.slots.map(({ text }) => text), line: 0 })),
    );
  }

  *read(view: ProgramView, given: readonly string[]): Task<void> {
    const { inputs, labels } = view.program;
    const pieces = new Pieces(SOURCES_OF_A_PIECE);
    const sources = new Map<string, Source[]>();
    for (const { steps } of labels) {
      for (const lowered of steps) {
        addSources(lowered, sources);
        if (pieces.add()) yield;
      }
    }
    for (const name of sources.keys()) this.variables.set(name, PENDING);
    const declared = new Map<string, string | null>([...given].map((name) => [name, null]));
    for (const [name, { type }] of inputs) declared.set(name, type === "any" ? null : bare(type));
    for (const [name, type] of declared) this.variables.set(name, type);
    yield* this.settle(sources, declared, pieces);
  }

  /** The type of a value; null when it is not known. */
  of(operand: Operand): string | null {
    const found = this.find(operand);
    return found === PENDING ? null : found;
  }

  fieldsOf(type: string | null): readonly string[] | null {
    const fields = type === null ? undefined : this.records.get(type);
    return fields === undefined || fields.size === 0 ? null : [...fields.keys()];
  }

  /** The type of a member; null when it is not known, or the type lacks the field. */
  member(type: string | null, name: string): string | null {
    const field = type === null ? undefined : this.records.get(type)?.get(name);
    if (field !== undefined) return bare(field);
    return /^-?[0-9]+$/.test(name) ? elementOf(type) : null;
  }

  private *settle(
    sources: ReadonlyMap<string, readonly Source[]>,
    declared: ReadonlyMap<string, string | null>,
    pieces: Pieces,
  ): Task<void> {
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      let hasChanged = false;
      for (const [name, all] of sources) {
        let found: Found = declared.has(name) ? (declared.get(name) ?? null) : PENDING;
        for (const source of all) found = joined(found, this.ofSource(source));
        hasChanged ||= found !== this.variables.get(name);
        this.variables.set(name, found);
        if (pieces.add(all.length)) yield;
      }
      if (!hasChanged) return;
    }
    for (const name of sources.keys()) this.variables.set(name, null);
  }

  private ofSource(source: Source): Found {
    if (source === null) return null;
    if ("type" in source) return source.type;
    const found = this.find(source.operand);
    return source.isElement && found !== PENDING ? elementOf(found) : found;
  }

  private variable(name: string): Found {
    return this.variables.get(name) ?? null;
  }

  private find(operand: Operand): Found {
    switch (operand.k) {
      case "str":
      case "word":
        return "text";
      case "num":
        return "number";
      case "bool":
        return "boolean";
      case "list":
        return operand.items.length > 0 && operand.items.every(({ k }) => k === "map") ? "A[map]" : "list";
      case "map":
        return "map";
      case "var":
      case "name":
        return this.variable(operand.v);
      case "path": {
        const root = this.variable(operand.root);
        return root === PENDING
          ? PENDING
          : operand.segments.reduce<string | null>((type, segment) => this.member(type, segment), root);
      }
      case "call":
        return this.ofCall(operand);
      default:
        return null;
    }
  }

  private ofCall({ fn, args, infix }: Operand & { readonly k: "call" }): Found {
    if (infix) return "boolean";
    const [first, second, third] = args;
    const name = findFunction(fn.text)?.name ?? "";
    const result = RESULTS.get(name);
    if (name === "sub" && first !== undefined && second !== undefined) return this.ofDifference(first, second);
    // With groups, an element of `find_all` is a list.
    if (name === "find_all" && second?.k === "str" && !second.v.includes("(")) return "A[text]";
    if (result !== undefined) return result;
    if (first === undefined) return null;
    const of = this.find(first);
    if (SAME.has(name)) return of;
    if (ELEMENTS.has(name)) return of === PENDING ? PENDING : this.elementsOf(of);
    if (ELEMENT.has(name)) return of === PENDING ? PENDING : elementOf(of);
    if (second === undefined) return null;
    // Both sides have one type, or the sum fails.
    if (name === "plus") return of ?? this.find(second);
    if (name === "ite") return joined(this.find(second), third === undefined ? null : this.find(third));
    if (name !== "at" || of === PENDING) return name === "at" ? PENDING : null;
    return second.k === "str" ? this.member(of, second.v) : elementOf(of);
  }

  /** Seconds before or after a time are a time; what lies between two times is a number. */
  private ofDifference(a: Operand, b: Operand): Found {
    const [of, less] = [this.find(a), this.find(b)];
    if (of === PENDING || less === PENDING) return PENDING;
    if (of === "seconds") return "seconds";
    return of === "time" && less !== null && less !== "time" ? "time" : "number";
  }

  /** What a loop passes, as a list. */
  private elementsOf(type: string | null): string {
    if (type === "answer") return "A[part]";
    const kind = kindOf(type, this.records);
    if (kind === "text") return "A[text]";
    if (kind === "map") return "A[key]";
    return kind === "list" ? (type as string) : "list";
  }
}

/** Functions whose value has the type of their first argument, is a list of its elements in some order, or is one of them. */
const SAME: ReadonlySet<string> = new Set(["take", "drop", "slice"]);
const ELEMENTS: ReadonlySet<string> = new Set(["each", "sort_by", "reverse", "unique"]);
const ELEMENT: ReadonlySet<string> = new Set(["first", "last", "min_by", "max_by", "find"]);

/** Functions whose value has one type, whatever they are given. */
const RESULTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    number: "mul div idiv mod pow abs ceil floor round clamp int float sum len count date_diff date_part",
    seconds: "now",
    time: "date_parse date_add date_trunc",
    match: "match",
    text: "concat join lower upper replace trim strip lstrip rstrip substr str format hash stringify type iso_ts iso uuid capitalize title pad date_format replace_all",
    "A[text]": "split chars lines words split_by",
    "A[number]": "range",
    "A[key]": "keys",
    "A[pair]": "entries enumerate",
    "A[list]": "zip chunk",
    list: "arr push values sort flatten filter_high_score pairs diff intersect find_all",
    map: "obj put merge pick omit from_entries index_by",
    groups: "group_by count_by",
    boolean: "eq ne lt lte gt gte and or not bool contains startswith endswith any all",
  }).flatMap(([type, names]) => names.split(" ").map((name): [string, string] => [name, type])),
);

function joined(a: Found, b: Found): Found {
  if (a === PENDING) return b;
  if (b === PENDING || a === b) return a;
  if (NUMBERS.has(a ?? "") && NUMBERS.has(b ?? "")) return "number";
  if (TEXTS.has(a ?? "") && TEXTS.has(b ?? "")) return "text";
  return isList(a) && isList(b) ? "list" : null;
}

/** Texts, and whether they are keys of an object, or of an answer of http. */
const TEXTS: ReadonlySet<string> = new Set(["text", "key", "part"]);
/** Numbers, and what they count where that is known: seconds since 1970, or milliseconds. */
const NUMBERS: ReadonlySet<string> = new Set(["number", "integer", "seconds", "time"]);

const isList = (type: Found): boolean => typeof type === "string" && (type === "list" || elementOf(type) !== null);

/** What a type is made of; null for any type. */
type Kind = "text" | "number" | "boolean" | "list" | "map";

function kindOf(type: string | null, records: RecordTypes): Kind | null {
  if (type === null) return null;
  if (/^A\[.*\]$/.test(type)) return "list";
  if (/^E\[.*\]$/.test(type)) return "text";
  return KINDS.get(type) ?? (records.has(type) ? "map" : null);
}

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["text", "text"],
  ["S", "text"],
  ["number", "number"],
  ["integer", "number"],
  ["seconds", "number"],
  ["time", "number"],
  ["key", "text"],
  ["part", "text"],
  ["pair", "list"],
  ["failure", "map"],
  ["match", "map"],
  ["groups", "map"],
  ["answer", "map"],
  ["I", "number"],
  ["F", "number"],
  ["boolean", "boolean"],
  ["B", "boolean"],
  ["list", "list"],
  ["map", "map"],
]);

function bare(type: string): string {
  return type.replace(/[?!]$/, "").trim();
}

export function elementOf(type: string | null): string | null {
  return type !== null && /^A\[.*\]$/.test(type) ? bare(type.slice(2, -1)) : null;
}

function addSources(lowered: LoweredStep, sources: Map<string, Source[]>): void {
  const { step } = lowered;
  if (isItself(step)) return;
  const source = sourceOf(step);
  const inputs = step.op === "Call" ? (step.inputs ?? []) : [];
  const add = (name: string, from: Source): void => {
    const known = sources.get(name);
    if (known === undefined) sources.set(name, [from]);
    else known.push(from);
  };
  for (const { name, value } of inputs) add(name.name, { operand: value, isElement: false });
  for (const name of writtenBy(lowered)) {
    const isOwn = (step.op === "Loop" || step.op === "Each") && name !== step.item.name;
    // Its handler sets both.
    if (step.op === "Err") add(name, { type: name === "_error_info" ? "failure" : "text" });
    else add(name, isOwn ? null : source);
  }
}

function sourceOf(step: Step): Source {
  switch (step.op) {
    case "Set":
      return { operand: step.value, isElement: false };
    case "X":
      return step.first.k === "call"
        ? { operand: step.first, isElement: false }
        : step.first.k === "name"
          ? { operand: asCall(step.first, step.args), isElement: false }
          : null;
    case "Loop":
    case "Each":
      return { operand: step.list, isElement: true };
    case "R":
      return step.adapter.text === "http" && !step.adapter.quoted ? { type: "answer" } : null;
    default:
      return null;
  }
}

function asCall(fn: Operand & { readonly k: "name" }, args: readonly Operand[]): Operand {
  const { span, v } = fn;
  return args.length === 0 ? fn : { k: "call", fn: { span, text: v, quoted: false }, args, infix: false, span };
}

/** `Set a $a`, which an `in:` line becomes. */
function isItself(step: Step): boolean {
  return step.op === "Set" && step.value.k === "var" && step.value.v === step.name.name;
}
