/** What adapters log during one run, bounded: a program can call an adapter that logs as often as its limits admit. */
import type { RunScope } from "../../vm/adapter.ts";
import type { AdapterLog } from "./effect.ts";

/** Lines of the adapters of one run. The last one says that further ones are dropped. */
export const MAX_RUN_LINES = 1000;

/** By what is counted of the run: its calls may see it through scopes of their own. */
const lines = new WeakMap<RunScope["usage"], number>();

export function runAdapterLog(log: AdapterLog, run: RunScope): AdapterLog {
  return (event, fields) => {
    const count = (lines.get(run.usage) ?? 0) + 1;
    lines.set(run.usage, count);
    if (count < MAX_RUN_LINES) log(event, fields);
    else if (count === MAX_RUN_LINES) log("adapter_log_full", { lines: MAX_RUN_LINES, trace_id: run.traceId });
  };
}
