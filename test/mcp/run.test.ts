/** wf_run: the posture, what profiles and strict mode make of it, that callers only tighten, and every way in which a run can fail. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { defineAdapter, verbsFor, z } from "../../adapters/definition/define.ts";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import type { Progress } from "../../mcp/tool/sdk.ts";
import { verifies } from "../support/requirements.ts";
import { ENDLESS, HELLO, type OpenedServer, openServer } from "./opened.ts";

const FLOOR = { max_steps: 500_000, max_depth: 500, max_adapter_calls: 50_000, max_time_ms: 900_000 };
const HTTP = 'L1:\n  R http.Get "https://api.example.com/" ->r\n  J r\n';

let server: OpenedServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

describe("a run", () => {
  it("refuses members that nest without end, and takes no name for a prototype", async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
    for (const member of ["adapters", "policy", "limits"])
      expect((await server.call("wf_run", { code: HELLO, [member]: deep })).payload).toMatchObject({
        error: "invalid_request",
        issues: [{ path: `/${member}`, code: "too_large" }],
      });
    const hidden = JSON.parse('{"__proto__":{"enable":["cache"]}}');
    expect((await server.call("wf_run", { code: HELLO, adapters: hidden })).payload).toMatchObject({
      ok: false,
      issues: [{ path: "/adapters/__proto__" }],
    });
    expect((await server.call("wf_run", { code: HELLO, frame: hidden })).payload.ok).toBe(true);
  });

  it("answers with the result, what it used and what held", async () => {
    verifies("mcp.tool.wf_run", "mcp.default-posture.limits", "response.ir_version", "response.runtime_version");
    const { payload, isError, traceId } = await server.call("wf_run", { code: HELLO });
    expect(isError).toBe(false);
    expect(payload).toMatchObject({
      ok: true,
      trace_id: traceId,
      label: "L1",
      out: 5,
      runtime_version: "1.0.0",
      ir_version: "1.0",
      strict: true,
      usage: { steps: 2, adapter_calls: 1 },
      limits: FLOOR,
      warnings: [],
    });
    expect(Object.keys(payload).slice(0, 4)).toEqual(["ok", "trace_id", "label", "out"]);
    expect(payload.trace).toBeUndefined();
  });

  it("takes a frame, a label and loose mode", async () => {
    const code = "# frame: n: number\nL1:\n  J 1\nL2:\n  X m add n 1\n  J m\n";
    expect((await server.call("wf_run", { code, label: "L2", frame: { n: 41 } })).payload).toMatchObject({
      label: "L2",
      out: 42,
    });
    expect((await server.call("wf_run", { code: "L1:\n  J ghost\n", strict: false })).payload).toMatchObject({
      ok: true,
      strict: false,
      warnings: [expect.stringMatching(/^compile_warning: WF4001 line 2/)],
    });
    expect((await server.call("wf_run", { code: "L1:\n  J ghost\n", frame: { ghost: 1 } })).payload.out).toBe(1);
  });

  it("traces at most two hundred events, the first and the last", async () => {
    const code = "L1:\n  X xs range 0 500\n  Loop xs x ->L2 ->L3\nL2:\n  Set y x\n  J null\nL3:\n  J y\n";
    const { payload } = await server.call("wf_run", { code, trace: true });
    expect(payload.trace).toHaveLength(200);
    expect(payload.trace.at(0)).toMatchObject({ seq: 0 });
    expect(payload.trace.at(-1)).toMatchObject({ kind: "end" });
    expect(payload.trace.at(-1).dropped).toBeGreaterThan(0);
  });

  it("records its calls and replays them", async () => {
    const code = "L1:\n  R core.UUID ->id\n  J id\n";
    const first = await server.call("wf_run", { code, record_calls: true });
    const replayed = await server.call("wf_run", { code, replay_log: first.payload.record });
    expect(replayed.payload.out).toBe(first.payload.out);
    expect(first.payload.record.sensitive).toBe(true);
    const other = await server.call("wf_run", {
      code: "L1:\n  R core.NOW ->n\n  J n\n",
      replay_log: first.payload.record,
    });
    expect([other.isError, other.payload.error]).toEqual([true, "replay_mismatch"]);
    const broken = await server.call("wf_run", { code, replay_log: { calls: 3 } });
    expect(broken.payload.issues[0].path).toBe("/replay_log/calls");
  });
});

describe("the entry", () => {
  it.each([
    ["main", undefined, "a"],
    ["a function by its name", "other", "b"],
  ])("is %s", async (_which, label, out) => {
    const { payload } = await server.call("wf_run", {
      code: 'def main():\n    return "a"\n\ndef other():\n    return "b"\n',
      label,
      strict: false,
    });
    expect(payload).toMatchObject({ ok: true, out });
  });
});

describe("the posture", () => {
  const others = builtinCatalog.names().filter((name) => name !== "core");

  it.each(others)("refuses %s before anything happens, whatever is asked for", async (name) => {
    verifies("mcp.default-posture.core", "mcp.default-posture.tiers", "mcp.no-memory-mutation", "mcp.no-coordination");
    const verb = builtinCatalog.adapter(name)?.verbs[0]?.name ?? "any";
    const { payload, isError } = await server.call("wf_run", {
      code: `L1:\n  R ${name}.${verb} ->r\n  J r\n`,
      strict: false,
      adapters: { enable: [name] },
      policy: { forbidden_adapters: [] },
    });
    expect([isError, payload.ok]).toEqual([true, false]);
    // wasm computes only, so its tier is not forbidden: the allowlist stops it at the call.
    expect(payload.error).toBe(name === "wasm" ? "adapter_not_allowed" : "policy_violation");
  });

  it("names rule and source of a refusal", async () => {
    const { payload } = await server.call("wf_run", { code: HTTP });
    expect(payload).toMatchObject({ error: "policy_violation", message: "1 policy violation; nothing was executed" });
    verifies("response.usage");
    expect(payload).toMatchObject({ limits: { max_steps: 500_000 }, usage: { steps: 0, frame_bytes: null } });
    expect(payload.policy_errors[0]).toMatchObject({
      code: "POLICY_PRIVILEGE_TIER_FORBIDDEN",
      data: { adapter: "http", rule: { member: "forbidden_privilege_tiers", value: "network", source: "default" } },
    });
  });

  it("offers no tool that calls an adapter, sends a message or changes memory by itself", () => {
    verifies("mcp.no-raw-execution", "mcp.no-coordination", "mcp.no-memory-mutation");
    const tools = server.handlers.listTools();
    expect(tools.filter(({ annotations }) => annotations["readOnlyHint"] !== true).map(({ name }) => name)).toEqual([
      "wf_run",
    ]);
    const parameters = tools.flatMap(({ inputSchema }) => Object.keys((inputSchema["properties"] as object) ?? {}));
    expect(parameters).not.toContain("allowed_adapters");
    expect(parameters.filter((name) => /verb|args|task|envelope|record_id|key$/.test(name))).toEqual([]);
  });

  it("is the floor with every adapter, and core laid over it", () => {
    verifies("limit.mcp-default");
    const [base, posture] = server.services.runtime.gateway.server.sides;
    expect(base).toMatchObject({ source: "default", grant: { allowed_adapters: null, limits: FLOOR } });
    expect(posture?.grant).toMatchObject({ allowed_adapters: ["core"], limits: {} });
    expect(server.services.runtime.gateway.grant).toMatchObject({ allowed_adapters: ["core"], limits: FLOOR });
  });

  it("makes the hints of wf_run harmless; a profile does not", async () => {
    const hints = (opened: OpenedServer) =>
      opened.handlers.listTools().find(({ name }) => name === "wf_run")?.annotations;
    expect(hints(server)).toMatchObject({ readOnlyHint: false, destructiveHint: false, openWorldHint: false });
    const local = await openServer({ variables: { WF_MCP_PROFILE: "sandbox_compute_and_store" } });
    expect(hints(local)).toMatchObject({ destructiveHint: true, openWorldHint: false });
    const full = await openServer({ variables: { WF_MCP_PROFILE: "operator_full" } });
    expect(hints(full)).toMatchObject({ destructiveHint: true, openWorldHint: true });
  });
});

describe("profiles and strict mode", () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-mcp-run-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const places = {
    WF_STATE_DIR: folder,
    WF_MEMORY_DB: join(folder, "memory.db"),
    WF_AGENT_ROOT: join(folder, "agents"),
  };

  it("the operator's profile replaces the posture", async () => {
    verifies("mcp.posture-replaced", "env.WF_MCP_PROFILE");
    const opened = await openServer({ variables: { ...places, WF_MCP_PROFILE: "sandbox_compute_and_store" } });
    const code =
      'L1:\n  R memory.put "workflow" "k" "id" {"a": 1} 60 ->s\n  R memory.get "workflow" "k" "id" ->r\n  J r\n';
    const { payload } = await opened.call("wf_run", { code });
    expect(payload).toMatchObject({ ok: true, limits: { max_steps: 5000, max_depth: 50 } });
    expect((await opened.call("wf_run", { code: HTTP, adapters: { enable: ["http"] } })).payload.error).toBe(
      "policy_violation",
    );
    await opened.close();
  });

  it("strict mode tightens the posture and never lifts it", async () => {
    verifies("limit.mcp-strict-mode", "mcp.strict-never-widens", "env.WF_STRICT_MODE", "env.WF_STRICT_PROFILE");
    const strict = await openServer({ variables: { ...places, WF_STRICT_MODE: "1" } });
    expect(strict.services.runtime.gateway.grant).toMatchObject({
      allowed_adapters: ["core"],
      forbidden_privilege_tiers: ["local_state", "network", "operator_sensitive"],
      limits: { max_steps: 5000, max_depth: 50, max_loop_iters: 1000 },
    });
    const named = await openServer({
      variables: { ...places, WF_STRICT_MODE: "on", WF_STRICT_PROFILE: "local_minimal" },
    });
    expect(named.services.runtime.gateway.grant.limits).toMatchObject({ max_steps: 500, max_depth: 10 });
    const off = await openServer({ variables: { WF_STRICT_MODE: "0", WF_STRICT_PROFILE: "local_minimal" } });
    expect(off.services.runtime.gateway.grant.limits).toEqual(FLOOR);
    for (const opened of [strict, named, off])
      expect((await opened.call("wf_run", { code: HTTP })).payload.error).toBe("policy_violation");
  });

  it("strict mode applies together with a profile and its requirements", async () => {
    const variables = { ...places, WF_STRICT_MODE: "1", WF_MCP_PROFILE: "operator_full" };
    const opened = await openServer({ variables });
    expect(opened.services.runtime.gateway.grant.allowed_adapters).toContain("tools");
    expect(opened.services.runtime.gateway.grant.limits.max_steps).toBe(5000);
    const code = 'L1:\n  R tools.call "echo" {} ->r\n  J r\n';
    const { payload } = await opened.call("wf_run", { code, strict: false, adapters: { enable: ["tools"] } });
    expect(payload).toMatchObject({ error: "adapter_config_error", issues: [{ code: "required_by_profile" }] });
  });

  it.each([
    ["WF_MCP_PROFILE", {}],
    ["WF_STRICT_PROFILE", { WF_STRICT_MODE: "1" }],
  ])("an unknown name in %s stops the start", async (variable, more) => {
    const opening = openServer({ variables: { ...more, [variable]: "sandbx_compute_and_store" } });
    await expect(opening).rejects.toThrow(StartFault);
    await expect(opening).rejects.toThrow(
      /unknown security profile .* known: automation_team, consumer_secure_default, local_minimal/,
    );
  });
});

describe("a caller", () => {
  it("tightens by policy and limits", async () => {
    verifies("mcp.policy-narrows");
    const forbidden = await server.call("wf_run", { code: HELLO, policy: { forbidden_adapters: ["core"] } });
    expect(forbidden.payload.policy_errors[0].data.rule.source).toBe("request");
    const limited = await server.call("wf_run", { code: HELLO, limits: { max_steps: 1 } });
    expect(limited.payload).toMatchObject({ ok: false, error: "max_steps_exceeded", limits: { max_steps: 1 } });
    const none = await server.call("wf_run", { code: HELLO, limits: { max_adapter_calls: 0 } });
    expect(none.payload.error).toBe("max_adapter_calls_exceeded");
  });

  it("never widens, whatever it sends", async () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    const names = fc.constantFrom("core", "http", "fs", "memory", "tools", "enable", "max_steps", "forbidden_adapters");
    const argument = fc.oneof(
      json,
      fc.dictionary(names, fc.oneof(json, fc.constantFrom<unknown>(0, -1, 1e9, 2 ** 53, ["http"]))),
    );
    await fc.assert(
      fc.asyncProperty(argument, argument, argument, async (policy, limits, adapters) => {
        const { payload } = await server.call("wf_run", { code: HTTP, policy, limits, adapters });
        expect(["policy_violation", "invalid_request"]).toContain(payload.error);
        const core = await server.call("wf_run", { code: HELLO, policy, limits, adapters });
        for (const [key, most] of Object.entries(FLOOR))
          if (core.payload.limits !== undefined) expect(core.payload.limits[key]).toBeLessThanOrEqual(most);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ["policy", { forbiden_adapters: ["http"] }, "/policy/forbiden_adapters"],
    ["policy", "none", "/policy"],
    ["limits", { max_steps: "nine" }, "/limits/max_steps"],
    ["limits", { max_stps: 9 }, "/limits/max_stps"],
    ["limits", [], "/limits"],
    ["frame", [], "/frame"],
    ["frame", "x", "/frame"],
    ["adapters", 3, "/adapters"],
    ["label", 3, "/label"],
    ["trace", "yes", "/trace"],
    ["replay_log", 3, "/replay_log"],
  ])("gets an issue about %s %j", async (member, value, path) => {
    const { payload, isError } = await server.call("wf_run", { code: HELLO, [member]: value });
    expect([isError, payload.error]).toEqual([true, "invalid_request"]);
    expect(payload.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it("gets an error for a frame that nests too deeply", async () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 2000; depth++) deep = [deep];
    const { payload } = await server.call("wf_run", { code: HELLO, frame: { deep } });
    expect(payload).toMatchObject({ error: "invalid_request", issues: [{ path: "/frame" }] });
  });
});

describe("a failure", () => {
  it("of the compiler is reported as by wf_validate, with a trace id", async () => {
    const { payload, isError, traceId } = await server.call("wf_run", { code: "L1:\n  J ghost\n" });
    expect(isError).toBe(true);
    expect(payload).toMatchObject({
      ok: false,
      error: "compile_error",
      message: "1 error in the program; nothing was executed",
    });
    expect(payload.trace_id).toBe(traceId);
    expect(payload.diagnostics[0].fix.title).toBe("quote 'ghost'");
  });

  it("of the program says where, and what to do about it", async () => {
    const { payload } = await server.call("wf_run", { code: "L1:\n  Set n 0\n  R core.DIV 10 n ->x\n  J x\n" });
    expect(payload).toMatchObject({
      ok: false,
      error: "runtime_error",
      message: "division by zero at L1, line 3",
      error_structured: { code: "RUNTIME_OP_ERROR", message: "division by zero", label: "1", line: 3 },
      usage: { steps: expect.any(Number) },
      limits: FLOOR,
    });
    expect(payload.repair.length).toBeGreaterThan(0);
    expect(payload.repair.length).toBeLessThanOrEqual(3);
  });

  it("of the program names missing declared inputs when they may be the cause", async () => {
    const code = "# frame: n: number, city\nL1:\n  X a add $n 1\n  J a\n";
    const { payload } = await server.call("wf_run", { code, frame: { city: "Rome" } });
    expect(payload.error_structured).toMatchObject({ code: "RUNTIME_OP_ERROR", line: 3 });
    expect(payload.repair[0]).toBe("Give values in `frame` for what the program declares as inputs: n.");
    const given = await server.call("wf_run", { code, frame: { n: "x", city: "Rome" }, strict: false });
    expect(given.payload.repair.join()).not.toContain("frame");
    const two = "# frame: n\nL1:\n  Set a 1\n  J $n\n";
    const limited = await server.call("wf_run", { code: two, limits: { max_steps: 1 } });
    expect(limited.payload.error).toBe("max_steps_exceeded");
    expect(limited.payload.repair.join()).not.toContain("`frame`");
  });

  it("of an unknown label names the nearest", async () => {
    const { payload } = await server.call("wf_run", { code: HELLO, label: "L12" });
    expect(payload).toMatchObject({ error: "unknown_label", issues: [{ path: "/label", code: "unknown_label" }] });
    const far = await server.call("wf_run", { code: HELLO, label: "nowhere" });
    expect(far.payload.issues[0].message).toBe("the requested label does not exist; the program has L1");
    const loose = await server.call("wf_run", { code: "L1:\n  Call L7 ->x\n  J x\n", strict: false });
    expect(loose.payload).toMatchObject({
      error: "unknown_label",
      message: "unknown label L7 at L1, line 2; the program has L1",
    });
  });

  it("of a result that is too large is reported with its size", async () => {
    const small = await openServer({ variables: { WF_MCP_MAX_RESULT_BYTES: "2048" } });
    const { payload, isError } = await small.call("wf_run", { code: "L1:\n  X xs range 0 5000\n  J xs\n" });
    expect([isError, payload.error]).toEqual([true, "runtime_error"]);
    expect(payload.error_structured.data).toMatchObject({ reason: "result_too_large", bytes: expect.any(Number) });
  });

  it("of an adapter that is not enabled comes before the run, with a ready argument", async () => {
    const opened = await openServer({ variables: { WF_MCP_PROFILE: "operator_full" } });
    const { payload, isError } = await opened.call("wf_run", {
      code: 'L1:\n  R sqlite.query "SELECT a FROM t" ->r\n  J r\n',
    });
    expect(isError).toBe(true);
    expect(payload).toMatchObject({
      error: "adapter_not_available",
      error_kind: "adapter_registration",
      required_adapters: ["sqlite"],
      suggested_adapters: { enable: ["sqlite"] },
    });
    expect(payload.repair[0]).toMatch(
      /^Add \{"enable":\["sqlite"\].* as `adapters`; if the grant forbids it, ask the operator\.$/,
    );
    expect(JSON.stringify(payload)).not.toMatch(/remove|leave .* out/i);
  });

  it("of settings is reported as such", async () => {
    const opened = await openServer({ variables: { WF_MCP_PROFILE: "operator_full" } });
    const { payload } = await opened.call("wf_run", {
      code: HELLO,
      adapters: { enable: ["memory"], memory: { db_path: "/x" } },
    });
    expect(payload).toMatchObject({ error: "adapter_config_error", issues: [{ path: "/adapters/memory/db_path" }] });
  });

  it("shows no value that the operator exposed, nor does its trace", async () => {
    const variables = { WF_EXPOSE_ENV: "REGION", REGION: "canary-region" };
    const opened = await openServer({ variables });
    const { payload } = await opened.call("wf_run", {
      code: 'L1:\n  R core.ENV "REGION" ->r\n  R core.FAIL r ->x\n  J x\n',
      trace: true,
    });
    expect(payload).toMatchObject({ ok: false, message: "[REDACTED] at L1, line 3" });
    expect(payload.trace).toMatchObject([{ out: "[REDACTED]" }, { message: "[REDACTED]" }, { kind: "end" }]);
    expect(JSON.stringify(payload)).not.toContain("canary-region");
  });

  it("of the server itself discloses only an id; the rest goes to the log", async () => {
    const broken = await openServer({
      services: {
        redaction: {
          text: () => {
            throw new Error("secret inside");
          },
          data: (value) => value,
        },
      },
    });
    const { payload, isError } = await broken.call("wf_run", { code: "L1:\n  R core.DIV 1 0 ->x\n  J x\n" });
    expect(isError).toBe(true);
    expect(payload).toMatchObject({ ok: false, error: "internal_error" });
    expect(JSON.stringify(payload)).not.toContain("secret inside");
    expect(broken.log().at(-1)).toMatchObject({ level: "error", event: "internal_error", trace_id: payload.trace_id });
  });
});

describe("programs that never end", () => {
  it("are stopped by the limits", async () => {
    const { payload } = await server.call("wf_run", { code: ENDLESS });
    expect(payload).toMatchObject({ ok: false, error: "max_steps_exceeded", usage: { steps: 500_000 } });
    const time = await server.call("wf_run", {
      code: "L1:\n  R core.SLEEP 100000 ->x\n  J x\n",
      limits: { max_time_ms: 20 },
    });
    expect(time.payload.error).toBe("max_time_ms_exceeded");
  });

  it("end when they are cancelled, and report progress before", async () => {
    const opened = await openServer({ variables: { WF_MCP_PROFILE: "operator_full" } });
    const controller = new AbortController();
    const sleeping = opened.call(
      "wf_run",
      { code: "L1:\n  R core.SLEEP 250000 ->x\n  J x\n" },
      { signal: controller.signal },
    );
    setImmediate(() => controller.abort());
    const { payload } = await sleeping;
    expect(payload).toMatchObject({ ok: false, error: "cancelled" });
  });

  it("progress grows, and is sent at most twice a second", async () => {
    let now = 0;
    const clock = {
      now: () => {
        now += 1;
        return now;
      },
      wall: () => 0,
      wait: (_ms: number, then: () => void) => {
        const turn = setImmediate(then);
        return () => clearImmediate(turn);
      },
    };
    const opened = await openServer({ clock });
    const seen: { progress: number; total?: number; at: number }[] = [];
    await opened.call("wf_run", { code: ENDLESS }, { progress: (one) => seen.push({ ...one, at: now }) });
    for (const [at, one] of seen.entries()) {
      const before = seen[at - 1];
      expect(one.total).toBe(500_000);
      if (before !== undefined) {
        expect(one.progress).toBeGreaterThan(before.progress);
        expect(one.at - before.at).toBeGreaterThanOrEqual(500);
      }
    }
  });
});

describe("an adapter that hangs", () => {
  afterEach(() => {
    run = () => never;
  });
  const never = new Promise<never>(() => undefined);
  /** What its call does: it hangs, unless a test says otherwise. */
  let run: () => Promise<string> = () => never;
  const verb = verbsFor<Record<string, never>>();
  const hanging = defineAdapter({
    apiVersion: 1,
    name: "svc",
    version: "1.0.0",
    summary: "Hangs.",
    support: "extension_ecosystem",
    lane: "noncanonical",
    privilege: "operator_sensitive",
    sandboxSafe: false,
    networkFacing: false,
    durable: false,
    maturity: "experimental",
    settings: {},
    verbs: {
      caddy: verb({
        summary: "Never answers.",
        kind: "network",
        effect: "io-read",
        determinism: "external",
        args: z.tuple([]),
        result: z.string(),
        timeoutMs: 60_000,
        run: () => run(),
      }),
    },
  });

  /** A server whose clock the test moves, and a call under way in it. */
  async function underWay(code: string) {
    let now = 0;
    const timers = new Set<{ readonly at: number; readonly then: () => void }>();
    const clock = {
      now: () => now,
      wall: () => 0,
      wait: (ms: number, then: () => void) => {
        const timer = { at: now + ms, then };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
    };
    const advance = (ms: number): void => {
      for (const end = now + ms; now < end; ) {
        now += 500;
        for (const timer of [...timers].filter(({ at }) => at <= now)) {
          timers.delete(timer);
          timer.then();
        }
      }
    };
    let answer: (text: string) => void = () => undefined;
    const called = new Promise<void>((reached) => {
      run = () =>
        new Promise<string>((resolve) => {
          answer = resolve;
          reached();
        });
    });
    const opened = await openServer({
      clock,
      variables: { WF_MCP_PROFILE: "operator_full", WF_ENABLE_ADAPTERS: "svc" },
      runtime: { definitions: [hanging] },
    });
    const seen: Progress[] = [];
    const controller = new AbortController();
    const context = { signal: controller.signal, progress: (one: Progress) => seen.push(one) };
    const call = opened.call("wf_run", { code, strict: false }, context);
    await called;
    return { call, seen, advance, controller, answer: (text: string) => answer(text) };
  }

  it("is reported every two seconds, with progress that grows by less than a whole step", async () => {
    const { call, seen, advance, answer } = await underWay("L1:\n  Set x 1\n  R svc.caddy ->r\n  J r\n");
    advance(1500);
    expect(seen).toEqual([]);
    advance(500);
    expect(seen).toEqual([
      { progress: 2.032258065, total: 50_000, message: "2 steps, 1 adapter call, waiting for 2 s" },
    ]);
    advance(20_000);
    expect(seen.map(({ message }) => message?.split(" ").at(-2))).toEqual(
      [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22].map(String),
    );
    for (const [at, { progress }] of seen.entries()) {
      expect(progress).toBeGreaterThan(seen[at - 1]?.progress ?? 2);
      expect(progress).toBeLessThan(3);
    }
    answer("done");
    expect((await call).payload).toMatchObject({ ok: true, out: "done", usage: { steps: 3 } });
    const told = seen.length;
    advance(20_000);
    expect(seen).toHaveLength(told);
  });

  it("is no longer reported after the call was cancelled", async () => {
    const { call, seen, advance, controller } = await underWay("L1:\n  R svc.caddy ->r\n  J r\n");
    advance(2000);
    expect(seen).toHaveLength(1);
    controller.abort();
    advance(500);
    expect((await call).payload.error).toBe("cancelled");
    advance(10_000);
    expect(seen).toHaveLength(1);
  });

  it("does not keep a cancelled call", async () => {
    const opened = await openServer({
      variables: { WF_MCP_PROFILE: "operator_full", WF_ENABLE_ADAPTERS: "svc" },
      runtime: { definitions: [hanging] },
    });
    const controller = new AbortController();
    const call = opened.call(
      "wf_run",
      { code: "L1:\n  R svc.caddy ->r\n  J r\n", strict: false },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 20);
    const ended = await Promise.race([
      call.then(({ payload }) => payload.error),
      new Promise((resolve) => setTimeout(() => resolve("still running"), 4000)),
    ]);
    expect(ended).toBe("cancelled");
  });
});

describe("the log", () => {
  it("is silent about runs by default", async () => {
    verifies("event.not-on-mcp");
    const quiet = await openServer();
    await quiet.call("wf_run", { code: HELLO });
    await quiet.call("wf_run", { code: HTTP });
    await quiet.call("wf_run", { code: "L1:\n  R core.DIV 1 0 ->x\n  J x\n" });
    expect(quiet.log()).toEqual([]);
  });

  it("contains the events of runs at level info, without values", async () => {
    const loud = await openServer({ variables: { WF_LOG_LEVEL: "info", WF_SECRET_TOKEN: "hunter2hunter2" } });
    const code = '# frame: secret: text\nL1:\n  R core.CONCAT secret "!" ->x\n  J x\n';
    const frame = { secret: "planted-in-the-frame hunter2hunter2" };
    const { payload } = await loud.call("wf_run", { code, frame, trace: true, record_calls: true });
    await loud.call("wf_run", { code: HTTP, frame });
    expect(payload.out).toContain("planted");
    expect(loud.log().map(({ event }) => event)).toEqual([
      "run_start",
      "adapter_call",
      "run_complete",
      "policy_rejected",
    ]);
    expect(loud.log()[0]).toMatchObject({ trace_id: payload.trace_id, label: payload.label, replay: false });
    expect(loud.log()[1]).toMatchObject({
      level: "info",
      trace_id: payload.trace_id,
      adapter: "core",
      verb: "CONCAT",
      status: "ok",
      result_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(loud.log())).not.toMatch(/planted|hunter2/);
  });
});

describe("a failure that the program raised", () => {
  it("is not retryable, and repair names the inputs of its entry alone", async () => {
    const server = await openServer();
    const code = 'def main(n):\n    raise ValueError("nope")\n\ndef helper(q):\n    return q\n';
    const { payload } = await server.call("wf_run", { code, frame: { n: 1 } });
    expect(payload.error_structured.data).toMatchObject({ cause_type: "exception", retryable: false });
    expect(JSON.stringify(payload.repair)).not.toContain("frame");
  });
});
