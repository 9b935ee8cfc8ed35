/** Modules of values, and of clocks. */
import type { Row } from "../row.ts";
import { CALENDARS } from "./calendars.ts";
import { COLLECTIONS } from "./collections.ts";
import { CSV } from "./csv.ts";
import { DECIMALS } from "./decimals.ts";
import { DIFFERENCES } from "./differences.ts";
import { FUNCTIONS } from "./functions.ts";
import { GRAPHLIB } from "./graphlib.ts";
import { ITERTOOLS } from "./itertools.ts";
import { MATH } from "./math.ts";
import { STATISTICS } from "./statistics.ts";
import { CLOCKS } from "./time.ts";

export const MODULES: readonly Row[] = [
  ...CALENDARS,
  ...COLLECTIONS,
  ...ITERTOOLS,
  ...FUNCTIONS,
  ...MATH,
  ...STATISTICS,
  ...CSV,
  ...DECIMALS,
  ...DIFFERENCES,
  ...GRAPHLIB,
  ...CLOCKS,
];
