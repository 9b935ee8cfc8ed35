/** Structure of labels and endpoints (docs/diagnostics.md, structure), seen through `compile`. */
import { describe, expect, it } from "vitest";
import { found } from "../found.ts";

const codes = ["WF2009", "WF2010", "WF2011", "WF3006"];

describe("steps that never run", () => {
  it.each([
    ["after J", "L1:\n  J 1\n  Set a 2\n  Set b 2", ["3 WF2009"]],
    ["after If", "L1:\n  If true ->L2\n  J 1\nL2:\n  J 1", ["3 WF2009"]],
    ["after While", "L1:\n  While true ->L2 ->L2\n  J 1\nL2:\n  J 1", ["3 WF2009"]],
    ["once per label", "L1:\n  J 1\n  J 2\n  J 3\nL2:\n  J 1\n  J 2", ["3 WF2009", "7 WF2009"]],
    ["Err and Retry directly under an If", "L1:\n  If true ->L2\n  Retry 2\n  Err ->L2\nL2:\n  J 1", []],
    ["Err that names an earlier step", "L1:\n  R core.ADD 1 2 ->n\n  J n\n  Err @n1 ->L2\nL2:\n  J 1", []],
    ["Err under J", "L1:\n  R core.ADD 1 2 ->n\n  J n\n  Err ->L2\nL2:\n  J 1", ["4 WF2009"]],
    ["Err that is not directly under the If", "L1:\n  If true ->L2\n  Set a 1\n  Err ->L2\nL2:\n  J 1", ["3 WF2009"]],
  ])("%s", (_, source, expected) => {
    expect(found(source, codes)).toEqual(expected);
  });
});

describe("labels that something names", () => {
  it.each([
    ["need steps", "L1:\n  Call L2 ->v\n  J v\nL2:", ["4 WF2010"]],
    ["need an end", "L1:\n  Call L2 ->v\n  J v\nL2:\n  Set a 1", ["4 WF2011"]],
    ["may end in Loop", "# frame: xs\nL1:\n  Call L2 ->v\n  J v\nL2:\n  Loop xs x ->L3 ->L3\nL3:\n  J 1", []],
    ["are named by Err", "L1:\n  R core.ADD 1 2 ->n\n  Err ->L2\n  J n\nL2:\n  Set a 1", ["5 WF2011"]],
    ["are named by endpoints", "S a web /\nE /x G ->L1\nL1:\n  Set a 1", ["3 WF2011"]],
    ["others are free", "L1:\n  Set a 1\nL2:", []],
    ["a broken J is enough", "L1:\n  Call L2 ->v\n  J v\nL2:\n  J (add 1", []],
    ["a broken If is enough", "L1:\n  Call L2 ->v\n  J v\nL2:\n  If", []],
  ])("%s", (_, source, expected) => {
    expect(found(source, codes)).toEqual(expected);
  });
});

describe("an endpoint's result", () => {
  const program = (end: string) => `S a web /\nE /x G ->L1 ->rows\nL1:\n  Set rows []\n  ${end}`;
  it.each([
    ["J rows", []],
    ["J $rows", []],
    ['J "rows"', ["2 WF3006"]],
    ["J [rows]", ["2 WF3006"]],
    ["If true ->L1", []],
  ])("%s", (end, expected) => {
    expect(found(program(end), codes)).toEqual(expected);
  });

  it("defines nothing", () => {
    expect(found("S a web /\nE /x G ->L1 ->rows\nL1:\n  J rows", ["WF4001"])).toEqual(["4 WF4001"]);
  });
});
