/**
 * The slots of a run that has not begun: constants with their sizes and marks, everything else unset. Made once for each variant
 * of a program; machines start from copies of it.
 */
import type { Program, VariantTables } from "../../compiler/bytecode/program.ts";
import type { Json } from "../../compiler/json.ts";
import { unsetSize } from "../values/json-size.ts";
import { isPlainKey } from "../values/paths.ts";
import { Booked, exactSize, Mark } from "./accounting.ts";

export type FrameTemplate = {
  readonly V: readonly (Json | undefined)[];
  readonly SZ: Float64Array;
  readonly OWN: Uint8Array;
};

const templates = new WeakMap<VariantTables, FrameTemplate>();

/** The template of `tables`, which is a variant of `program`. */
export function frameTemplate(program: Program, tables: VariantTables): FrameTemplate {
  const known = templates.get(tables);
  if (known !== undefined) return known;
  const made = makeTemplate(program.names, tables);
  templates.set(tables, made);
  return made;
}

function makeTemplate(names: readonly string[], { constants, temporaries }: VariantTables): FrameTemplate {
  const slots = names.length + constants.length + temporaries;
  const SZ = new Float64Array(slots);
  const OWN = new Uint8Array(slots);
  // Pushed, not set by index: an array without holes is read faster.
  const V: (Json | undefined)[] = [];
  for (const name of names) {
    SZ[V.length] = unsetSize(name);
    V.push(undefined);
  }
  for (const value of constants) {
    SZ[V.length] = typeof value === "number" ? Booked.Number : exactSize(value);
    if (typeof value === "string" && value.isWellFormed())
      OWN[V.length] = isPlainKey(value) ? Mark.PlainKey : Mark.ExactText;
    V.push(value);
  }
  while (V.length < slots) V.push(undefined);
  return { V, SZ, OWN };
}
