/**
 * A run that is cancelled while branches run cleans up all the same: each branch is cancelled at its own next call or wait, in the order of their
 * numbers, and what has them last (durable-2.md Q-1, amendment 28).
 */
import { describe, expect, it } from "vitest";
import { memoryJournal } from "../../../vm/durable/memory-journal.ts";
import { Cancelling } from "../../../vm/runs/cancellation.ts";
import { cancelledAt, durably } from "./cancelled-runs.ts";

/** `main` after functions that branches run. */
const file = (...lines: readonly string[]): string =>
  ["# surface: python", "from weft import parallel", ...lines, ""].join("\n");

const HOLDING = ["def f(x):", "    try:", "        ext.w(x)", "        ext.hold()", "    finally:", "        ext.u(x)"];
const MAIN = ["def main():", "    try:", "        parallel(f, [1, 2, 3])", "    finally:", "        ext.u('parent')"];

describe("the cleanup of a run that is cancelled while branches run", () => {
  it("runs in each branch, in the order of their numbers, and then around them", async () => {
    const { made, answer } = await cancelledAt(file(...HOLDING, ...MAIN));
    expect(made.slice(made.lastIndexOf("hold") + 1)).toEqual(["u 1", "u 2", "u 3", "u parent"]);
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_CANCELLED", data: { reason: "enough", cleanup: "done" } },
    });
  });

  it("runs around branches that have none", async () => {
    const { made, answer } = await cancelledAt(file("def f(x):", "    ext.hold()", ...MAIN));
    expect(made.at(-1)).toBe("u parent");
    expect(answer).toMatchObject({ error: { code: "RUNTIME_CANCELLED", data: { cleanup: "done" } } });
  });

  it("runs in branches where nothing around them has one", async () => {
    const { made, answer } = await cancelledAt(file(...HOLDING, "def main():", "    parallel(f, [1, 2])"));
    expect(made.slice(-2)).toEqual(["u 1", "u 2"]);
    expect(answer).toMatchObject({ error: { code: "RUNTIME_CANCELLED", data: { reason: "enough", cleanup: "done" } } });
  });

  it("lets a branch that computes come to its next call", async () => {
    const source = file(
      "def f(x):",
      "    n = 0",
      "    try:",
      "        if x == 1:",
      "            ext.cancel()",
      "        for i in range(2000):",
      "            n += 1",
      "        ext.w('never')",
      "    finally:",
      "        ext.u(n)",
      ...MAIN,
    );
    const { made } = await cancelledAt(source);
    expect(made.filter((call) => call !== "cancel")).toEqual(["u 0", "u 2000", "u parent"]);
  });

  it("begins no more branches once one is cancelled", async () => {
    const { made } = await cancelledAt(
      file(
        ...HOLDING,
        "def main():",
        "    try:",
        "        parallel(f, range(9), limit=2)",
        "    finally:",
        "        ext.u('parent')",
      ),
    );
    expect(made.slice(-3)).toEqual(["u 0", "u 1", "u parent"]);
  });

  it("reaches branches inside of branches, those before what has them", async () => {
    const source = file(
      ...HOLDING,
      "def g(x):",
      "    try:",
      "        parallel(f, [10 * x + 1, 10 * x + 2])",
      "    finally:",
      "        ext.u(x)",
      "def main():",
      "    try:",
      "        parallel(g, [1, 2])",
      "    finally:",
      "        ext.u('parent')",
    );
    const { made } = await cancelledAt(source);
    const undone = made.filter((call) => call.startsWith("u "));
    expect(undone.toSorted()).toEqual(["u 1", "u 11", "u 12", "u 2", "u 21", "u 22", "u parent"]);
    expect(undone.at(-1)).toBe("u parent");
    for (const x of [1, 2])
      expect(undone.indexOf(`u ${x}`)).toBeGreaterThan(Math.max(undone.indexOf(`u ${x}1`), undone.indexOf(`u ${x}2`)));
  });

  it("shares one budget of calls", async () => {
    const loop = [
      "def f(x):",
      "    try:",
      "        ext.hold()",
      "    finally:",
      "        for i in range(40):",
      "            ext.u(i)",
    ];
    const { made, answer } = await cancelledAt(file(...loop, ...MAIN));
    expect(made.filter((call) => call.startsWith("u "))).toHaveLength(50);
    expect(answer).toMatchObject({ error: { code: "RUNTIME_CANCELLED", data: { cleanup: "stopped" } } });
  });

  it("says that the cleanup of a branch failed", async () => {
    const failing = ["def f(x):", "    try:", "        ext.hold()", "    finally:", "        raise ValueError('no')"];
    const { answer } = await cancelledAt(file(...failing, ...MAIN));
    expect(answer).toMatchObject({
      error: { code: "RUNTIME_CANCELLED", data: { cleanup: "failed", cleanup_error: "ValueError: no" } },
    });
  });

  it("ends with its time where a branch comes to no call", async () => {
    const source = file(
      "def f(x):",
      "    try:",
      "        if x == 1:",
      "            ext.hold()",
      "        while True:",
      "            pass",
      "    finally:",
      "        ext.u(x)",
      "        ext.hold()",
      ...MAIN,
    );
    const { made, answer } = await cancelledAt(source, { passes: 10_001 });
    expect(made).not.toContain("u 2");
    expect(answer).toMatchObject({ error: { code: "RUNTIME_CANCELLED", data: { cleanup: "stopped" } } });
  });

  it("may begin branches of its own, which wait for nothing", async () => {
    const source = file(
      "def f(x):",
      "    ext.u(x)",
      "def g(x):",
      "    timer.sleep('1h')",
      "def main():",
      "    try:",
      "        ext.hold()",
      "    finally:",
      "        parallel(f, [1, 2])",
      "        parallel(g, [1])",
    );
    const { made, answer } = await cancelledAt(source);
    expect(made).toEqual(["hold", "u 1", "u 2"]);
    expect(answer).toMatchObject({
      error: { data: { cleanup: "failed", cleanup_error: expect.stringContaining("cleanup of a cancelled run") } },
    });
  });

  it("ends at once when the run is halted", async () => {
    const halt = new Cancelling();
    const source = file(
      "def f(x):",
      "    try:",
      "        ext.hold()",
      "    finally:",
      "        ext.halt()",
      "        ext.u('never')",
      ...MAIN,
    );
    const { made, answer } = await cancelledAt(source, { halt });
    expect(made.filter((call) => call.startsWith("u "))).toEqual([]);
    expect(answer).toMatchObject({ error: { code: "RUNTIME_CANCELLED", data: { cleanup: "stopped" } } });
  });

  it("does not begin where neither they nor what has them has one", async () => {
    const { answer } = await cancelledAt(file("def f(x):", "    ext.hold()", "def main():", "    parallel(f, [1, 2])"));
    expect(answer).toMatchObject({ error: { code: "RUNTIME_CANCELLED", data: { reason: "enough" } } });
    expect((answer as { error: { data: object } }).error.data).not.toHaveProperty("cleanup");
  });
});

const SAGAS: Readonly<Record<string, string>> = {
  "while branches wait for calls": file(
    "def f(x):",
    "    done = []",
    "    try:",
    "        for i in range(x):",
    "            ext.w(i)",
    "            done.append(i)",
    "        ext.hold()",
    "    finally:",
    "        for i in reversed(done):",
    "            ext.u(10 * x + i)",
    "        ext.w('end')",
    ...MAIN,
  ),
  "while branches compute": file(
    "def u(x):",
    "    ext.u(x)",
    "def f(x):",
    "    n = 0",
    "    try:",
    "        ext.w(x)",
    "        if x == 2:",
    "            ext.cancel()",
    "        for i in range(500):",
    "            n += 1",
    "        ext.u(n)",
    "        ext.w(x)",
    "    finally:",
    "        ext.u(n)",
    "        ext.w(x)",
    "def main():",
    "    parallel(f, [1])",
    "    try:",
    "        parallel(f, [1, 2, 3], limit=2)",
    "    finally:",
    "        ext.u('parent')",
    "        parallel(u, ['a', 'b'])",
  ),
  "while branches of branches wait": file(
    ...HOLDING,
    "def g(x):",
    "    try:",
    "        parallel(f, [10 * x + 1, 10 * x + 2])",
    "    finally:",
    "        ext.u(x)",
    "def main():",
    "    ext.w('begin')",
    "    try:",
    "        parallel(g, [1, 2])",
    "    finally:",
    "        ext.u('parent')",
  ),
};

describe("a durable run that is cancelled while branches run, and whose process ends", () => {
  const ways = Object.entries(SAGAS).flatMap(([when, source]) => [
    { when, source, concurrent: false, calls: "one at a time" },
    { when, source, concurrent: true, calls: "at once" },
  ]);
  for (const { when, source, concurrent, calls: how } of ways) {
    it(`cleans up each branch once, cancelled ${when}, with calls made ${how}`, async () => {
      const journal = memoryJournal();
      const whole = await durably(source, journal, { cancels: true, concurrent });
      const records = recordsOf(journal.records);
      const at = records.findIndex(({ kind }) => kind === "cancelled");
      expect(records[at]).toMatchObject({ branch: "", where: "branches" });
      expect(whole.end).toMatchObject({ state: "ended", answer: { error: { data: { cleanup: "done" } } } });
      expect(undone(records)).not.toEqual([]);
      for (let kept = at + 1; kept < records.length; kept++) {
        const again = memoryJournal(journal.records.slice(0, kept));
        const { end } = await durably(source, again, { onUnknown: "retry", concurrent });
        expect(end, `${kept} records`).toMatchObject({
          state: "ended",
          answer: { error: { code: "RUNTIME_CANCELLED", data: { reason: "enough", cleanup: "done" } } },
        });
        // A branch that had neither begun before the cancellation nor come to a call after it has nothing to undo.
        const known = records.slice(0, kept).flatMap(({ branch, begun = {} }) => [branch, ...Object.keys(begun)]);
        const calls = undone(recordsOf(again.records));
        const wanted = undone(
          records.filter(
            ({ branch }) => known.includes(branch) || known.includes(branch.slice(0, branch.lastIndexOf("#") + 1)),
          ),
        );
        expect(calls, `${kept} records`).toEqual(expect.arrayContaining(wanted));
        expect(undone(records), `${kept} records`).toEqual(expect.arrayContaining(calls));
        expect(new Set(calls).size, `${kept} records`).toBe(calls.length);
      }
    });
  }
});

type Shown = {
  readonly kind: string;
  readonly branch: string;
  readonly where?: string;
  readonly begun?: object;
  readonly verb?: string;
  readonly node?: string;
  readonly args_hash?: string;
};

function recordsOf(texts: readonly string[]): readonly Shown[] {
  return texts.map((text) => JSON.parse(text) as Shown);
}

/** The calls of the cleanup, with the branches that made them. */
function undone(records: readonly Shown[]): string[] {
  return records
    .flatMap((record) =>
      record.kind === "call" && record.verb === "U"
        ? [JSON.stringify([record.branch, record.node, record.args_hash])]
        : [],
    )
    .toSorted();
}
