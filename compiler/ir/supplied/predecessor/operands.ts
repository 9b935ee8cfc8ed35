/**
 * Operands and conditions of the predecessor's IR, which holds them as text (docs/ir.md, IR from outside): a bare word is a variable,
 * name, path, constant or text by its shape alone; conditions follow docs/language.md (conditions) with such words as operands.
 */
import { COMPARISON_FUNCTIONS, findFunction, isComparator } from "../../../functions.ts";
import { isObject, type Json, setMember } from "../../../json.ts";
import type { IrComparator, IrCondition, IrOperand } from "../../graph.ts";
import { isArray } from "../operands.ts";

const NUMBER = /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const ROOT = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const SEGMENT = /\.([\p{L}_][\p{L}\p{Nd}_]*|[0-9]+)|\[([0-9]+)\]|\["([^"]*)"\]|\['([^']*)'\]/uy;
const NEGATION = /^(?:not(?:\s+|(?=\())|!(?!=)\s*)/;
const COMPARISON = /==|!=|<=|>=|=|<|>/;
const MAX_NESTING = 64;
const NOTHING: IrOperand = { k: "null" };

/** What a bare word means. */
export function readBareWord(text: string): IrOperand {
  if (text === "null") return NOTHING;
  if (text === "true" || text === "false") return { k: "bool", v: text === "true" };
  if (NUMBER.test(text) && Number.isFinite(Number(text))) return { k: "num", v: Number(text) + 0 };
  const dollar = text.startsWith("$");
  const walk = readWalk(dollar ? text.slice(1) : text);
  if (walk === null) return { k: "str", v: text };
  if (walk.segments.length === 0) return { k: dollar ? "var" : "name", v: walk.root };
  return dollar ? { k: "path", ...walk } : { k: "path", ...walk, text };
}

/** Name and path segments, null when the text is neither name nor path. */
function readWalk(text: string): { readonly root: string; readonly segments: readonly string[] } | null {
  ROOT.lastIndex = 0;
  const root = ROOT.exec(text)?.[0];
  if (root === undefined) return null;
  const segments: string[] = [];
  let position = root.length;
  while (position < text.length) {
    SEGMENT.lastIndex = position;
    const match = SEGMENT.exec(text);
    if (match === null) return null;
    segments.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? "");
    position = SEGMENT.lastIndex;
  }
  return { root, segments };
}

/** A JSON value that stands for itself. Its depth is bounded at the door. */
export function constantOperand(value: Json): IrOperand {
  if (value === null) return NOTHING;
  if (typeof value === "string") return { k: "str", v: value };
  if (typeof value === "number") return { k: "num", v: value };
  if (typeof value === "boolean") return { k: "bool", v: value };
  if (isArray(value)) return { k: "list", items: value.map(constantOperand) };
  if (!isObject(value)) return NOTHING;
  return { k: "map", entries: Object.keys(value).map((key) => [key, constantOperand(value[key] ?? null)] as const) };
}

/** A path in a key slot is the text that `get` and `put` walk: `items[0].name` is `items.0.name`. */
function asKey(operand: IrOperand): IrOperand {
  if (operand.k !== "path" || operand.text === undefined) return operand;
  return { k: "str", v: [operand.root, ...operand.segments].join(".") };
}

/** The condition that `text` states; null when it states none. */
export function readCondition(text: string): IrCondition | null {
  let rest = text.trim();
  let negated = false;
  for (let match = NEGATION.exec(rest); match !== null; match = NEGATION.exec(rest)) {
    negated = !negated;
    rest = rest.slice(match[0].length);
  }
  const plain = readPlainCondition(rest);
  return plain === null || !negated ? plain : { c: "not", of: plain };
}

function readPlainCondition(text: string): IrCondition | null {
  if (text === "") return null;
  if (text.startsWith("(")) return readBracketed(text);
  const match = COMPARISON.exec(withoutQuoted(text));
  if (match === null) return readSubjectCondition(text);
  const left = text.slice(0, match.index).trim();
  const right = text.slice(match.index + match[0].length).trim();
  if (left === "") return null;
  const sides = { left: readSubject(left), right: readSide(right) };
  if (match[0] === "=") return { c: "text_eq", ...sides };
  return isComparator(match[0]) ? { c: "cmp", op: match[0], ...sides } : null;
}

/** The text with quoted parts blanked out, positions kept: operators inside them mean nothing. */
function withoutQuoted(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'/g, (part) => " ".repeat(part.length));
}

function readSubjectCondition(text: string): IrCondition | null {
  if (text.endsWith("?") && readWalk(text.slice(text.startsWith("$") ? 1 : 0, -1)) !== null) {
    return { c: "present", of: readSubject(text.slice(0, -1)) };
  }
  return /\s/.test(withoutQuoted(text)) ? null : { c: "truthy", of: readSubject(text) };
}

function readSubject(text: string): IrOperand {
  return asSubject(readSide(text));
}

/** The subject of a condition is null when unset, never its own text. */
function asSubject(operand: IrOperand): IrOperand {
  if (operand.k === "name") return { k: "var", v: operand.v };
  return operand.k === "path" ? { k: "path", root: operand.root, segments: operand.segments } : operand;
}

function readSide(text: string): IrOperand {
  const quote = text[0];
  if (text.length >= 2 && (quote === '"' || quote === "'") && text.endsWith(quote))
    return { k: "str", v: text.slice(1, -1) };
  return readBareWord(text);
}

/** A condition in brackets: a call, or a comparison, whose left side is a subject as it is without them. */
function readBracketed(text: string): IrCondition | null {
  const parts = readNested(text);
  if (parts === null) return null;
  const comparison = comparisonOf(parts);
  if (comparison !== null) return { c: "cmp", ...comparison, left: asSubject(comparison.left) };
  const call = callOf(parts);
  return call === null ? null : { c: "truthy", of: call };
}

/** One word or inner bracket; a bracket does not count as a word. */
type Part = { readonly word: string | null; readonly operand: IrOperand };

/** What stands in `(fn a b)` and `(a < b)`, nested at most as deep as source may nest. Null when the brackets or words do not fit. */
function readNested(text: string): readonly Part[] | null {
  if (/["']/.test(withoutQuoted(text))) return null;
  const tokens = text.match(/[()]|"[^"]*"|'[^']*'|[^\s()"']+/g) ?? [];
  let position = 0;
  const read = (depth: number): readonly Part[] | null => {
    position += 1;
    const parts: Part[] = [];
    while (position < tokens.length && tokens[position] !== ")") {
      const token = tokens[position] ?? "";
      if (token === "(") {
        const inner = depth >= MAX_NESTING ? null : read(depth + 1);
        const operand = inner === null ? null : callOf(inner);
        if (operand === null) return null;
        parts.push({ word: null, operand });
      } else {
        parts.push({ word: token, operand: readSide(token) });
        position += 1;
      }
    }
    if (tokens[position] !== ")") return null;
    position += 1;
    return parts;
  };
  const parts = read(1);
  return position === tokens.length ? parts : null;
}

type Comparison = { readonly op: IrComparator; readonly left: IrOperand; readonly right: IrOperand };

/** `a < b`; null for anything else. */
function comparisonOf(parts: readonly Part[]): Comparison | null {
  const [left, middle, right] = parts;
  if (left === undefined || middle?.word == null || right === undefined || parts.length !== 3) return null;
  return isComparator(middle.word) ? { op: middle.word, left: left.operand, right: right.operand } : null;
}

function callOf(parts: readonly Part[]): IrOperand | null {
  const comparison = comparisonOf(parts);
  if (comparison !== null)
    return { k: "call", fn: COMPARISON_FUNCTIONS[comparison.op], args: [comparison.left, comparison.right] };
  const [first] = parts;
  if (first === undefined || first.word === null) return null;
  return functionCall(
    first.word,
    parts.slice(1).map((part) => part.operand),
  );
}

/** A call with its canonical name and its key slots read as such. */
export function functionCall(written: string, args: readonly IrOperand[]): IrOperand {
  const signature = findFunction(written);
  if (signature === undefined) return { k: "call", fn: written, args };
  const last = signature.parameters.at(-1);
  const read = args.map((argument, index) => {
    const parameter = signature.parameters[index] ?? (last?.repeat ? last : undefined);
    return parameter?.class === "key" ? asKey(argument) : argument;
  });
  return { k: "call", fn: signature.name, args: read };
}

/** A JSON object from pairs, whatever the keys. */
export function jsonObject(pairs: Iterable<readonly [string, Json]>): { readonly [key: string]: Json } {
  const object: { [key: string]: Json } = {};
  for (const [key, value] of pairs) setMember(object, key, value);
  return object;
}
