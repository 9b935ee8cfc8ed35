/** What a report states about steps, calls and depth of a program in Python holds for its runs, and is as close as its loops allow. */
import { describe, expect, it } from "vitest";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { securityReport } from "../../compiler/policy/report.ts";
import { catalog, compiled, world } from "../support/world.ts";

const lines = (...rows: readonly string[]): string => `${rows.join("\n")}\n`;

function irOf(source: string): Ir {
  const { ir, diagnostics } = compiled(`# surface: python\n${source}`);
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  return ir;
}

async function ran(source: string, frame: JsonObject) {
  const ir = irOf(source);
  const { labels, summary } = securityReport(ir, catalog);
  const answer = await world().host.run({ ir, frame });
  return { answer, bounds: labels[ir.entry as string]?.bounds, summary };
}

const PROGRAMS: readonly (readonly [title: string, source: string, frame: JsonObject, steps: string, calls: string])[] =
  [
    ["a value", lines("def main():", "    return 1"), {}, "2 to 2", "0 to 0"],
    [
      "both sides of a condition",
      lines("def main(n):", "    if n:", "        n = 2", "        n = 3", "    return n"),
      { n: 1 },
      "3 to 5",
      "0 to 0",
    ],
    [
      "functions that are called by their names",
      lines("def main():", "    return size(1) + size(2)", "", "", "def size(x):", "    return x"),
      {},
      "3 to 7",
      "0 to 0",
    ],
    [
      "calls in both branches",
      lines(
        "import time",
        "",
        "",
        "def main(n):",
        "    if n:",
        "        return time.time() - time.time()",
        "    return 0",
      ),
      { n: 1 },
      "3 to 3",
      "0 to 2",
    ],
    [
      "a loop",
      lines("def main(xs):", "    for x in xs:", "        pass", "    return 1"),
      { xs: [1, 2, 3] },
      "3 to null",
      "0 to 0",
    ],
    [
      "a loop with calls",
      lines("import time", "", "", "def main(xs):", "    for x in xs:", "        time.time()", "    return 1"),
      { xs: [1, 2, 3] },
      "3 to null",
      "0 to null",
    ],
    [
      "a failure that is caught",
      lines(
        "def main(n):",
        "    try:",
        "        n = 1 // n",
        "    except ZeroDivisionError:",
        "        n = 2",
        "    return n",
      ),
      { n: 0 },
      "1 to 4",
      "0 to 0",
    ],
    [
      "a function that is handed on",
      lines("def main(xs):", "    return sorted(xs, key=lambda x: -x)"),
      { xs: [1, 2] },
      "2 to null",
      "0 to 0",
    ],
    ["recursion", lines("def main(n):", "    return 0 if n == 0 else main(n - 1)"), { n: 3 }, "1 to null", "0 to 0"],
    [
      "a script that calls its functions",
      lines("def size(x):", "    return x", "", "", "size(1) + size(2)"),
      {},
      "2 to 6",
      "0 to 0",
    ],
  ];

describe("a report about Python", () => {
  it.each(PROGRAMS)("bounds %s", async (_title, source, frame, steps, calls) => {
    const { answer, bounds } = await ran(source, frame);
    expect(answer.ok ? "" : answer.error.message).toBe("");
    expect([
      `${bounds?.min_steps} to ${bounds?.max_steps}`,
      `${bounds?.min_adapter_calls} to ${bounds?.max_adapter_calls}`,
    ]).toEqual([steps, calls]);
    const { usage } = answer;
    expect(usage.steps).toBeGreaterThanOrEqual(bounds?.min_steps ?? 0);
    expect(usage.steps).toBeLessThanOrEqual(bounds?.max_steps ?? Number.POSITIVE_INFINITY);
    expect(usage.adapter_calls).toBeGreaterThanOrEqual(bounds?.min_adapter_calls ?? 0);
    expect(usage.adapter_calls).toBeLessThanOrEqual(bounds?.max_adapter_calls ?? Number.POSITIVE_INFINITY);
  });

  it("says where a loop keeps a bound from being known", () => {
    const source = lines("def main(xs):", "    for x in xs:", "        http.Get(x)", "    return 1");
    const { summary } = securityReport(irOf(source), catalog);
    expect(summary.unknown.filter(({ what }) => what !== "hosts")).toMatchObject(
      ["iterations", "steps", "adapter_calls"].map((what) => ({
        what,
        line: 3,
        reason: "a loop whose passes only a run knows",
      })),
    );
    expect(summary.loops).toMatchObject([{ op: "For", line: 3, max_iterations: null }]);
    expect(summary.max_depth).toBe(1);
  });

  it("counts functions inside each other, and does not know how deep one runs that is handed on", () => {
    const nested = lines(
      "def main():",
      "    return one()",
      "",
      "",
      "def one():",
      "    return two()",
      "",
      "",
      "def two():",
      "    return 3",
    );
    expect(securityReport(irOf(nested), catalog).summary.max_depth).toBe(3);
    const given = lines(
      "def main():",
      "    return apply(two)",
      "",
      "",
      "def apply(f):",
      "    return f()",
      "",
      "",
      "def two():",
      "    return 3",
    );
    expect(securityReport(irOf(given), catalog).summary.max_depth).toBe(null);
  });
});
