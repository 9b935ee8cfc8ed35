/** Errors of adapters: what holds when they do not say whether the call may be repeated, and writes whose outcome is unknown. */
import { describe, expect, it } from "vitest";
import { AdapterError as AuthoredError, adapterError } from "../../adapter.ts";
import { anyJson, defineAdapter, verbsFor, z } from "../../adapters/definition/define.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { openBench, PROBE } from "../support/adapter-bench.ts";

describe("the AdapterError of authors", () => {
  it.each([
    ["ADAPTER_NOT_FOUND", undefined, false],
    ["ADAPTER_BUSY", undefined, true],
    ["ADAPTER_PROBE_TIRED", undefined, true],
    ["ADAPTER_NOT_FOUND", true, true],
    ["ADAPTER_BUSY", false, false],
  ])("%s with retryable %s is retryable: %s", (code, said, expected) => {
    const error = new AuthoredError(code, "no", said === undefined ? {} : { retryable: said });
    expect(error).toMatchObject({ name: "AdapterError", code, retryable: expected });
    expect(error).toBeInstanceOf(AdapterError);
  });

  it("every AdapterError is one, and nothing else", () => {
    expect(adapterError("ADAPTER_FAILED", "no")).toBeInstanceOf(AuthoredError);
    expect(new Error("no")).not.toBeInstanceOf(AuthoredError);
  });
});

describe("a call that fails at once", () => {
  const verb = verbsFor<Record<never, never>>();
  const fails = () => {
    throw adapterError("ADAPTER_TIMEOUT", "no answer", { data: { waited: 1 } });
  };
  const facts = { summary: "s", determinism: "external", args: z.tuple([]), result: anyJson(), run: fails } as const;
  const probe = defineAdapter({
    ...PROBE,
    settings: {},
    verbs: {
      read: verb({ ...facts, effect: "io-read", kind: "fs" }),
      once: verb({ ...facts, effect: "io-write", kind: "fs" }),
      again: verb({ ...facts, effect: "io-write", kind: "fs", idempotent: true }),
    },
  });

  it.each([
    ["read", true, { waited: 1 }],
    ["again", true, { waited: 1 }],
    ["once", false, { waited: 1, outcome: "unknown" }],
  ])("%s is retryable: %s", async (word, retryable, data) => {
    const bench = await openBench(probe);
    await expect(bench.call(word)).rejects.toMatchObject({ code: "ADAPTER_TIMEOUT", retryable, data });
    await bench.end();
  });
});
