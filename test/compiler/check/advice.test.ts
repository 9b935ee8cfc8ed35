/** Checks of calls against the catalog, and advice about the whole graph (docs/diagnostics.md). */
import { describe, expect, it } from "vitest";
import { diagnose, found } from "../found.ts";

describe("argument counts", () => {
  it.each([
    ["a verb", "L1:\n  R core.ADD 1 ->n\n  J n", ["2 WF5007"]],
    ["too many for a verb", "L1:\n  R core.LEN [] 2 ->n\n  J n", ["2 WF5012"]],
    ["a function", "L1:\n  X n sub 1\n  J n", ["2 WF5007"]],
    ["a nested call", "L1:\n  Set n [(sub 1 2 3)]\n  J n", ["2 WF5012"]],
    ["in a condition", "L1:\n  If (not 1 2 3) ->L2\nL2:\n  J 1", ["2 WF5012"]],
    ["optional and repeated ones", "L1:\n  X n concat 1 2 3 4\n  R core.ROUND 1.5 ->m\n  J [n, m]", []],
    ["a verb that is not known in detail", "L1:\n  R ext.ECHO 1 2 3 4 ->n\n  J n", []],
  ])("%s", (_, source, expected) => {
    expect(found(source, ["WF5007", "WF5012"])).toEqual(expected);
  });

  it("show the signature", () => {
    const [first] = diagnose("L1:\n  R core.SLICE [] 1 2 3 ->n\n  J n").filter(({ code }) => code === "WF5012");
    expect(first?.message).toBe("core.SLICE takes v start? end?");
  });
});

describe("an unknown adapter", () => {
  it.each([
    ["R htp.GET 1 ->a", "did you mean 'http'?"],
    [
      "R ledgerbook.GET 1 ->a",
      "use one of core, http, db, sqlite, fs, tools, wasm, cache, queue, txn, auth, memory and 14 more, or add yours as a plugin",
    ],
  ])("%s", (step, suggestion) => {
    const [first] = diagnose(`L1:\n  ${step}\n  J a`).filter(({ code }) => code === "WF5001");
    expect(first?.suggestion).toBe(suggestion);
  });
});

describe("literal arguments", () => {
  it.each([
    ["R http.GET 42 ->p", ["2 WF5011"]],
    ["R http.GET null ->p", ["2 WF5011"]],
    ["R memory.put 1 a b {} ->p", ["2 WF5011"]],
    ["R memory.list a {} ->p", []],
    ["R memory.put a b c {} 1.5 ->p", ["2 WF5011"]],
    ["R email.read INBOX true ->p", ["2 WF5011"]],
    ["R sqlite.query $sql 5 ->p", ["2 WF5011"]],
    ['R http.GET "https://example.com/" ->p', []],
    ["R http.GET (concat 1 2) ->p", []],
  ])("%s", (step, expected) => {
    expect(found(`L1:\n  ${step}\n  J p`, ["WF5011"])).toEqual(expected);
  });
});

describe("an allowlist", () => {
  const source = 'Q mail\nL1:\n  R http.GET "https://example.com/" ->p\n  QueuePut mail p\n  X t now\n  J t';
  it("is not applied when it is absent", () => {
    expect(found(source, ["WF5008"])).toEqual([]);
    expect(found(source, ["WF5008"], { allowed_adapters: null })).toEqual([]);
  });

  it("covers calls, steps that are calls, and host functions", () => {
    expect(found(source, ["WF5008"], { allowed_adapters: [] })).toEqual(["3 WF5008", "4 WF5008", "5 WF5008"]);
    expect(found(source, ["WF5008"], { allowed_adapters: ["core", "http"] })).toEqual(["4 WF5008"]);
  });
});

describe("a verb that is misspelt", () => {
  it.each([
    ["R core.ADDD 1 2 ->r", "ADD"],
    ['R http.Gett "https://example.com/" ->r', "Get"],
  ])("comes with the edit that is suggested: %s", (call, verb) => {
    const [finding] = diagnose(`L1:\n  ${call}\n  J r`).filter(({ code }) => code === "WF5002");
    expect(finding?.suggestion).toBe(`did you mean '${verb}'?`);
    expect(finding?.fix?.edits.map(({ new_text }) => new_text)).toEqual([verb]);
  });
});

describe("retries", () => {
  const program = (call: string) => `Q mail\nL1:\n  ${call}\n  Retry 2\n  J 1`;
  it.each([
    ['R http.POST "https://example.com/" 1 ->r', ["4 WF5010"]],
    ['R http.GET "https://example.com/" ->r', []],
    ["R core.ADD 1 2 ->r", []],
    ["R nothing.AT ->r", []],
    ['R http.POST "https://example.com/" {"n": 1} {"idempotency_key": true} ->r', []],
    ['R http.POST "https://example.com/" {"n": 1} null {"timeout_s": 3, "idempotency_key": "k1"} ->r', []],
    ['R http.PATCH "https://example.com/" {"n": 1} {"accept": "text/plain"} {"idempotency_key": true} ->r', []],
    ['R http.POST "https://example.com/" {"n": 1} {"timeout_s": 3} ->r', ["4 WF5010"]],
    ['R http.POST "https://example.com/" {"n": 1} {"idempotency_key": null} ->r', ["4 WF5010"]],
    ['R http.POST "https://example.com/" given ->r', ["4 WF5010"]],
    ['R http.POST "https://example.com/" {"n": 1} given ->r', []],
    ['R tools.CALL "resize" {"idempotency_key": "k"} ->r', ["4 WF5010"]],
    ['R sqlite.execute "DELETE FROM t" ->r', ["4 WF5010"]],
  ])("%s", (call, expected) => {
    expect(found(program(call), ["WF5010"], { inputs: ["given"] })).toEqual(expected);
  });

  it.each([
    ["a key", '{"idempotency_key": true}', []],
    ["no key", '{"timeout_s": 3}', ["5 WF5010"]],
  ])("reads options with %s from the variable that holds them", (_, options, expected) => {
    const steps = `Set opts ${options}\n  R http.POST "https://example.com/" 1 null opts ->r`;
    expect(found(program(steps), ["WF5010"])).toEqual(expected);
  });

  it("advises a key only where the verb takes one", () => {
    const advice = (call: string) => diagnose(program(call)).find(({ code }) => code === "WF5010")?.suggestion;
    expect(advice('R http.POST "https://example.com/" 1 ->r')).toBe("pass an idempotency key, or do not retry it");
    expect(advice('R sqlite.execute "DELETE FROM t" ->r')).toBe("do not retry it, or use a verb that may be repeated");
  });
});

describe("unused labels", () => {
  const unused = ["WF9014"];
  it.each([
    ["reached by steps", "L1:\n  If true ->L2 ->L3\nL2:\n  J 1\nL3:\n  J 1", []],
    ["reached by nothing", "L1:\n  J 1\nL2:\n  J 1", ["3 WF9014"]],
    [
      "reached only by each other",
      "L1:\n  J 1\nL2:\n  Call L3 ->v\n  J v\nL3:\n  Call L2 ->v\n  J v",
      ["3 WF9014", "6 WF9014"],
    ],
    ["reached by an endpoint", "S a web /\nE /x G ->L2\nL1:\n  J 1\nL2:\n  J 1", []],
    ["reached by a schedule", "Cr L2 0 2 * * *\nL1:\n  J 1\nL2:\n  J 1", []],
    ["exits of a module", "LENTRY:\n  J 1\nLEXIT_OK:\n  J 1", []],
  ])("%s", (_, source, expected) => {
    expect(found(source, unused)).toEqual(expected);
  });

  it("are errors on request, for programs with endpoints", () => {
    const severity = (source: string, strict: boolean, reachability = true) =>
      diagnose(source, { strict, reachability }).find(({ code }) => code === "WF9014")?.severity;
    const plain = "L1:\n  J 1\nL2:\n  J 1";
    expect(severity(`S a web /\nE /x G ->L1\n${plain}`, true)).toBe("error");
    expect(severity(`S a web /\nE /x G ->L1\n${plain}`, false)).toBe("warning");
    expect(severity(`S a web /\nE /x G ->L1\n${plain}`, true, false)).toBe("hint");
    expect(severity(plain, true)).toBe("hint");
    expect(severity(plain, false)).toBeUndefined();
  });
});

describe("handlers", () => {
  it("may add effects, which is said", () => {
    const program = (handler: string) =>
      `Q mail\nL1:\n  R http.GET "https://example.com/" ->p\n  Err ->L2\n  J p\nL2:\n  ${handler}\n  J 1`;
    const [first] = diagnose(program("QueuePut mail 1")).filter(({ code }) => code === "WF9022");
    expect(first?.message).toBe("handler 'L2' adds queue");
    expect(found(program('R http.GET "https://example.com/" ->q'), ["WF9022"])).toEqual([]);
  });
});

describe("compatibility notes", () => {
  const source = '# frame: a\nL1:\n  Set b "5"\n  Set c "b"\n  R core.NOW ->t\n  If a? ->L2\nL2:\n  J "plain"';
  it("come on request only", () => {
    expect(found(source, ["WF9021"])).toEqual([]);
    const noted = found(source, ["WF9021"], { compat_notes: true });
    expect(noted).toEqual(["3 WF9021", "4 WF9021", "5 WF9021", "6 WF9021"]);
  });
});
