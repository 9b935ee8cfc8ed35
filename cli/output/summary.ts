/** The envelope of `wf summarize`, for commands that have an answer at hand. */
import { summarize } from "../../vm/summary/summary.ts";
import type { Screen } from "../session/screen.ts";
import { jsonIndented } from "./terminal/json.ts";

export function printSummary(screen: Screen, answer: object): void {
  const summary = summarize(answer);
  if (screen.json) screen.document(summary);
  else screen.out(`${jsonIndented(summary)}\n`);
}
