/** The generated programs are worth running: they compile, and together they reach every kind of end. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { FRAME_CEILING, runs } from "../support/generators.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { interpret } from "../support/reference/interpreter.ts";
import { compileForTest } from "../support/run-case.ts";

it("compile, and end in every way", { timeout: 30_000 }, async () => {
  const ends = new Map<string, number>();
  const steps: number[] = [];
  for (const run of fc.sample(runs, { seed: 7, numRuns: 400 })) {
    const clock = fakeClock();
    const outcome = await interpret(compileForTest(run.source, false, Object.keys(run.frame)), {
      ...run,
      adapters: mockAdapters(clock),
      clock,
      facts: fakeFacts(),
      frameCeilingBytes: FRAME_CEILING,
    });
    const end = outcome.ok ? "ok" : outcome.error.code;
    ends.set(end, (ends.get(end) ?? 0) + 1);
    steps.push(outcome.usage.steps);
  }
  expect([...ends.keys()].sort()).toEqual(
    expect.arrayContaining([
      "RUNTIME_ADAPTER_ERROR",
      "RUNTIME_ADAPTER_NOT_ALLOWED",
      "RUNTIME_ERR_HANDLER_RECURSION",
      "RUNTIME_MAX_ADAPTER_CALLS",
      "RUNTIME_MAX_DEPTH",
      "RUNTIME_MAX_FRAME_BYTES",
      "RUNTIME_MAX_STEPS",
      "RUNTIME_MAX_TIME",
      "RUNTIME_OP_ERROR",
      "RUNTIME_WHILE_LIMIT",
      "RUNTIME_X_UNKNOWN_FN",
      "ok",
    ]),
  );
  expect(ends.get("ok")).toBeGreaterThan(60);
  expect(steps.filter((count) => count > 10).length).toBeGreaterThan(80);
});
