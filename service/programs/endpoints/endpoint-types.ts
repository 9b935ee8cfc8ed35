/** Declared inputs of endpoints that arrive as strings, in a path or a query, and the input that is the request itself. */
import { readDeclaredInputs } from "../../../compiler/ir/frame-inputs.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import { type TextReader, textReaderOf } from "../../../vm/inputs/from-text.ts";
import { REQUEST_INPUT } from "./program-api.ts";

export type InputReading = {
  readonly read: TextReader;
  /** A parameter of the query, which may be there several times. */
  readonly readQuery: (name: string, texts: readonly string[]) => Json;
  readonly declaresRequest: boolean;
};

const known = new WeakMap<Ir, InputReading>();
const AS_TEXT: TextReader = (_name, text) => text;
const PLAIN_LIST = /^A\[([FISBD]|E\[[^\]]*\])\][?!]?$/;

/** Made once for a program that is kept. */
export function inputReading(ir: Ir): InputReading {
  const made = known.get(ir);
  if (made !== undefined) return made;
  const inputs = readDeclaredInputs(ir);
  const read = textReaderOf(ir) ?? AS_TEXT;
  // Lists of plain values are repeated parameters, as the document says; other lists are JSON.
  const items = inputs.flatMap(({ name, types }) => {
    const inner = PLAIN_LIST.exec(types[0] ?? "")?.[1];
    return inner === undefined ? [] : [{ op: "frame", slots: [name, inner], line: 0 }];
  });
  const lists = new Set(items.map(({ slots }) => slots[0] ?? ""));
  const readItem = textReaderOf({ declarations: items }) ?? AS_TEXT;
  const reading: InputReading = {
    read,
    readQuery(name, texts) {
      const [first = ""] = texts;
      if (texts.length === 1 && !(lists.has(name) && !first.startsWith("["))) return read(name, first);
      return texts.map((text) => (lists.has(name) ? readItem(name, text) : text));
    },
    declaresRequest: inputs.some(({ name }) => name === REQUEST_INPUT),
  };
  known.set(ir, reading);
  return reading;
}
