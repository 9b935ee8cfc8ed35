/** The steps of a run as the playground shows them: lines of the source, with the variables that each changed. */
import { describe, expect, it } from "vitest";
import { type RunLine, runLines } from "../../../service/ui/playground/run-lines.ts";
import type { TraceStep } from "../../../service/ui/playground/trace-step.ts";
import { compiled, run, world } from "../../support/world.ts";

const SOURCE = `def half(n):
    return n / 2


def main(xs: list):
    total = 0
    kept = []
    for x in xs:
        if x > 1 and x < 9:
            total += x
            kept.append([one for one in [x]])
    try:
        1 / 0
    except ZeroDivisionError as e:
        total = half(total)
    return total
`;

async function lines(source: string, frame = {}): Promise<readonly RunLine[]> {
  const { ir } = compiled(source, {});
  const { trace = [] } = await run(source, { in: world(), frame, trace: { variables: true } });
  return runLines(trace.filter(({ kind }) => kind !== "end") as unknown as readonly TraceStep[], ir);
}

describe("the lines of a run", () => {
  it("are those of the source, in the order in which they ended, with what each changed", async () => {
    const shown = (await lines(SOURCE, { xs: [1, 3] })).map(({ name, line, changed }) =>
      `${name} ${line} ${[...changed].join(" ")}`.trim(),
    );
    expect(shown).toEqual([
      ...[
        "main 6 xs total",
        "main 7 kept",
        "main 8 x",
        "main 9",
        "main 8 x",
        "main 9",
        "main 10 total",
        "main 11 kept",
      ],
      ...["main 8", "main 13", "main 14 e", "half 2 n", "main 15 total", "main 16"],
    ]);
  });

  it("say what was raised and what was returned, and never what the compiler made", async () => {
    const all = await lines(SOURCE, { xs: [] });
    expect(all.find(({ line }) => line === 13)?.error).toBe("ZeroDivisionError: division by zero");
    expect(all.filter(({ returned }) => returned !== undefined).map(({ name, returned }) => [name, returned])).toEqual([
      ["half", 0],
      ["main", 0],
    ]);
    const names = all.flatMap(({ name, variables }) => [name, ...Object.keys(variables ?? {})]);
    expect(names.filter((one) => one === null || /[$.]|^_file$/.test(one))).toEqual([]);
  });

  it("keep calls of the same function apart, also where they call each other", async () => {
    const source =
      "def fact(n):\n    m = n\n    return 1 if n < 2 else n * fact(n - 1)\n\n\ndef main():\n    return fact(3)\n";
    const calls = (await lines(source)).filter(({ name, line }) => name === "fact" && line === 3);
    const returned = calls.flatMap((one) => (one.returned === undefined ? [] : [one.returned]));
    expect(returned).toEqual([1, 2, 6]);
    expect((await lines(source)).filter(({ line }) => line === 2).map(({ changed }) => [...changed])).toEqual([
      ["n", "m"],
      ["n", "m"],
      ["n", "m"],
    ]);
  });

  it("show the statements of a file, without its definitions", async () => {
    const all = await lines("LIMIT = 5\n\n\ndef main():\n    return LIMIT\n");
    expect(all.map(({ name, line }) => `${name} ${line}`)).toEqual(["the file 1", "main 5"]);
  });

  it("are the steps themselves where the program is not there, or not in Python", () => {
    const steps = [
      { seq: 0, kind: "step", label: "L1", node_id: "n1", op: "Set", lineno: 2 },
      { seq: 1, kind: "step", label: "L1", node_id: "n2", op: "J", lineno: 2 },
    ];
    expect(runLines(steps, null).map(({ at, name, variables }) => [at, name, variables])).toEqual([
      [0, null, null],
      [1, null, null],
    ]);
  });
});
