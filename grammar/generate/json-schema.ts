/**
 * JSON Schema for tools that want structure instead of text: a program as `{lines: [{op, …slots}]}`, one object a line, every slot in
 * the notation of the language. The slots of steps are those of the parser's rules; a declaration is a line of words, which its row of the
 * op table names. `sourceOfLines` turns such an object into a formatted program.
 */
import { NAME_PATTERN } from "../operands/tokens.ts";
import { OPS, type Op } from "../ops.ts";
import { opcodeProductions } from "../parser/opcode-parser.ts";
import { ruleNameOf } from "../parser/step-parser.ts";
import { format } from "../print/print.ts";
import { NODE_PATTERN } from "../steps/draft.ts";
import { type ReadSlot, readProductions, slotsOfRule } from "./productions.ts";

type Schema = { readonly [member: string]: unknown };

const LINE_TEXT = "^[^\\r\\n]*$";

/** The schema (draft 2020-12) of every op, or of the steps and these declarations only. */
export function jsonSchemaOf(declarations: readonly string[] | null = null): Schema {
  const bodies = readProductions(opcodeProductions());
  const slotsOf = (op: Op): readonly ReadSlot[] => {
    const body = bodies.get(ruleNameOf(op));
    return body === undefined ? op.slots : slotsOfRule(body);
  };
  const admitted = OPS.filter(({ kind, name }) => kind !== "declaration" || (declarations?.includes(name) ?? true));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Weft program",
    type: "object",
    required: ["lines"],
    additionalProperties: false,
    properties: { lines: { type: "array", items: { oneOf: admitted.map((op) => lineSchema(op, slotsOf(op))) } } },
  };
}

function lineSchema(op: Op, read: readonly ReadSlot[]): Schema {
  if (op.kind === "label") {
    const id = { type: "string", pattern: "^[^\\s:,#\"'\\[\\](){}]+$", description: "without L and colon" };
    return objectOf("L", op.doc, { id }, ["id"]);
  }
  const slots = Object.fromEntries(read.map((slot) => [slot.name, slotSchema(slot)]));
  const required = read.filter((slot) => !slot.optional).map(({ name }) => name);
  return objectOf(op.name, op.doc, slots, required);
}

function objectOf(op: string, doc: string, slots: Schema, required: readonly string[]): Schema {
  return {
    type: "object",
    description: doc,
    required: ["op", ...required],
    additionalProperties: false,
    properties: { op: { const: op }, ...slots },
  };
}

function slotSchema({ class: slotClass, values, repeat }: ReadSlot): Schema {
  const one: Schema =
    values === null ? { type: "string", minLength: 1, pattern: patternOf(slotClass) } : { enum: values };
  return repeat ? { type: "array", items: one } : one;
}

function patternOf(slotClass: ReadSlot["class"]): string {
  switch (slotClass) {
    case "name":
      return NAME_PATTERN.source;
    case "int":
      return "^[0-9]+$";
    case "limit":
      return "^limit=[1-9][0-9]*$";
    case "node":
      return NODE_PATTERN.source;
    default:
      return LINE_TEXT;
  }
}

/** One line of such a program; members are those of the schema. */
export type ProgramLine = { readonly op: string; readonly [slot: string]: string | readonly string[] };

/** The source of lines, or the first thing that is wrong with them. */
export type LinesResult =
  | { readonly ok: true; readonly source: string }
  /** `at`: JSON pointer of the member. */
  | { readonly ok: false; readonly at: string; readonly message: string };

/**
 * The formatted program of `lines`, a list of `ProgramLine` from outside; refuses other shapes, unknown ops, missing and unknown
 * slots, and text that would begin a line of its own.
 */
export function sourceOfLines(lines: unknown): LinesResult {
  if (!Array.isArray(lines)) return { ok: false, at: "/lines", message: "is not a list" };
  const texts: string[] = [];
  for (const [index, line] of lines.entries()) {
    const read = isLine(line) ? lineText(line) : misshapen(line);
    if (!read.ok) return { ...read, at: `/lines/${index}${read.at}` };
    texts.push(read.source);
  }
  return formatted(`${texts.join("\n")}\n`, (line) => `/lines/${line}`);
}

/** The formatted text; `placeOf`: the JSON pointer of what stands on a line, which counts from 0. */
function formatted(text: string, placeOf: (line: number) => string): LinesResult {
  const made = format(text);
  if (made.ok) return { ok: true, source: made.text };
  const [first] = made.findings;
  return { ok: false, at: placeOf((first?.span?.line ?? 1) - 1), message: `cannot be read (${first?.code})` };
}

const isSlot = (value: unknown): boolean =>
  typeof value === "string" || (Array.isArray(value) && value.every((word) => typeof word === "string"));

function isLine(line: unknown): line is ProgramLine {
  if (typeof line !== "object" || line === null || !("op" in line) || typeof line.op !== "string") return false;
  return Object.values(line).every(isSlot);
}

function misshapen(line: unknown): Extract<LinesResult, { ok: false }> {
  if (typeof line !== "object" || line === null) return { ok: false, at: "", message: "is not an object" };
  const [wrong] = Object.entries(line).find(([, value]) => !isSlot(value)) ?? ["op"];
  return {
    ok: false,
    at: `/${wrong}`,
    message: wrong === "op" ? "is not an op" : "is neither text nor a list of texts",
  };
}

const LINE_SHAPES: ReadonlyMap<string, Op> = new Map(OPS.map((op) => [op.kind === "label" ? "L" : op.name, op]));

function lineText(line: ProgramLine): LinesResult {
  const op = LINE_SHAPES.get(line.op);
  if (op === undefined) return { ok: false, at: "/op", message: "is not an op" };
  const slots = op.kind === "label" ? [{ name: "id", optional: false }] : op.slots;
  for (const member of Object.keys(line))
    if (member !== "op" && !slots.some(({ name }) => name === member))
      return { ok: false, at: `/${member}`, message: `is not a slot of ${line.op}` };
  const words: string[] = [];
  for (const { name, optional } of slots) {
    const value = Object.hasOwn(line, name) ? line[name] : undefined;
    if (value === undefined && !optional) return { ok: false, at: `/${name}`, message: `is missing in ${line.op}` };
    const texts = value === undefined ? [] : typeof value === "string" ? [value] : value;
    if (texts.some((text) => /[\r\n]/.test(text))) return { ok: false, at: `/${name}`, message: "holds a line end" };
    words.push(...texts);
  }
  return { ok: true, source: op.kind === "label" ? `L${words[0] ?? ""}:` : [op.name, ...words].join(" ") };
}
