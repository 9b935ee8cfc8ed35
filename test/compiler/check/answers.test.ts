/** Answers of calls that are read for what they never are: a rejected approval must not read as a yes (B-1). */
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";

const ASK = 'R approval.ask "Refund?" {"timeout": "1d"} ->a';
const asking = (condition: string, call = ASK): string =>
  `L1:\n  ${call}\n  If ${condition} ->L_yes ->L_no\nL_yes:\n  J 1\nL_no:\n  J 0\n`;
const found = (source: string, strict = true) =>
  compile(source, { strict }).diagnostics.filter(({ code }) => code === "WF5024");

describe("an answer that is always an object", () => {
  it.each([
    ["a condition", asking("a"), "approval.ask is an object, which is always true", "write a.approved"],
    ["a condition turned round", asking("not a"), "always true", "write a.approved"],
    ["a condition by $", asking("$a"), "always true", "write a.approved"],
    ["a function that asks", `L1:\n  ${ASK}\n  X b not a\n  J b\n`, "always true", "write a.approved"],
    ["a choice", `L1:\n  ${ASK}\n  J (ite a 1 0)\n`, "always true", "write a.approved"],
    ["a comparison", asking('a == "reject"'), "is an object, and equals no such value", "it has decision, approved"],
    ["a comparison turned round", asking('"reject" != a'), "equals no such value", "compare one of its members"],
    ["a short comparison", asking('a="reject"'), "equals no such value", "compare one of its members"],
    ["a function that compares", `L1:\n  ${ASK}\n  J (eq a "reject")\n`, "equals no such value", "it has decision"],
    [
      "null",
      asking("m == null", 'R memory.get "session" "k" "1" ->m'),
      "memory.get is an object",
      "it has found, record",
    ],
    [
      "null by $",
      asking("$m == null", 'R memory.get "session" "k" "1" ->m'),
      "memory.get is an object",
      "it has found",
    ],
    [
      "a member that it has not",
      asking("a.rejected"),
      "approval.ask has no member 'rejected'",
      "it has decision, approved",
    ],
    ["a misspelt member", asking("a.aproved"), "has no member 'aproved'", "write .approved"],
    ["a decision that it never is", asking('a.decision == "rejected"'), "is never 'rejected'", 'write "reject"'],
    [
      "a decision that the call does not offer",
      asking('a.decision == "approve"', 'R approval.ask "Pay?" {"choices": ["pay", "wait"]} ->a'),
      "'decision' of approval.ask is never 'approve'",
      'it is one of "pay", "wait", "expired"',
    ],
    [
      "a finish of llm",
      asking('r.finish == "stopped"', 'R llm.chat "hi" ->r'),
      "'finish' of llm.chat is never",
      '"stop"',
    ],
    ["an answer of http", asking("r", 'R http.Get "https://a.example" ->r'), "http.Get is an object", "write r.ok"],
    [
      "in another label",
      `L1:\n  ${ASK}\n  Call L2 ->x\n  J x\nL2:\n  J a.choice\n`,
      "has no member 'choice'",
      "it has",
    ],
  ])("is an error as %s, with the fix", (_, source, what, instead) => {
    const [finding, ...more] = found(source);
    expect(more).toEqual([]);
    expect(finding?.severity).toBe("error");
    expect(finding?.message).toContain(what);
    expect(finding?.suggestion).toContain(instead);
    expect(found(source, false).map(({ severity }) => severity)).toEqual(["warning"]);
  });

  it.each([
    ["a member that is true or false", asking("a.approved")],
    ["a decision", asking('a.decision == "reject"')],
    ["a decision of no person", asking('a.decision == "expired"')],
    ["choices that a run computes", asking('a.decision == "pay"', 'R approval.ask "Pay?" {"choices": $c} ->a')],
    ["data of others", asking('a.data.rejected == "yes"')],
    ["whether there is one", asking("a?")],
    ["a variable that other steps set", `L1:\n  Set a 0\n  ${ASK}\n  If a ->L2 ->L2\nL2:\n  J 1\n`],
    ["an input of that name", `# frame: a\n${asking("a")}`],
    ["what may not be set after a failure", `L1:\n  ${ASK}\n  Err ->L_e\n  If $a ->L2 ->L2\nL2:\n  J 1\nL_e:\n  J 0\n`],
    ["a test whether the call was made", `L1:\n  Call L2 ->x\n  If a ->L3 ->L3\nL2:\n  ${ASK}\n  J 1\nL3:\n  J a.at\n`],
    ["an answer of any kind", asking('v == "x"', 'R cache.get "k" ->v')],
    ["a member of a part", asking("m.record.payload.total == 7", 'R memory.get "session" "k" "1" ->m')],
  ])("is left alone as %s", (_, source) => {
    expect(found(source)).toEqual([]);
  });
});
