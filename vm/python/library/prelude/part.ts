/** The functions that programs have without an import (`compiler/python/library/prelude.ts`). */
import type { Part } from "../registry.ts";
import { BRIDGED } from "./bridge.ts";
import { DICTS } from "./dicts.ts";
import { typed } from "./kinds.ts";
import { LISTS } from "./lists.ts";
import { NUMBERS } from "./numbers.ts";
import { SHOWN } from "./shown.ts";
import { JOINED } from "./texts.ts";

const FUNCTIONS = { ...NUMBERS, ...JOINED, ...LISTS, ...DICTS, ...BRIDGED, ...SHOWN };

export const PRELUDE: Part = {
  natives: Object.fromEntries(
    Object.entries(FUNCTIONS).map(([name, [kinds, run]]) => [`weft.${name}`, typed(name, kinds, run)]),
  ),
};
