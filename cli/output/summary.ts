/** The envelope of `wf summarize`, for commands that have an answer at hand. */
import { summarize } from "../../vm/summary.ts";
import type { Screen } from "../screen.ts";
import { jsonIndented } from "./json.ts";

export function printSummary(screen: Screen, answer: object): void {
  const summary = summarize(answer);
  if (screen.json) screen.document(summary);
  else screen.out(`${jsonIndented(summary)}\n`);
}
