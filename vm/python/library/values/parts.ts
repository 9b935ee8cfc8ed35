/** Builtins and the builtin types. */
import type { Part } from "../registry.ts";
import { DICTS } from "./dicts.ts";
import { FOLDS } from "./folds.ts";
import { ITERATORS } from "./iterators.ts";
import { LISTS } from "./lists.ts";
import { NUMBERS } from "./numbers.ts";
import { SETS } from "./sets.ts";
import { TYPES } from "./types.ts";

export const VALUES: readonly Part[] = [TYPES, NUMBERS, FOLDS, ITERATORS, LISTS, DICTS, SETS];
