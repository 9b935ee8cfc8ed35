/** What thrown values mean: adapter errors, operation failures, crashes; policies; host functions. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../compiler/json.ts";
import { callCauseOf, causeOf } from "../../../vm/calls/call-errors.ts";
import { enforce, isEnforce } from "../../../vm/calls/enforce.ts";
import { answerHostFunction } from "../../../vm/calls/host-functions.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { AdapterError, OperationFailure } from "../../../vm/errors/failures.ts";
import { limitFailure, whileLimitFailure } from "../../../vm/errors/fatal-failures.ts";
import { fakeClock, fakeFacts } from "../../support/mock-adapters.ts";

describe("callCauseOf", () => {
  it("keeps what an adapter error says", () => {
    const thrown = new AdapterError("ADAPTER_RATE_LIMITED", "slow down", { retryAfterMs: 900, data: { status: 429 } });
    expect(callCauseOf(thrown, "http", "Get")).toEqual({
      code: "RUNTIME_ADAPTER_ERROR",
      message: "slow down",
      data: {
        cause_type: "adapter",
        retryable: true,
        adapter: "http",
        verb: "Get",
        adapter_code: "ADAPTER_RATE_LIMITED",
        retry_after_ms: 900,
        details: { status: 429 },
      },
    });
  });

  it.each<[string, Json, boolean]>([
    ["64 KiB exactly", "x".repeat(65_534), false],
    ["one byte more", "x".repeat(65_535), true],
    ["no JSON value", new Date(0) as unknown as Json, true],
  ])("bounds details: %s", (_title, data, dropped) => {
    const { data: seen } = callCauseOf(new AdapterError("ADAPTER_FAILED", "no", { data }), "a", "B");
    expect(seen["details_truncated"] ?? false).toBe(dropped);
    expect(seen["details"]).toEqual(dropped ? null : data);
  });

  it.each([new TypeError("path /secret"), "text", undefined])("hides a crash: %s", (thrown) => {
    const cause = callCauseOf(thrown, "ext", "X");
    expect(cause).toMatchObject({
      code: "RUNTIME_OP_ERROR",
      message: "adapter ext failed",
      data: { cause_type: "adapter_crash", retryable: true },
    });
    expect(causeOf(thrown)).toBeNull();
  });

  it("passes runtime failures on", () => {
    expect(callCauseOf(new OperationFailure("no", "value_error"), "a", "B")).toMatchObject({
      code: "RUNTIME_OP_ERROR",
      message: "no",
    });
    const limit = limitFailure("RUNTIME_MAX_TIME", "max_time_ms", 5, 6);
    expect(callCauseOf(limit, "a", "B")).toMatchObject({
      code: "RUNTIME_MAX_TIME",
      data: { meter: "max_time_ms", retryable: false },
    });
  });
});

it("names whose bound a While broke", () => {
  expect(whileLimitFailure(4, 4).data).toMatchObject({ limit: 4, limit_source: "program" });
  expect(whileLimitFailure(4, 3).data).toMatchObject({ limit: 3, limit_source: "max_loop_iters" });
});

it("finds verbs in any letter case, with dots for underscores, then asks the fallback", () => {
  const listed = plainAdapter("ext", { Streams_Subscribe: () => null });
  expect(listed.verb("streams.subscribe")?.name).toBe("Streams_Subscribe");
  expect(listed.verb("nope")).toBeUndefined();
  const open = plainAdapter("ext", {}, { fallback: (word) => (word === "any" ? () => 1 : undefined) });
  expect(open.verb("any")?.name).toBe("any");
  expect(open.verb("nope")).toBeUndefined();
});

describe("enforce", () => {
  const check = (constraints: Json, facts: Json) => enforce(["P", constraints, facts]);
  it("passes without constraints and when they hold", () => {
    expect(check({}, {})).toBe(true);
    expect(check({ auth: "Yes", role: "1" }, { auth_present: 1, role: 1 })).toBe(true);
    expect(check({ auth: "no" }, {})).toBe(true);
  });
  it.each<[Json, Json, string]>([
    [{ require_auth: "1" }, { auth_present: 0 }, "auth required"],
    [{ auth: "on", role: "admin" }, { role: "admin" }, "auth required"],
    [{ role: "admin" }, { role: "Admin" }, "role mismatch"],
    [{ role: "admin" }, {}, "role mismatch"],
  ])("%j against %j: %s", (constraints, facts, text) => {
    expect(() => check(constraints, facts)).toThrow(`POLICY_VIOLATION[P]: ${text}`);
  });
  it("is auth.enforce in any letter case", () => {
    expect([isEnforce("auth", "ENFORCE"), isEnforce("auth", "verify"), isEnforce("ext", "enforce")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("answerHostFunction", () => {
  const ask = (name: string, ...args: Json[]) => answerHostFunction(name, args, fakeClock(), fakeFacts());
  it("reads clock, identifiers and exposed variables", () => {
    expect(ask("now")).toEqual({ value: 1_700_000_001 });
    expect(ask("iso")).toEqual({ value: "2023-11-14T22:13:21Z" });
    expect(ask("uuid")).toEqual({ value: "00000000-0000-4000-8000-000000000001" });
    expect([ask("env", "WEFT_TOWN"), ask("env", "PATH"), ask("env", "PATH", "none")]).toEqual([
      { value: "Lund" },
      { value: null },
      { value: "none" },
    ]);
  });
  it("waits only for more than 0 ms", () => {
    expect([ask("sleep", 5), ask("sleep", "2"), ask("sleep", 0), ask("sleep", -3)]).toEqual([
      { wait_ms: 5 },
      { wait_ms: 2 },
      { value: null },
      { value: null },
    ]);
    expect(() => ask("sleep")).toThrow("missing argument 1 of sleep");
  });
});
