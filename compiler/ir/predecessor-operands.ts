/**
 * Operands and conditions of the predecessor's IR, which holds them as text (docs/ir.md 10.3): a bare word is a variable,
 * name, path, constant or text by its shape alone; conditions follow language reference 6 with such words as operands.
 */
import { findFunction } from "../functions.ts";
import { type Json, setMember } from "../json.ts";
import type { IrComparator, IrCondition, IrOperand } from "./graph.ts";
import { isArray, isObject } from "./normalize-operands.ts";

const NUMBER = /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const ROOT = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const SEGMENT = /\.([\p{L}_][\p{L}\p{Nd}_]*|[0-9]+)|\[([0-9]+)\]|\["([^"]*)"\]|\['([^']*)'\]/uy;
const COMPARISON = /==|!=|<=|>=|=|<|>/;
const INFIX: Readonly<Record<string, string>> = {
  "==": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
};
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
export function asKey(operand: IrOperand): IrOperand {
  if (operand.k !== "path" || operand.text === undefined) return operand;
  return { k: "str", v: [operand.root, ...operand.segments].join(".") };
}

/** The condition that `text` states; null when it states none. */
export function readCondition(text: string): IrCondition | null {
  let rest = text.trim();
  let negated = false;
  for (let match = /^(?:not\s+|!(?!=)\s*)/.exec(rest); match !== null; match = /^(?:not\s+|!(?!=)\s*)/.exec(rest)) {
    negated = !negated;
    rest = rest.slice(match[0].length);
  }
  const plain = readPlainCondition(rest);
  return plain === null || !negated ? plain : { c: "not", of: plain };
}

function readPlainCondition(text: string): IrCondition | null {
  if (text === "") return null;
  if (text.startsWith("(")) {
    const nested = readNested(text);
    return nested === null ? null : { c: "truthy", of: nested };
  }
  const match = COMPARISON.exec(withoutQuoted(text));
  if (match === null) return readSubjectCondition(text);
  const left = text.slice(0, match.index).trim();
  const right = text.slice(match.index + match[0].length).trim();
  if (left === "") return null;
  const sides = { left: readSubject(left), right: readSide(right) };
  if (match[0] === "=") return { c: "text_eq", ...sides };
  const op = comparatorOf(INFIX[match[0]] ?? "");
  return op === undefined ? null : { c: "cmp", op, ...sides };
}

function comparatorOf(fn: string): IrComparator | undefined {
  const found = Object.keys(INFIX).find((comparator) => INFIX[comparator] === fn);
  return found === "==" || found === "!=" || found === "<" || found === "<=" || found === ">" || found === ">="
    ? found
    : undefined;
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

/** The subject of a condition is null when unset, never its own text. */
function readSubject(text: string): IrOperand {
  const operand = readSide(text);
  if (operand.k === "name") return { k: "var", v: operand.v };
  return operand.k === "path" ? { k: "path", root: operand.root, segments: operand.segments } : operand;
}

function readSide(text: string): IrOperand {
  const quote = text[0];
  if (text.length >= 2 && (quote === '"' || quote === "'") && text.endsWith(quote))
    return { k: "str", v: text.slice(1, -1) };
  return readBareWord(text);
}

/** `(fn a b)` and `(a < b)`, nested at most as deep as source may nest. Null when the brackets or words do not fit. */
function readNested(text: string): IrOperand | null {
  if (/["']/.test(withoutQuoted(text))) return null;
  const tokens = text.match(/[()]|"[^"]*"|'[^']*'|[^\s()"']+/g) ?? [];
  let position = 0;
  const read = (depth: number): IrOperand | null => {
    position += 1;
    const parts: { readonly word: string | null; readonly operand: IrOperand }[] = [];
    while (position < tokens.length && tokens[position] !== ")") {
      const token = tokens[position] ?? "";
      if (token === "(") {
        const operand = depth >= MAX_NESTING ? null : read(depth + 1);
        if (operand === null) return null;
        parts.push({ word: null, operand });
      } else {
        parts.push({ word: token, operand: readSide(token) });
        position += 1;
      }
    }
    if (tokens[position] !== ")") return null;
    position += 1;
    return callOf(parts);
  };
  const operand = read(1);
  return position === tokens.length ? operand : null;
}

function callOf(parts: readonly { readonly word: string | null; readonly operand: IrOperand }[]): IrOperand | null {
  const [first, second, third] = parts;
  const infix =
    second?.word !== null && second?.word !== undefined && Object.hasOwn(INFIX, second.word)
      ? INFIX[second.word]
      : undefined;
  if (infix !== undefined && first !== undefined && third !== undefined && parts.length === 3) {
    return { k: "call", fn: infix, args: [first.operand, third.operand] };
  }
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
