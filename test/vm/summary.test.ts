/** The result summary: every status and hint, from answers of real runs and from documents of all kinds. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summarize } from "../../vm/summary/summary.ts";
import { verifies } from "../support/requirements.ts";
import { compiled, irOf, run, world } from "../support/world.ts";

const violation = (adapter: string, privilege_tier?: string) => ({
  code: "POLICY_ADAPTER_FORBIDDEN",
  message: "no",
  data: { adapter, ...(privilege_tier === undefined ? {} : { privilege_tier }) },
});

const CASES: readonly (readonly [string, unknown, string, string, string | null])[] = [
  ["a success", { ok: true, out: 5 }, "ok", "run ok", null],
  ["a success with its label", { ok: true, label: "L_main", out: null }, "ok", "run ok (L_main)", null],
  ["a success with warnings", { ok: true, diagnostics: [{ severity: "warning" }] }, "ok", "run ok", null],
  [
    "a violation",
    {
      ok: false,
      error: "policy_violation",
      policy_errors: [violation("http", "network"), violation("fs"), violation("http")],
    },
    "policy_violation",
    "policy violation (3 errors)",
    "review adapters: fs, http; tiers: network",
  ],
  [
    "a violation without word",
    { ok: false, policy_errors: [{}] },
    "policy_violation",
    "policy violation (1 error)",
    null,
  ],
  ["a violation without list", { ok: false, error: "policy_violation" }, "policy_violation", "policy violation", null],
  [
    "a failed compile",
    { ok: false, error: "compile_error", diagnostics: [{ severity: "error" }, { severity: "warning" }] },
    "validation_error",
    "validation error (1 issue)",
    null,
  ],
  ["errors alone", { ok: false, errors: ["a", "b"] }, "validation_error", "validation error (2 issues)", null],
  [
    "issues",
    { error: "invalid_request", issues: [{ path: "/x" }] },
    "validation_error",
    "validation error (1 issue)",
    null,
  ],
  [
    "a word of validation",
    { ok: false, error: "unknown_label" },
    "validation_error",
    "validation error: unknown_label",
    null,
  ],
  [
    "warnings alone are not errors",
    { ok: false, diagnostics: [{ severity: "warning" }] },
    "runtime_error",
    "runtime error: unknown",
    null,
  ],
  [
    "a limit",
    { ok: false, error: "max_steps_exceeded", limits: { max_steps: 500 } },
    "runtime_error",
    "runtime error: max_steps_exceeded",
    "max_steps 500 was not enough",
  ],
  [
    "a limit without figure",
    { error: "max_depth_exceeded" },
    "runtime_error",
    "runtime error: max_depth_exceeded",
    "max_depth was not enough",
  ],
  [
    "a missing adapter",
    {
      ok: false,
      error: "adapter_not_available",
      error_structured: { code: "RUNTIME_ADAPTER_ERROR", data: { adapter: "http" } },
    },
    "runtime_error",
    "runtime error: adapter_not_available",
    "enable http",
  ],
  [
    "missing adapters before the run",
    { ok: false, error: "adapter_not_available", required_adapters: ["fs", "http"] },
    "runtime_error",
    "runtime error: adapter_not_available",
    "enable fs, http",
  ],
  [
    "a failure of the program",
    { ok: false, error: "runtime_error" },
    "runtime_error",
    "runtime error: runtime_error",
    null,
  ],
  ["an unknown code", { ok: false, error: { code: "SOMETHING" } }, "runtime_error", "runtime error: SOMETHING", null],
  ["an empty object", {}, "runtime_error", "runtime error: unknown", null],
  [
    "a job that waits",
    { ok: true, job_id: "j", status: "queued", trace_id: "t" },
    "runtime_error",
    "runtime error: queued",
    null,
  ],
  [
    "a rejected job",
    { job_id: "j", status: "rejected", trace_id: "t" },
    "runtime_error",
    "runtime error: rejected",
    null,
  ],
  ...[null, undefined, "ok", 5, true, [], [{ ok: true }]].map(
    (given) => [`${JSON.stringify(given)}`, given, "runtime_error", "runtime error: not a result", null] as const,
  ),
];

describe("a result summary", () => {
  it.each(CASES)("of %s", (_name, given, status, summary, review_hint) => {
    verifies("envelope.summary.status", "envelope.summary.fields");
    const envelope = summarize(given);
    expect(envelope).toMatchObject({ task_id: null, status, summary, review_hint, artifacts: [] });
    expect(envelope.result).toBe(given);
    expect(Object.keys(envelope)).toEqual([
      "task_id",
      "status",
      "summary",
      "result",
      "trace_id",
      "policy_errors",
      "artifacts",
      "review_hint",
    ]);
  });

  it("unwraps a job, whose trace it takes when the result has none", () => {
    const result = { ok: true, label: "L1", out: 1 };
    const envelope = summarize({ job_id: "j", status: "succeeded", trace_id: "of the job", result });
    expect(envelope).toMatchObject({ status: "ok", summary: "run ok (L1)", trace_id: "of the job" });
    expect(envelope.result).toBe(result);
    expect(summarize({ job_id: "j", status: "succeeded", trace_id: "x", result: { trace_id: "y" } }).trace_id).toBe(
      "y",
    );
  });

  it("takes what it is given before what it derives", () => {
    const given = { ok: false, error: "max_steps_exceeded", limits: { max_steps: 1 } };
    const artifacts = [{ kind: "record", uri: "run.json" }];
    expect(summarize(given, { task_id: "t-1", review_hint: "look", artifacts })).toMatchObject({
      task_id: "t-1",
      review_hint: "look",
      artifacts,
    });
  });

  it("of real runs: success, failure, limit, load error, denial", async () => {
    const summaries = [
      await run("L1:\n  J 5\n"),
      await run("L1:\n  X x div 1 0\n  J x\n"),
      await run("L1:\n  Set n 1\n  While true ->L2 ->L3\nL2:\n  J 1\nL3:\n  J 2\n", { limits: { max_steps: 9 } }),
      await run("L1:\n  J 5\n", { label: "L9" }),
      await run("L1:\n  R core.ADD 1 2 ->x\n  J x\n", { allowedAdapters: [] }),
      await run('L1:\n  R http.Get "https://example.com" ->x\n  J x\n'),
    ].map((answer) => summarize(answer));
    expect(summaries.map(({ summary, review_hint }) => [summary, review_hint])).toEqual([
      ["run ok (L1)", null],
      ["runtime error: runtime_error", null],
      ["runtime error: max_steps_exceeded", "max_steps 9 was not enough"],
      ["validation error: unknown_label", null],
      ["runtime error: adapter_not_allowed", null],
      ["runtime error: adapter_not_available", "enable http"],
    ]);
    expect(summaries.every(({ trace_id }) => trace_id === "run-1")).toBe(true);
  });

  it("of a real policy verdict", () => {
    const { host } = world();
    const ir = irOf('L1:\n  R http.Get "https://example.com" ->x\n  J x\n');
    const { ok, errors } = host.checkPolicy(ir, { forbidden_privilege_tiers: ["network"] });
    expect(summarize({ ok, error: "policy_violation", policy_errors: errors })).toMatchObject({
      summary: "policy violation (1 error)",
      policy_errors: errors,
      review_hint: "review adapters: http; tiers: network",
    });
  });

  it("of a real compile", () => {
    const { ok, diagnostics } = compiled("L1:\n  J ghost\n");
    expect(summarize({ ok, error: "compile_error", diagnostics })).toMatchObject({
      summary: "validation error (1 issue)",
    });
  });

  it("names side effects and files of a recorded run", async () => {
    const fs = { write: () => null, copy: () => null, mkdir: () => null, read: () => "x" };
    const source = [
      "L1:",
      '  R fs.write "a.txt" "x" ->r',
      '  R fs.write "a.txt" "y" ->r',
      '  R fs.copy "a.txt" "b.txt" ->r',
      '  R fs.mkdir "c" ->r',
      '  R fs.read "a.txt" ->r',
      "  J 1",
    ];
    const answer = await run(`${source.join("\n")}\n`, { in: world({ fs }), record: true });
    expect(summarize(answer)).toMatchObject({
      summary: "run ok (L1)",
      review_hint: "review side effects: fs.write ×2, fs.copy",
      artifacts: [
        { kind: "file", uri: "a.txt" },
        { kind: "file", uri: "b.txt" },
      ],
    });
    expect(summarize({ ok: true, adapter_calls: answer.record?.calls }).review_hint).toBe(
      "review side effects: fs.write ×2, fs.copy",
    );
  });

  it("never throws and changes nothing", () => {
    verifies("envelope.summary.pure");
    const words = fc.constantFrom(
      "ok",
      "error",
      "job_id",
      "status",
      "result",
      "record",
      "calls",
      "policy_errors",
      "data",
      "code",
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom<unknown>(null, true, 5, "", "policy_violation", "max_steps_exceeded", "RUNTIME_MAX_STEPS"),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(words, tie("tree"), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (given) => {
        const before = structuredClone(given);
        const envelope = summarize(given);
        expect(given).toEqual(before);
        expect(summarize(given)).toEqual(envelope);
        if (Array.isArray(envelope.policy_errors)) (envelope.policy_errors as unknown[]).push("mine");
        expect(given).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });
});
