/** Declared inputs of endpoints that arrive as strings, in a path or a query, and the input that is the request itself. */
import { type DeclaredInput, inputsByRun } from "../../../compiler/ir/frame-inputs.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import { type TextReader, textReader } from "../../../vm/inputs/from-text.ts";
import { REQUEST_INPUT } from "./program-api.ts";

export type InputReading = {
  readonly read: TextReader;
  /** A parameter of the query, which may be there several times. */
  readonly readQuery: (name: string, texts: readonly string[]) => Json;
  readonly declaresRequest: boolean;
};

const known = new WeakMap<Ir, Map<string, InputReading>>();
const AS_TEXT: TextReader = (_name, text) => text;
/** Lists of plain values are repeated parameters, as the document says; other lists are JSON. */
const PLAIN_LIST = /^(?:list|A\[(F|I|S|B|D|number|integer|text|boolean|date|E\[[^\]]*\])\])[?!]?$/;

/** Of the runs that begin at a label. Made once for a program that is kept. */
export function inputReading(ir: Ir, label: string): InputReading {
  const labels = known.get(ir) ?? new Map<string, InputReading>();
  known.set(ir, labels);
  const reading = labels.get(label) ?? readingOf(inputsByRun(ir)(label));
  labels.set(label, reading);
  return reading;
}

function readingOf(inputs: readonly DeclaredInput[]): InputReading {
  const read = textReader(inputs) ?? AS_TEXT;
  const items = inputs.flatMap(({ name, types, required }) => {
    const list = types.length === 1 ? PLAIN_LIST.exec(types[0] ?? "") : null;
    return list === null ? [] : [{ name, types: list[1] === undefined ? [] : [list[1]], required }];
  });
  const lists = new Set(items.map(({ name }) => name));
  const readItem = textReader(items) ?? AS_TEXT;
  return {
    read,
    readQuery(name, texts) {
      const [first = ""] = texts;
      if (texts.length === 1 && !(lists.has(name) && !first.startsWith("["))) return read(name, first);
      return texts.map((text) => (lists.has(name) ? readItem(name, text) : text));
    },
    declaresRequest: inputs.some(({ name }) => name === REQUEST_INPUT),
  };
}
