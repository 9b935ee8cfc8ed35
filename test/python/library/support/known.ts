/** The rows of the library, and an evaluator of their natives. */
import { HOST as HOST_ROWS } from "../../../../compiler/python/library/host.ts";
import { HOSTED } from "../../../../compiler/python/library/modules/hosted.ts";
import { PRELUDE } from "../../../../compiler/python/library/prelude.ts";
import { LIBRARY_ROWS } from "../../../../compiler/python/library/rows.ts";
import { HOST } from "../../../../vm/python/library/host.ts";
import { MODULES } from "../../../../vm/python/library/modules/parts.ts";
import { TEXTS } from "../../../../vm/python/library/parts.ts";
import { VALUES } from "../../../../vm/python/library/values/parts.ts";
import { Evaluator } from "./evaluate.ts";

/** Those that can be compared with CPython: clocks, random numbers and the functions that Python lacks cannot. */
export const ROWS = [...LIBRARY_ROWS.values()].filter(
  (row) => !HOST_ROWS.includes(row) && !HOSTED.includes(row) && !PRELUDE.includes(row),
);

export function rowEvaluator(): Evaluator {
  return new Evaluator([...TEXTS, ...VALUES, ...MODULES, HOST], [...LIBRARY_ROWS.values()]);
}
