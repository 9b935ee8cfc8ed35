/**
 * Declared inputs that arrive as text: cells of CSV, parameters of a path or a query. A text that is a value of the declared type becomes that
 * value; any other stays a text, which the check of the frame then reports.
 */
import { type DeclaredInput, readDeclaredInputs } from "../../compiler/ir/frame-inputs.ts";
import { bracketType } from "../../compiler/ir/input-type.ts";
import type { Json } from "../../compiler/json.ts";

/** The value of the input `name`. */
export type TextReader = (name: string, text: string) => Json;

/** null: the program declares no type, so that every text stays one. */
export function textReaderOf(ir: Parameters<typeof readDeclaredInputs>[0]): TextReader | null {
  return textReader(readDeclaredInputs(ir));
}

export function textReader(inputs: readonly DeclaredInput[]): TextReader | null {
  const types = new Map(inputs.map((input) => [input.name, input.types]));
  if ([...types.values()].every((written) => written.length === 0)) return null;
  return (name, text) => {
    for (const type of types.get(name) ?? []) {
      const value = typedValue(type, text);
      if (value !== undefined) return value;
    }
    return text;
  };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Undefined when the text is not a value of the type, or the type is a string type. */
function typedValue(written: string, text: string): Json | undefined {
  const optional = written.endsWith("?");
  const type = optional || written.endsWith("!") ? written.slice(0, -1) : written;
  if (optional && text === "") return null;
  switch (type) {
    case "text":
    case "S":
    case "D":
      return text;
    case "number":
    case "F":
    case "integer":
    case "I":
      return numberOf(text);
    case "boolean":
    case "B":
      return text === "true" ? true : text === "false" ? false : undefined;
    default:
      return type === "J" ? undefined : bracketValue(type, text);
  }
}

function bracketValue(type: string, text: string): Json | undefined {
  const written = bracketType(type);
  switch (written?.kind) {
    case "words":
      return undefined;
    case "values":
      return written.values.find((value) => (typeof value === "string" ? value : JSON.stringify(value)) === text);
    case "union":
      for (const one of written.of) {
        const value = typedValue(one, text);
        if (value !== undefined) return value;
      }
      return undefined;
    default:
      return documentOf(text);
  }
}

/** Whole numbers that would lose digits stay text. */
function numberOf(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  const exact = !Number.isInteger(value) || Number.isSafeInteger(value) || /[.eE]/.test(text);
  return Number.isFinite(value) && exact ? value : undefined;
}

/** A list or an object as JSON. */
function documentOf(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
