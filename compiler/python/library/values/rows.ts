/** Builtins and the builtin types. */
import type { Row } from "../row.ts";
import { BUILTINS } from "./builtins.ts";
import { DICTS } from "./dicts.ts";
import { LISTS } from "./lists.ts";
import { NUMBERS } from "./numbers.ts";
import { SETS } from "./sets.ts";

export const VALUES: readonly Row[] = [...BUILTINS, ...NUMBERS, ...LISTS, ...DICTS, ...SETS];
