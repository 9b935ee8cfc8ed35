/**
 * Schemas of options and results in the notation of the catalog (`compiler/catalog/value-types.ts`), which the compiler holds programs against. Reads the
 * schema's own description, so that schemas of any copy of zod are understood and none is loaded; what it does not know is `any`.
 */
import type { TextForm } from "../../compiler/catalog.ts";
import type { z } from "./define.ts";

/** Which side of a schema is meant: what callers write, or what comes out. */
type Side = "input" | "output";

/** The part of a schema's description that this reads. */
type Described = {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly options?: readonly z.ZodType[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
};

/** Schemas inside schemas beyond this may be anything. */
const DEEPEST = 8;
const ANY = "any";

export function typeText(schema: z.ZodType, side: Side, depth = 0): string {
  const { choices, form } = (schema.meta() ?? {}) as { readonly choices?: string; readonly form?: TextForm };
  if (choices !== undefined) return `choices(${choices})`;
  if (form !== undefined) return form;
  const def = schema.def as unknown as Described;
  if (depth > DEEPEST) return ANY;
  const inner = (one: z.ZodType | undefined): string => (one === undefined ? ANY : typeText(one, side, depth + 1));
  switch (def.type) {
    case "string":
      return "text";
    case "number":
      return (schema as { readonly isInt?: unknown }).isInt === true ? "integer" : "number";
    case "boolean":
      return "bool";
    case "null":
      return "null";
    case "literal":
      return union((def.values ?? []).map(literal));
    case "enum":
      return union(Object.values(def.entries ?? {}).map(literal));
    case "array":
      return `[${inner(def.element)}]`;
    case "tuple":
      return `[${union((def.items ?? []).map(inner))}]`;
    case "record":
      return `{*:${inner(def.valueType)}}`;
    case "object":
      return object(def, side, depth);
    case "union":
      return union((def.options ?? []).map(inner));
    case "nullable":
      return union([inner(def.innerType), "null"]);
    case "optional":
    case "default":
    case "prefault":
      // What is left out is null (`bind.ts`).
      return side === "input" ? union([inner(def.innerType), "null"]) : inner(def.innerType);
    case "readonly":
    case "nonoptional":
      return inner(def.innerType);
    case "pipe":
      return inner(side === "input" ? def.in : def.out);
    default:
      return ANY;
  }
}

/** Members of an object, each with its type. */
function object({ shape = {}, catchall }: Described, side: Side, depth: number): string {
  const members = Object.entries(shape).map(([name, schema]) => {
    const { type } = schema.def as unknown as Described;
    const optional = type === "optional" || (side === "input" && (type === "default" || type === "prefault"));
    const written = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${written}${optional ? "?" : ""}:${typeText(schema, side, depth + 1)}`;
  });
  const isOpen = catchall !== undefined && (catchall.def as unknown as Described).type !== "never";
  return `{${[...members, ...(isOpen ? ["…"] : [])].join(",")}}`;
}

function union(texts: readonly string[]): string {
  const parts = [...new Set(texts.flatMap(partsOf))];
  if (parts.length === 0 || parts.includes(ANY)) return ANY;
  if (parts.includes("true") && parts.includes("false")) {
    return [...parts.filter((part) => part !== "true" && part !== "false"), "bool"].join("|");
  }
  return parts.join("|");
}

/** The parts of a union that is not inside of anything. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === '"' && text[at - 1] !== "\\") quoted = !quoted;
    if (quoted) continue;
    if (mark === "[" || mark === "{" || mark === "(") depth += 1;
    if (mark === "]" || mark === "}" || mark === ")") depth -= 1;
    if (mark === "|" && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

function literal(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return JSON.stringify(value);
  return value === null ? "null" : ANY;
}
