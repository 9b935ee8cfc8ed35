/** WF4004: tests of a declared input that do not notice that the caller left it out. */
import { describe, expect, it } from "vitest";
import { wf } from "../cli/console.ts";
import { diagnose, found } from "./found.ts";

const codes = ["WF4004"];
const program = (...steps: readonly string[]) => `# frame: limit, other\nL1:\n${steps.join("\n")}\n  J 1\n`;

describe("a declared input that is tested with its bare name", () => {
  it.each([
    ["compared with null", "  X n ite (eq limit null) 3 limit", 1],
    ["compared with null from the other side", "  X n ne null limit", 1],
    ["under another spelling of the function", "  Set n [(not_equal limit null)]", 1],
    ["compared by a verb of core", "  R core.EQ limit null ->n", 1],
    ["asked for its truth", "  X n or limit 10", 1],
    ["as a condition of ite", "  X n ite limit limit 3", 1],
    ["negated", "  Set n (not limit)", 1],
    ["asked for its type", '  X n eq (type limit) "null"', 1],
    ["on the right of a condition", "  If null=limit ->L1", 1],
    ["two of them in one step", "  X n and limit other", 2],
    ["by the step that sets it", "  X limit ite (eq limit null) 3 limit", 1],
  ])("is reported: %s", (_, step, count) => {
    expect(found(program(step), codes)).toEqual(new Array(count).fill("3 WF4004"));
  });

  it.each([
    ["with a dollar sign", "  X n ite (eq $limit null) 3 limit"],
    ["compared with something else", '  X n eq limit "all"'],
    ["on the left of a condition, where it is null", "  If limit=null ->L1"],
    ["that a step above sets", "  Set limit 3\n  X n eq limit null"],
    ["that is not an input", "  Set a 1\n  X n eq a null"],
    ["used and not tested", "  X n add limit 1"],
  ])("is not reported: %s", (_, step) => {
    expect(found(program(step), codes)).toEqual([]);
  });

  const branches = (test: string, ...labels: readonly string[]) =>
    `# frame: a\nL1:\n  If a > 1 ->L2 ->L3\nL2:\n  Set v 3\n  If a > 5 ->L3 ->L3\nL3:\n${test}\n  J n\n${labels.join("")}`;

  it.each([
    ["in a branch", branches("  X n ite (eq v null) 3 v"), ["8"]],
    ["in a branch, asked for its truth", branches("  X n or v 10"), ["8"]],
    [
      "in a loop that may have no iteration",
      "# frame: l\nL1:\n  Loop l i ->L2 ->L3\nL2:\n  Set v i\n  J null\nL3:\n  X n not v\n  J n\n",
      ["8"],
    ],
    [
      "by a call that may fail before",
      "# frame: a\nL1:\n  R http.Get a ->v\n  Err ->L2\n  J v\nL2:\n  X n eq v null\n  J n\n",
      ["7"],
    ],
    ["in a branch, and then on all paths", branches("  X m eq v null\n  Set v 1\n  X n eq v null"), ["8"]],
    [
      "nowhere before a call sets it",
      branches("  X m eq v null\n  Call ->L4 ->w\n  X n eq v null", "L4:\n  Set v 1\n  J 1\n"),
      ["8"],
    ],
  ])("is reported for a variable that is set %s", (_, source, lines) => {
    expect(found(source, codes)).toEqual(lines.map((line) => `${line} WF4004`));
  });

  it.each([
    ["with a dollar sign", branches("  X n ite (eq $v null) 3 v")],
    ["set before the branches", branches("  X n eq v null").replace("  If a > 1", "  Set v null\n  If a > 1")],
    [
      "set in both branches",
      `${branches("  X n eq v null").replace("->L2 ->L3", "->L2 ->L4")}L4:\n  Set v 1\n  If a > 1 ->L3 ->L3\n`,
    ],
    ["used and not tested", branches("  X n add v 1")],
    [
      "the item of the loop around it",
      "# frame: l\nL1:\n  Loop l i ->L2 ->L3\nL2:\n  X v eq i null\n  J null\nL3:\n  J 1\n",
    ],
  ])("is not reported for a variable that is %s", (_, source) => {
    expect(found(source, codes)).toEqual([]);
  });

  it("is not reported for a variable that the frame has, nor for one that nothing sets", () => {
    const source = branches("  X n eq v null");
    expect(found(source, codes, { inputs: ["v"] })).toEqual([]);
    expect(found("L1:\n  X n eq v null\n  J n\n", ["WF4001", ...codes])).toEqual(["2 WF4001"]);
  });

  it("is not reported where another label sets it, nor where the frame has it", () => {
    const shared = `${program("  Set limit 3", "  Call ->L2 ->v")}L2:\n  X n eq limit null\n  J n\n`;
    expect(found(shared, codes)).toEqual([]);
    expect(found(program("  X n eq limit null"), codes, { inputs: ["limit"] })).toEqual([]);
    expect(found(program("  X n eq limit null"), codes, { inputs: ["other"] })).toEqual(["3 WF4004"]);
  });

  it("comes with the edit that makes the test see it", async () => {
    const source = program("  X n ite (eq limit null) 3 limit").replace("J 1", "J n");
    const [finding] = diagnose(source).filter(({ code }) => code === "WF4004");
    expect(finding?.fix?.edits.map(({ new_text }) => new_text)).toEqual(["$limit"]);
    const asWritten = await wf(["run", "-"], { stdin: source });
    expect(asWritten.stdout).toBe("limit\n");
    expect(asWritten.stderr).toContain("WF4004");
    const fixed = await wf(["run", "-"], { stdin: source.replace("(eq limit", "(eq $limit") });
    expect(fixed).toMatchObject({ stdout: "3\n", stderr: "" });
    const given = await wf(["run", "-", "--frame", '{"limit": 5}'], { stdin: source });
    expect(given).toMatchObject({ stdout: "5\n", stderr: "" });
  });
});
