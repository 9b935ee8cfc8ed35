/** Stored IR as a value: a large one is parsed in pieces, with other requests in between. */
import type { Ir } from "../../compiler/ir/graph.ts";
import { readJson } from "../../vm/functions/json/reader.ts";
import type { Clock } from "../../vm/run.ts";
import { inTurns, Pace } from "../../vm/tasks/task.ts";
import { unmetered } from "../../vm/tasks/work-meter.ts";

/** Characters that are parsed in a few milliseconds. */
const SMALL = 128 * 1024;

export async function parsedIr(text: string, clock: Pick<Clock, "now">): Promise<Ir> {
  if (text.length <= SMALL) return JSON.parse(text) as Ir;
  const ir = await inTurns(readJson(text, new Pace(unmetered), Number.POSITIVE_INFINITY), clock, setImmediate);
  return ir as unknown as Ir;
}
