/** The advice to a model about a failed run: at most three sentences, none of which removes the work from the program. */
import { describe, expect, it } from "vitest";
import type { Rule, Violation } from "../../compiler/policy/validate.ts";
import { repairMissing, repairOf, repairViolations } from "../../mcp/programs/repair.ts";
import { RUNTIME_CODES, type RuntimeCode } from "../../vm/errors/error-codes.ts";
import type { RunError } from "../../vm/run.ts";

const place = { message: "m", label: "1", node: "n1", op: "R", line: 2, step_index: 0, stack: ["1"] };
const repair = (code: RuntimeCode, data: RunError["data"] = {}) => repairOf({ ...place, code, data });

const HANDLE = "Put the call into a `try:` block with `except AdapterError:` to continue without its answer.";
const ADMIT = "Use a target that the settings admit, or ask the operator to admit this one.";
const ENABLE = 'Add {"enable":["http"]} as `adapters`; if the grant forbids it, ask the operator.';

it.each<[why: string, data: RunError["data"], sentences: readonly string[]]>([
  [
    "an adapter lacks settings",
    { adapter_code: "ADAPTER_NOT_CONFIGURED", suggested_adapters: { enable: ["http"] } },
    [ENABLE],
  ],
  ["it lacks unknown settings", { adapter_code: "ADAPTER_NOT_CONFIGURED" }, [HANDLE]],
  ["it lacks them, and none helps", { adapter_code: "ADAPTER_NOT_CONFIGURED", suggested_adapters: null }, [HANDLE]],
  [
    "another fault names settings",
    { adapter_code: "ADAPTER_BUSY", suggested_adapters: { enable: ["http"] } },
    [HANDLE],
  ],
  [
    "arguments are wrong",
    { adapter_code: "ADAPTER_BAD_ARGS" },
    ["Correct the arguments of the call: `error_structured.data` names the place."],
  ],
  ["a host is blocked", { adapter_code: "ADAPTER_HOST_BLOCKED", retryable: true }, [ADMIT, HANDLE]],
  ["a path leads out", { adapter_code: "ADAPTER_PATH_ESCAPE" }, [ADMIT, HANDLE]],
  ["a target is not allowed", { adapter_code: "ADAPTER_NOT_ALLOWED" }, [ADMIT, HANDLE]],
  [
    "it may pass",
    { adapter_code: "ADAPTER_BUSY", retryable: true },
    ["Put the call into `with retry(3, backoff_ms=1000):`, because trying again may help."],
  ],
  ["it will not pass", { adapter_code: "ADAPTER_NOT_FOUND", retryable: false }, [HANDLE]],
  ["nothing is known", {}, []],
])("a call failed because %s", (_why, data, sentences) => {
  expect(repair("RUNTIME_ADAPTER_ERROR", data)).toEqual(sentences);
});

describe("a program is not admitted", () => {
  const broken = (rule: Rule): Violation => ({
    code: "POLICY_PRIVILEGE_TIER_FORBIDDEN",
    message: "m",
    data: { label_id: "1", node_id: "n1", rule },
  });
  const member = "forbidden_privilege_tiers";
  const OPERATOR = "Leave the calls in: only the operator of this server can admit them.";

  it("by the grant of a server without settings: which setting decides", () => {
    expect(repairViolations([broken({ member, value: "network", source: "default" })])).toEqual([
      OPERATOR,
      "The operator sets WF_MCP_PROFILE to a security profile that does.",
    ]);
  });

  it("by a profile, and by the call itself", () => {
    expect(repairViolations([broken({ member, value: "network", source: "profile" })])).toEqual([OPERATOR]);
    const asked = "This call set `policy.forbidden_privilege_tiers`: leave out what forbids the program.";
    expect(repairViolations([broken({ member, value: "network", source: "request" })])).toEqual([asked]);
    const both = { member, value: "network", source: "profile", sources: ["profile", "request"] } as const;
    expect(repairViolations([broken(both), broken(both)])).toEqual([asked, OPERATOR]);
  });
});

describe("a run failed", () => {
  it("at a limit: which one, how far, and what else helps", () => {
    expect(repair("RUNTIME_MAX_STEPS", { meter: "max_steps", limit: 100 })).toEqual([
      "Pass a higher `limits.max_steps` than 100 if you set it; the server's own limit cannot be raised.",
      "Raise max_steps, or do less per run.",
    ]);
    expect(repair("RUNTIME_MAX_STEPS", { meter: "max_steps" })).toEqual(["Raise max_steps, or do less per run."]);
    expect(repair("RUNTIME_MAX_STEPS", { limit: 100 })).toEqual(["Raise max_steps, or do less per run."]);
  });

  it("at a grant: the call stays", () => {
    expect(repair("RUNTIME_ADAPTER_NOT_ALLOWED")).toEqual(["Ask the operator for a grant that admits the adapter."]);
  });

  it("in any way: one to three sentences, but for a call that says nothing of itself", () => {
    const data = { adapter_code: "ADAPTER_HOST_BLOCKED", meter: "max_steps", limit: 1 };
    for (const code of Object.keys(RUNTIME_CODES) as RuntimeCode[]) {
      expect(repair(code, data).length).toBe(3);
      const alone = repair(code);
      expect(alone.length).toBe(code === "RUNTIME_ADAPTER_ERROR" ? 0 : 1);
      for (const sentence of alone) expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });
});

it("a program lacks adapters", () => expect(repairMissing({ enable: ["http"] })).toEqual([ENABLE]));
