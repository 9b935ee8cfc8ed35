/** What is logged about a failed run, and at which level: no secrets, no values, and mistakes of callers only at level info. */
import { describe, expect, it } from "vitest";
import type { LogLevel } from "../../adapters/operator/host-config.ts";
import { createValueHash } from "../../adapters/run-log/fields.ts";
import { createJsonLog, logRun } from "../../adapters/run-log/lines.ts";
import { createRedaction } from "../../adapters/run-log/redaction.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import type { RunAnswer } from "../../vm/host.ts";
import { prepared, testGateway } from "../gateway/requests.ts";
import { run, testClock, world } from "../support/world.ts";

const SOURCE = 'L1:\n  R ext.login "an-argument" ->x\n  J x\n';
const refusing = world({
  ext: {
    login() {
      throw new AdapterError("EXT_REFUSED", "refused: password=hunter2hunter2 of the vault");
    },
  },
});

type LogEvent = Readonly<Record<string, unknown>>;

/** The events of one run that fails, with what `changed` makes of its answer. */
async function logged(level: LogLevel, changed = (answer: RunAnswer): RunAnswer => answer): Promise<LogEvent[]> {
  const lines: string[] = [];
  const ready = await prepared(testGateway(), "L1:\n  J 1\n");
  if (!ready.ok) throw new Error("the program is admitted");
  const deps = {
    log: createJsonLog({ level, clock: testClock(), emit: (line) => lines.push(line) }),
    valueHash: createValueHash(null),
    redaction: createRedaction((text) => text.replaceAll("the vault", "[REDACTED]")),
  };
  const begun = { traceId: "t1", prepared: ready, label: "L1", source: SOURCE, policyPresent: false, replay: false };
  const { observer, ended } = logRun(deps, begun);
  ended(changed(await run(SOURCE, { in: refusing, observer })), 1.23456);
  expect(lines.join("")).not.toMatch(/hunter2|the vault|an-argument/);
  return lines.map((line) => JSON.parse(line));
}

const asDefect = (answer: RunAnswer): RunAnswer =>
  answer.ok
    ? answer
    : { ...answer, error: { ...answer.error, code: "RUNTIME_INTERNAL", data: { api_key: "hunter2", seq: 3 } } };

describe("the log of a run", () => {
  it("tells its failure without secrets", async () => {
    expect(await logged("info")).toMatchObject([
      { event: "run_start" },
      { event: "adapter_call", status: "error", result_hash: null },
      {
        level: "info",
        event: "run_failed",
        trace_id: "t1",
        error_code: "RUNTIME_ADAPTER_ERROR",
        line: 2,
        duration_ms: 1.235,
        message: expect.stringContaining("password=[REDACTED] of [REDACTED]"),
      },
    ]);
  });

  it.each(["warn", "error"] as const)("reports only defects at level %s", async (level) => {
    expect(await logged(level)).toEqual([]);
    expect(await logged(level, asDefect)).toMatchObject([
      { level: "error", event: "run_failed", error_code: "RUNTIME_INTERNAL", data: { api_key: "[REDACTED]", seq: 3 } },
    ]);
  });
});
