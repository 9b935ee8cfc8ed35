/**
 * A cancelled run of a Python program runs its `finally` blocks, and nothing else: no handler sees the cancellation, no way out of a block
 * discards it, and the cleanup has bounds of its own (durable-2.md Q-1, amendments 22, 28 and 29).
 */
import { describe, expect, it } from "vitest";
import { memoryJournal } from "../../../vm/durable/memory-journal.ts";
import { Cancelling } from "../../../vm/runs/cancellation.ts";
import { type Cancelled, cancelledAt, durably } from "./cancelled-runs.ts";

const undo = (...lines: readonly string[]): string =>
  ["# surface: python", "def main():", ...lines.map((line) => `    ${line}`), ""].join("\n");

async function madeBy(source: string, options: Cancelled = {}): Promise<readonly string[]> {
  return (await cancelledAt(source, options)).made;
}

describe("the cleanup of a cancelled run", () => {
  it("runs where the run waits for a call, and the run ends as cancelled", async () => {
    const source = undo("try:", "    ext.w('book')", "    ext.hold()", "finally:", "    ext.w('undo')");
    const { made, answer } = await cancelledAt(source);
    expect(made).toEqual(["w book", "hold", "w undo"]);
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_CANCELLED", data: { reason: "enough", cleanup: "done" } },
    });
  });

  it("runs in a loop that makes no call", async () => {
    const source = undo("try:", "    ext.cancel()", "    while True:", "        pass", "finally:", "    ext.w('undo')");
    expect(await madeBy(source)).toEqual(["cancel", "w undo"]);
  });

  it("runs inside of a long built-in function", async () => {
    const source = undo(
      "try:",
      "    ext.cancel()",
      "    total = sum(range(10 ** 8))",
      "    ext.w(total)",
      "finally:",
      "    ext.w('undo')",
    );
    expect(await madeBy(source)).toEqual(["cancel", "w undo"]);
  });

  it("is not seen by except, however wide", async () => {
    for (const handler of ["except:", "except BaseException:", "except Exception as e:"]) {
      const source = undo(
        "try:",
        "    try:",
        "        ext.hold()",
        `    ${handler}`,
        "        ext.w('seen')",
        "finally:",
        "    ext.w('undo')",
      );
      expect(await madeBy(source), handler).toEqual(["hold", "w undo"]);
    }
  });

  it("passes every block around, functions and callbacks too", async () => {
    const source = [
      "# surface: python",
      "def inner(x):",
      "    try:",
      "        ext.hold()",
      "    finally:",
      "        ext.w('inner')",
      "def main():",
      "    try:",
      "        try:",
      "            sorted([2, 1], key=inner)",
      "        finally:",
      "            ext.w('near')",
      "        ext.w('never')",
      "    finally:",
      "        ext.w('far')",
      "",
    ].join("\n");
    expect(await madeBy(source)).toEqual(["hold", "w inner", "w near", "w far"]);
  });

  it("is not discarded by return, break or continue in the block", async () => {
    for (const way of ["return 1", "break", "continue"]) {
      const source = undo(
        "for x in [1, 2]:",
        "    try:",
        "        ext.hold()",
        "    finally:",
        "        ext.w('undo')",
        `        ${way}`,
        "ext.w('never')",
      );
      expect(await madeBy(source), way).toEqual(["hold", "w undo"]);
    }
  });

  it("is not replaced by what the block raises, which the error names", async () => {
    const source = undo(
      "try:",
      "    try:",
      "        ext.hold()",
      "    finally:",
      "        ext.w('undo')",
      "        raise ValueError('no such booking')",
      "except ValueError:",
      "    ext.w('never')",
    );
    const { made, answer } = await cancelledAt(source);
    expect(made).toEqual(["hold", "w undo"]);
    expect(answer).toMatchObject({
      error: {
        code: "RUNTIME_CANCELLED",
        data: { cleanup: "failed", cleanup_error: "ValueError: no such booking" },
      },
    });
  });

  it("may catch what its own calls raise", async () => {
    const source = undo(
      "try:",
      "    ext.hold()",
      "finally:",
      "    try:",
      "        raise ValueError('x')",
      "    except ValueError:",
      "        ext.w('handled')",
      "    ext.w('undo')",
    );
    const { made, answer } = await cancelledAt(source);
    expect(made).toEqual(["hold", "w handled", "w undo"]);
    expect(answer).toMatchObject({ error: { data: { cleanup: "done" } } });
  });

  it("makes no more calls than the caller admits, and none where it admits none", async () => {
    const source = undo("try:", "    ext.hold()", "finally:", "    for x in range(5):", "        ext.w(x)");
    const { made, answer } = await cancelledAt(source, { limits: { max_adapter_calls: 3 } });
    expect(made).toEqual(["hold", "w 0", "w 1", "w 2"]);
    expect(answer).toMatchObject({
      error: { code: "RUNTIME_CANCELLED", data: { cleanup: "stopped" } },
    });
    const spinning = undo("try:", "    while True:", "        pass", "finally:", "    ext.w('undo')");
    expect(await madeBy(spinning, { limits: { max_adapter_calls: 0 }, before: true })).toEqual([]);
  });

  it("makes no more calls than cleanup_calls says, which callers cannot make more than 50", async () => {
    const source = undo("try:", "    ext.hold()", "finally:", "    for x in range(99):", "        ext.w(x)");
    for (const [limit, calls] of [
      [0, 0],
      [2, 2],
      [1000, 50],
    ] as const) {
      const { made, answer } = await cancelledAt(source, { limits: { cleanup_calls: limit } });
      expect(made, `${limit}`).toHaveLength(1 + calls);
      expect(answer).toMatchObject({
        error: {
          data: {
            cleanup: "stopped",
            cleanup_error: expect.stringContaining(`cleanup_calls exceeded (limit ${calls})`),
          },
        },
      });
    }
  });

  it("ends after cleanup_ms, where that is less than its time", async () => {
    const source = undo("try:", "    ext.hold()", "finally:", "    ext.hold()", "    ext.w('never')");
    const { made, answer } = await cancelledAt(source, { passes: 101, limits: { cleanup_ms: 100 } });
    expect(made).toEqual(["hold", "hold"]);
    expect(answer).toMatchObject({
      error: {
        data: { cleanup: "stopped", cleanup_error: expect.stringContaining("cleanup_ms exceeded (limit 100)") },
      },
    });
  });

  it("has no steps beyond those that are left of the run's own", async () => {
    const source = undo("try:", "    ext.hold()", "finally:", "    while True:", "        pass");
    const { answer } = await cancelledAt(source, { limits: { max_steps: 1000 } });
    expect(answer).toMatchObject({
      error: { code: "RUNTIME_CANCELLED", data: { cleanup: "stopped" } },
      usage: { steps: 1000 },
    });
  });

  it("ends after its time", async () => {
    const source = undo("try:", "    ext.hold()", "finally:", "    ext.hold()", "    ext.w('never')");
    const { made, answer } = await cancelledAt(source, { passes: 10_001 });
    expect(made).toEqual(["hold", "hold"]);
    expect(answer).toMatchObject({ error: { code: "RUNTIME_CANCELLED", data: { cleanup: "stopped" } } });
  });

  it("ends at once when the run is halted", async () => {
    const halt = new Cancelling();
    const source = undo("try:", "    ext.hold()", "finally:", "    ext.halt()", "    ext.w('never')");
    const { made, answer } = await cancelledAt(source, { halt });
    expect(made).toEqual(["hold", "halt"]);
    expect(answer).toMatchObject({ error: { code: "RUNTIME_CANCELLED", data: { cleanup: "stopped" } } });
  });

  it("waits for nothing", async () => {
    const source = undo("try:", "    ext.hold()", "finally:", "    timer.sleep('1h')");
    const { answer } = await cancelledAt(source);
    expect(answer).toMatchObject({
      error: { data: { cleanup: "failed", cleanup_error: expect.stringContaining("cleanup of a cancelled run") } },
    });
  });

  it("does not begin where no finally is open", async () => {
    const source = undo("try:", "    ext.w('a')", "finally:", "    ext.w('undo')", "ext.hold()");
    const { made, answer } = await cancelledAt(source);
    expect(made).toEqual(["w a", "w undo", "hold"]);
    expect(answer).toMatchObject({ error: { code: "RUNTIME_CANCELLED", data: { reason: "enough" } } });
    expect((answer as { error: { data: object } }).error.data).not.toHaveProperty("cleanup");
  });
});

const SAGAS: Readonly<Record<string, string>> = {
  "while a call is under way": undo(
    "done = []",
    "try:",
    "    for x in range(3):",
    "        ext.w(x)",
    "        done.append(x)",
    "    ext.hold()",
    "finally:",
    "    for x in reversed(done):",
    "        ext.u(x)",
    "    ext.w('end')",
  ),
  "between two steps": undo(
    "n = 0",
    "try:",
    "    ext.w('book')",
    "    ext.cancel()",
    "    while True:",
    "        n += 1",
    "finally:",
    "    ext.u(n)",
    "    ext.w(n)",
  ),
  "inside of a built-in function": undo(
    "n = 0",
    "try:",
    "    ext.w('book')",
    "    ext.cancel()",
    "    n = sum(range(10 ** 7))",
    "finally:",
    "    ext.u(n)",
    "    ext.w('end')",
  ),
};

describe("the cleanup of a durable run whose process ends", () => {
  for (const [when, source] of Object.entries(SAGAS)) {
    it(`continues where it was, cancelled ${when}`, async () => {
      const journal = memoryJournal();
      const whole = await durably(source, journal, { cancels: true });
      const records = journal.records.map((text) => JSON.parse(text) as { kind: string });
      const at = records.findIndex(({ kind }) => kind === "cancelled");
      expect(at).toBeGreaterThan(0);
      expect(whole.end).toMatchObject({ state: "ended", answer: { error: { data: { cleanup: "done" } } } });
      for (let kept = at + 1; kept < records.length; kept++) {
        const again = memoryJournal(journal.records.slice(0, kept));
        const { end, made } = await durably(source, again, { onUnknown: "retry" });
        expect(end, `${kept} records`).toMatchObject({
          state: "ended",
          answer: { error: { code: "RUNTIME_CANCELLED", data: { reason: "enough", cleanup: "done" } } },
        });
        expect(made, `${kept} records`).toEqual(whole.made.slice(whole.made.length - made.length));
      }
    });
  }
});
