/** What adapters log during one run is bounded, and the last line says so. */
import { expect, it } from "vitest";
import { MAX_RUN_LINES, runAdapterLog } from "../../adapters/definition/adapter-log.ts";
import type { RunScope } from "../../vm/adapter.ts";

const runOf = (traceId: string): RunScope => ({
  traceId,
  onEnd() {},
  warn() {},
  usage: {},
  instanceOf: () => undefined,
});

it("adapters of one run write a bounded number of lines, whichever of them logs, and other runs have their own", () => {
  const lines: [string, unknown][] = [];
  const log = (event: string, fields?: object): void => void lines.push([event, fields]);
  const [one, other] = [runOf("t1"), runOf("t2")];
  for (let call = 0; call < 3 * MAX_RUN_LINES; call++) runAdapterLog(log, one)("tool_stderr", { call });
  runAdapterLog(log, other)("tool_stderr", { call: -1 });
  expect(lines).toHaveLength(MAX_RUN_LINES + 1);
  expect(lines.at(-2)).toEqual(["adapter_log_full", { lines: MAX_RUN_LINES, trace_id: "t1" }]);
  expect(lines.at(-1)).toEqual(["tool_stderr", { call: -1 }]);
});
