/** Findings about waits: what is found, and what is left alone (docs/diagnostics.md). */
import assert from "node:assert/strict";
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import { found } from "../found.ts";

const program = (...steps: string[]): string => `Txn t\nL1:\n${steps.map((step) => `  ${step}\n`).join("")}  J 1\n`;
const DAY = 'R timer.sleep "1d" ->s';

describe("a wait in a transaction", () => {
  it.each([
    ["between begin and commit", program("Tx begin t", DAY, "Tx commit t"), ["4 WF5021"]],
    ["between begin and the end of the label", program("Tx begin t", DAY), ["4 WF5021"]],
    ["begun by a call", program('R txn.BEGIN "t" ->i', DAY, "R txn.ROLLBACK $i ->r"), ["4 WF5021"]],
    [
      "of a question",
      program("Tx begin t", 'R approval.ask "Pay?" {"timeout": "1d"} ->a', "Tx commit t"),
      ["4 WF5021"],
    ],
    ["before the transaction", program(DAY, "Tx begin t", "Tx commit t"), []],
    ["after the commit", program("Tx begin t", "Tx commit t", DAY), []],
    ["after the rollback", program("Tx begin t", "Tx rollback t", DAY), []],
    ["a step that does not wait", program("Tx begin t", 'R timer.next "0 8 * * *" ->n', "Tx commit t"), []],
  ])("%s", (_, source, expected) => {
    expect(found(source, ["WF5021"])).toEqual(expected);
  });
});

describe("a wait without a timeout", () => {
  it.each([
    ['R signal.wait "paid" ->n', ["3 WF9041"]],
    ['R signal.wait ["a", "b"] {"key": 7} ->n', ["3 WF9041"]],
    ['R approval.ask "Pay?" ->a', ["3 WF9041"]],
    ['R signal.wait "paid" {"timeout": "7d"} ->n', []],
    ['R signal.wait "paid" $options ->n', []],
    [DAY, []],
    ['R approval.open "Pay?" ->a', []],
  ])("%s", (step, expected) => {
    expect(found(program(step), ["WF9041"])).toEqual(expected);
  });
});

describe("a loop that waits in each turn", () => {
  const ASK = 'R approval.ask "Pay?" {"details": x, "timeout": "1d"} ->a';
  const loop = (list: string, step: string, first = "  Loop"): string =>
    `# frame: xs: list\nL1:\n${first} ${list} x ->L_in ->L_out\nL_in:\n  ${step}\n  J 1\nL_out:\n  J 1\nL_ask:\n  ${ASK}\n  J a.approved\n`;
  it.each([
    ["for people", loop("xs", ASK), ["3 WF9043"]],
    ["for a signal", loop("xs", 'R signal.wait "go" {"key": x, "timeout": "1d"} ->a'), ["3 WF9043"]],
    ["in a label that it calls", loop("xs", "Call L_ask ->a"), ["3 WF9043"]],
    ["over a list that is written", loop("[1, 2]", ASK), []],
    ["in branches of its own", loop("xs", "Each a [1, 2] y ->L_ask"), []],
    ["for a time, which keeps its turns apart", loop("xs", 'R timer.sleep "1h" ->a'), []],
  ])("%s", (_, source, expected) => {
    expect(found(source, ["WF9043"])).toEqual(expected);
  });
});

describe("a long pause", () => {
  const advice = { advice: true };
  it.each([
    ["in a program that waits", program("R core.SLEEP 90000 ->n", DAY), ["3 WF9042"]],
    ["of a minute", program("R core.SLEEP 60000 ->n", DAY), []],
    ["that is computed", program("R core.SLEEP (mul 60000 9) ->n", DAY), []],
    ["in a program that does not wait", program("R core.SLEEP 90000 ->n"), []],
  ])("%s", (_, source, expected) => {
    expect(found(source, ["WF9042"], advice)).toEqual(expected);
    expect(found(source, ["WF9042"])).toEqual([]);
  });
});

describe("a wait that is longer than a job lives", () => {
  const life = { lifetime_s: 30 * 86_400 };
  const python = (call: string): string => `from weft import approval, signal, timer\n\n\ndef main():\n    ${call}\n`;
  it.each([
    ["a pause", program('R timer.sleep "60d" ->s'), ["3 WF9044"]],
    ["a pause of as many seconds", program("R timer.sleep 2592000 ->s"), ["3 WF9044"]],
    ["a timeout", program('R signal.wait "paid" {"timeout": "90d"} ->n'), ["3 WF9044"]],
    ["the time of a question", program('R approval.open "Pay?" {"timeout": "31d"} ->n'), ["3 WF9044"]],
    ["a shorter one", program(DAY), []],
    ["one that a run computes", program("R timer.sleep n ->s"), []],
    ["in Python", python('timer.sleep("60d")'), ["5 WF9044"]],
    ["a timeout in Python", python('signal.wait("paid", timeout="31d")'), ["5 WF9044"]],
    ["the time of a question in Python", python('approval.ask("Pay?", timeout=2592000)'), ["5 WF9044"]],
    ["a shorter one in Python", python('approval.ask("Pay?", timeout="29d")'), []],
  ])("%s", (_, source, expected) => {
    expect(found(source, ["WF9044"], life)).toEqual(expected);
    expect(found(source, ["WF9044"])).toEqual([]);
  });

  it("names both figures, and the place of the call", () => {
    const { diagnostics } = compile(python('timer.sleep("60d")'), life);
    const [{ message, suggestion, span, severity } = assert.fail()] = diagnostics;
    expect(message).toBe("timer.sleep takes 60d, and a job lives for 30d");
    expect(suggestion).toContain("longer lifetime_s");
    expect([severity, span?.line, span?.column, span?.end_column]).toEqual(["warning", 5, 5, 23]);
  });
});
