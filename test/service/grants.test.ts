/** Policy and grant over HTTP: a violation runs nothing, callers can only tighten, and a denial says whose rule it was. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readServiceStart } from "../../service/config.ts";
import { verifies } from "../support/requirements.ts";
import { servingJobs, temporaryFolder } from "./jobs/serving-jobs.ts";
import { type Serving, serving } from "./serving.ts";

const ECHO = 'L1:\n  R ext.Echo "hello" ->x\n  J x\n';
const FETCH = 'L1:\n  R http.Get "https://api.example.com/v1" ->r\n  J r.body\n';

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service.stop());

describe("a policy", () => {
  it("that forbids a tier answers 403 with every violation, and nothing runs", async () => {
    verifies("http.run.403", "run.rule-4", "errors.policy.body", "event.policy_rejected");
    const reply = await service.run({ code: FETCH, policy: { forbidden_privilege_tiers: ["network"] } });
    expect(reply.status).toBe(403);
    expect(Object.keys(reply.body).slice(0, 5)).toEqual(["ok", "trace_id", "error", "message", "policy_errors"]);
    expect(reply.body).toMatchObject({
      ok: false,
      error: "policy_violation",
      message: "1 policy violation: privilege tier 'network' at L1 n1",
      usage: { steps: 0, depth: 0, adapter_calls: 0, time_ms: 0, frame_bytes: null, loop_iters: 0 },
      limits: { max_steps: 500_000 },
    });
    expect(reply.body.policy_errors[0]).toEqual({
      code: "POLICY_PRIVILEGE_TIER_FORBIDDEN",
      message: "Privilege tier 'network' is forbidden by policy",
      data: {
        label_id: "1",
        node_id: "n1",
        adapter: "http",
        privilege_tier: "network",
        verb: "Get",
        lineno: 2,
        rule: { member: "forbidden_privilege_tiers", value: "network", source: "request" },
      },
    });
    const events = service.log.filter((event) => event["trace_id"] === reply.body.trace_id).map(({ event }) => event);
    expect(events).toEqual(["policy_rejected", "http_request"]);
  });

  it("is decided before the settings of adapters are looked at", async () => {
    verifies("run.rule-4.first");
    const policy = { forbidden_adapters: ["ext"] };
    for (const adapters of [{ enable: ["nosuch"] }, { enable: ["http"], http: { allow_hosts: 5 } }, {}]) {
      expect(await service.run({ code: ECHO, policy, adapters })).toMatchObject({ status: 403 });
    }
    expect(service.made).toEqual([]);
  });

  it("that is empty restricts nothing", async () => {
    verifies("run.rule-5", "profile.no-effect-unselected");
    expect((await service.run({ code: ECHO, policy: {} })).body.out).toBe("hello");
    const start = await service.logged("run_start");
    expect(start["policy_present"]).toBe(true);
  });
});

describe("a caller", () => {
  it("learns how to enable an adapter that is not enabled", async () => {
    const { status, body } = await service.run({ code: FETCH });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: false,
      error: "adapter_not_available",
      message: "Adapter 'http' is not enabled for this run: add it to adapters.enable of the request",
      error_structured: {
        code: "RUNTIME_ADAPTER_ERROR",
        data: {
          adapter: "http",
          verb: "Get",
          adapter_code: "ADAPTER_NOT_CONFIGURED",
          retryable: false,
          suggested_adapters: { enable: ["http"], http: { allow_hosts: ["api.example.com"] } },
        },
      },
    });
  });

  it("learns that the deployment enables adapters, where it runs one", async () => {
    const folder = await temporaryFolder();
    const own = await servingJobs({ stateDir: folder.path, variables: { WF_DEPLOY: "1" } });
    try {
      expect((await own.call("PUT", "/programs/fetch", { code: FETCH })).status).toBe(201);
      const { body } = await own.call("POST", "/run", { program: "fetch", adapters: { enable: ["http"] } });
      expect(body.message).toBe(
        "Adapter 'http' is not enabled for this program: deploy it again with 'http' in adapters.enable",
      );
    } finally {
      await own.stop();
      await folder.remove();
    }
  });

  it("that may call no adapter makes no call", async () => {
    verifies("errors.zero-calls", "service.only-allowed-adapters");
    const before = service.made.length;
    const none = await service.run({ code: ECHO, limits: { max_adapter_calls: 0 } });
    expect(none.body).toMatchObject({ error: "max_adapter_calls_exceeded", error_structured: { node: "n1" } });
    const outside = await service.run({ code: ECHO, allowed_adapters: ["core"] });
    expect(outside.body).toMatchObject({
      error: "adapter_not_allowed",
      error_structured: {
        data: { adapter: "ext", rule: { member: "allowed_adapters", value: ["core"], source: "request" } },
      },
    });
    expect(outside.body.warnings.join()).toContain("adapter_not_allowed: L1 n1 calls ext.Echo");
    expect(service.made.length).toBe(before);
  });

  it("narrows the allowlist, and enables adapters with settings", async () => {
    verifies("run.allowed_adapters", "run.adapters");
    const root = mkdtempSync(join(tmpdir(), "weft-service-"));
    const own = await serving({ variables: { WF_DATA_ROOT: root } });
    try {
      writeFileSync(join(root, "note.txt"), "remembered");
      const code = 'L1:\n  R fs.read "note.txt" ->x\n  J x\n';
      const adapters = { enable: ["fs"], fs: { sandbox_root: root } };
      expect((await own.run({ code, adapters, allowed_adapters: ["fs"] })).body.out).toBe("remembered");
      expect((await own.run({ code, adapters, allowed_adapters: ["core"] })).body.error).toBe("adapter_not_allowed");
      expect((await own.run({ code })).body.error).toBe("adapter_not_available");
      // Without a data root of the operator, no request names a folder of this machine.
      const elsewhere = await service.run({ code, adapters, allowed_adapters: ["fs"] });
      expect(elsewhere).toMatchObject({
        status: 422,
        body: { error: "adapter_config_error", issues: [{ path: "/adapters/fs/sandbox_root", code: "place" }] },
      });
    } finally {
      await own.stop();
      rmSync(root, { recursive: true });
    }
  });

  it("gets the same with any credentials or none", async () => {
    verifies("auth.runner-none", "auth.by-grant", "service.no-auth");
    for (const authorization of [undefined, "Bearer wrong", "Basic Zm9vOmJhcg=="]) {
      const headers = authorization === undefined ? {} : { authorization };
      expect((await service.run({ code: ECHO }, headers)).body.out).toBe("hello");
    }
  });
});

describe("under a profile", () => {
  let bounded: Serving;
  beforeAll(async () => {
    bounded = await serving({ variables: { WF_SECURITY_PROFILE: "sandbox_compute_and_store" } });
  });
  afterAll(() => bounded.stop());

  it("the profile is the server's grant", async () => {
    verifies("env.WF_SECURITY_PROFILE", "grant.converted.policy", "grant.converted.allowlist");
    const { body } = await bounded.run({ code: "L1:\n  J 1\n" });
    expect(body.limits).toMatchObject({ max_steps: 5000, max_depth: 50 });
    const capabilities = (await bounded.call("GET", "/capabilities")).body;
    expect(capabilities.profile).toBe("sandbox_compute_and_store");
    expect(capabilities.adapters.http.allowed).toBe(false);
    expect(capabilities.adapters.memory.allowed).toBe(true);
  });

  it.each([
    ["a longer list", { allowed_adapters: ["core", "http", "ext", "social"] }],
    ["null", { allowed_adapters: null }],
    ["a policy of its own", { policy: { forbidden_privilege_tiers: [] } }],
    ["settings", { adapters: { enable: ["http"], http: { allow_hosts: ["*"] } } }],
  ])("%s does not widen it", async (_what, wish) => {
    verifies("grant.merge.never-widen");
    const reply = await bounded.run({ code: FETCH, limits: { max_steps: 10 ** 9 }, ...wish });
    expect(reply.status).toBe(403);
    expect(reply.body.policy_errors[0].data.rule.source).toBe("profile:sandbox_compute_and_store");
    expect(reply.body.limits.max_steps).toBe(5000);
  });

  it("an adapter the list lacks is dropped with a warning", async () => {
    verifies("grant.merge.dropped-silently");
    const { status, body } = await bounded.run({ code: "L1:\n  J 1\n", allowed_adapters: ["core", "http"] });
    expect(status).toBe(200);
    expect(body.warnings.join()).toContain("adapter_not_granted");
  });

  it("a limit that breaks says that it was the profile's", async () => {
    const code = "L1:\n  Set n 0\n  While true ->L2 ->L3 limit=100000\nL2:\n  X n add n 1\n  J n\nL3:\n  J n\n";
    const { body } = await bounded.run({ code });
    expect(body).toMatchObject({ ok: false, error: "max_loop_iters_exceeded", limits: { max_loop_iters: 1000 } });
    expect(body.error_structured.data.source).toBe("profile:sandbox_compute_and_store");
  });
});

describe("a start", () => {
  it("accepts every form of an allowed host name, and no rate limit when it is off", () => {
    const hosts = "weft.example.com, weft:8770, 10.0.0.1, [fd00::1]:8770, fd00::1";
    const origins = "https://App.example.com, http://localhost:3000, vscode-webview://a-b, null";
    const { config } = readServiceStart({ WF_ALLOWED_HOSTS: hosts, WF_ALLOWED_ORIGINS: origins, WF_RATE_LIMIT: "off" });
    expect(config.allowedHosts).toEqual(hosts.split(", "));
    expect(config.allowedOrigins).toEqual(origins.toLowerCase().split(", "));
    expect(config.rateLimit).toBeNull();
    const warnings = readServiceStart({ WF_PROT: "1" }).warnings.filter((text) => text.startsWith("unknown"));
    expect(warnings).toEqual(["unknown_variable: WF_PROT is not a variable of this service; did you mean WF_PORT?"]);
  });

  it.each([
    [{ WF_SECURITY_PROFILE: "sandbx_compute" }, /unknown security profile/],
    [{ WF_PORT: "many" }, /WF_PORT must be a whole number/],
    [{ WF_LOG_LEVEL: "loud" }, /WF_LOG_LEVEL must be/],
    [{ WF_TRUST_PROXY: "33" }, /WF_TRUST_PROXY must be a whole number from 0 to 32/],
    [{ WF_STATE_DIR: "relative" }, /WF_STATE_DIR must be an absolute path/],
    [{ WF_SECRETS_DIR: "//." }, /WF_SECRETS_DIR must be a path below \//],
    [{ WF_DATA_ROOT: "/" }, /WF_DATA_ROOT must be a path below \//],
    [{ WF_EXPOSE_ENV: "HOME,*" }, /WF_EXPOSE_ENV must be names of variables/],
    [{ WF_ALLOWED_ORIGINS: "https://app.example.com/" }, /WF_ALLOWED_ORIGINS must be origins such as/],
    [{ WF_ALLOWED_ORIGINS: "*" }, /WF_ALLOWED_ORIGINS must be origins such as/],
    [{ WF_ALLOWED_HOSTS: "*.example.com" }, /WF_ALLOWED_HOSTS must be names of hosts such as/],
    [{ WF_QUEUE_MAX: "-1" }, /WF_QUEUE_MAX must be a whole number from 1 to 10000000/],
    [{ WF_RATE_LIMIT: "fast" }, /WF_RATE_LIMIT must look like/],
    [{ WF_ISOLATION: "process" }, /WF_ISOLATION must be thread or worker/],
    [{ WF_ISOLATION: "worker", WF_WORKER_THREADS: "0" }, /WF_WORKER_THREADS must be at least 1/],
  ])("with %j is refused", async (variables, message) => {
    await expect(serving({ variables: variables as Record<string, string> })).rejects.toThrow(message);
  });
});
