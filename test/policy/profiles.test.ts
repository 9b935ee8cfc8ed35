/** The security profiles: what each is for, proved by what runs under it, and reading documents. */
import { describe, expect, it } from "vitest";
import { builtinAdapters, builtinCatalog } from "../../compiler/catalog/builtin.ts";
import type { AdapterEntry } from "../../compiler/catalog.ts";
import { admits, allowlistOf, policyOf } from "../../vm/grant/convert.ts";
import { FLOOR_GRANT } from "../../vm/grant/grant.ts";
import {
  fillGrant,
  findProfile,
  PROFILES,
  type Profile,
  parseProfile,
  profileGrant,
  RECOMMENDED_LIMITS,
  unknownProfile,
} from "../../vm/grant/profiles.ts";
import { verifies } from "../support/requirements.ts";
import { irOf, world } from "../support/world.ts";
import { grant, read } from "./grants.ts";

function profile(name: string): Profile {
  const found = findProfile(name);
  if (found === undefined) throw new Error(name);
  return found;
}

/** What becomes of a program with one call of the adapter's first verb: refused by policy, denied, or run. */
async function verdict(name: string, entry: AdapterEntry): Promise<string> {
  const effective = fillGrant(profile(name), FLOOR_GRANT);
  const verb = entry.verbs[0]?.name ?? "x";
  const args = entry.name === "core" ? "1" : '"a" "b"';
  const ir = irOf(`L1:\n  R ${entry.name}.${verb} ${args} ->x\n  J x\n`, { strict: false });
  const { host } = world(entry.name === "core" ? {} : { [entry.name]: { [verb]: () => "called" } });
  if (!host.checkPolicy(ir, policyOf(effective)).ok) return "policy";
  const answer = await host.run({ ir, limits: effective.limits, allowedAdapters: allowlistOf(effective) });
  return answer.ok ? "runs" : answer.error.code;
}

async function verdicts(name: string): Promise<Readonly<Record<string, string>>> {
  const found: [string, string][] = [];
  for (const entry of builtinAdapters) found.push([entry.name, await verdict(name, entry)]);
  return Object.fromEntries(found);
}

const running = (found: Readonly<Record<string, string>>): string[] =>
  Object.keys(found).filter((name) => found[name] === "runs");

describe("the profiles", () => {
  it("exist under their names, with everything a profile holds", () => {
    verifies("profile.named", "profile.content");
    expect(PROFILES.map((one) => one.name)).toEqual([
      "local_minimal",
      "sandbox_compute_and_store",
      "sandbox_network_restricted",
      "consumer_secure_default",
      "automation_team",
      "operator_full",
    ]);
    for (const one of PROFILES) {
      expect(one.adapter_allowlist === "operator_defined" || one.adapter_allowlist.length > 0).toBe(true);
      expect(Array.isArray(one.forbidden_adapters) && Array.isArray(one.forbidden_privilege_tiers)).toBe(true);
      expect(Object.keys(one.runtime_limits)).toHaveLength(6);
      // A profile is a valid grant in normal form.
      expect(read(profileGrant(one))).toMatchObject({ ok: true, grant: profileGrant(one), warnings: [] });
    }
  });

  it("local_minimal runs core and nothing else", async () => {
    verifies("profile.local_minimal.core-only");
    expect(running(await verdicts("local_minimal"))).toEqual(["core"]);
    const env = irOf('L1:\n  X e (env "HOME")\n  J e\n');
    expect(world().host.checkPolicy(env, policyOf(profileGrant(profile("local_minimal")))).ok).toBe(false);
  });

  it("sandbox_compute_and_store runs the six local ones, and nothing that faces the network", async () => {
    verifies("profile.sandbox_compute_and_store.allowlist", "profile.sandbox_compute_and_store.tiers");
    verifies("profile.sandbox_compute_and_store.limits", "profile.sandbox_compute_and_store.network");
    const one = profile("sandbox_compute_and_store");
    expect([...one.adapter_allowlist].sort()).toEqual(["cache", "core", "fs", "memory", "sqlite", "wasm"]);
    expect([...one.forbidden_privilege_tiers].sort()).toEqual(["network", "operator_sensitive"]);
    expect(one.runtime_limits).toMatchObject({ max_steps: 5000, max_depth: 50 });
    const found = await verdicts(one.name);
    expect(running(found)).toEqual(["core", "sqlite", "fs", "wasm", "cache", "memory"]);
    for (const entry of builtinAdapters.filter((adapter) => adapter.network_facing))
      expect(found[entry.name]).toBe("policy");
  });

  it.each(["sandbox_network_restricted", "consumer_secure_default"])(
    "%s adds http, tools and queue, and blocks the services",
    async (name) => {
      verifies("profile.sandbox_network_restricted.allowlist", "profile.sandbox_network_restricted.blocked");
      verifies("profile.consumer_secure_default", "profile.network-tools-queue");
      const found = await verdicts(name);
      expect(running(found)).toEqual(["core", "http", "sqlite", "fs", "tools", "wasm", "cache", "queue", "memory"]);
      for (const blocked of ["agent", "svc", "extras", "videomon", "email", "calendar", "social", "llm"])
        expect(found[blocked]).toBe("policy");
      for (const absent of ["db", "txn", "auth"]) expect(found[absent]).toBe("RUNTIME_ADAPTER_NOT_ALLOWED");
      expect(profile(name).forbidden_privilege_tiers).toEqual([]);
      expect(profile(name).required_settings).toEqual({
        http: ["allow_hosts"],
        tools: ["allow_tools"],
        fs: ["sandbox_root"],
      });
    },
  );

  it("T.P: automation_team runs what automations need, and no service beyond it", async () => {
    const found = await verdicts("automation_team");
    const wanted = ["core", "http", "sqlite", "fs", "memory", "cache", "queue", "timer", "signal", "approval", "llm"];
    for (const name of wanted) expect([name, found[name]]).toEqual([name, "runs"]);
    for (const name of ["agent", "svc", "extras", "videomon", "email", "calendar", "social"])
      expect([name, found[name]]).toEqual([name, "policy"]);
    for (const name of ["db", "txn", "auth", "tools", "wasm"]) expect(found[name]).toBe("RUNTIME_ADAPTER_NOT_ALLOWED");
    const { adapter_constraints, required_settings, adapter_allowlist } = profile("automation_team");
    expect(Object.keys(adapter_constraints["llm"] ?? {})).toEqual([
      "max_calls",
      "max_input_tokens",
      "max_output_tokens",
    ]);
    expect(required_settings).toEqual({ http: ["allow_hosts"] });
    // Of the profile, too, as soon as they exist.
    for (const name of ["job", "event"])
      expect(builtinCatalog.names().includes(name)).toBe(adapter_allowlist.includes(name));
  });

  it("operator_full runs every adapter", async () => {
    verifies("profile.operator_full");
    expect(running(await verdicts("operator_full"))).toEqual(builtinCatalog.names());
    expect(admits(profileGrant(profile("operator_full")), "email", builtinCatalog)).toBe(true);
  });

  it("fill the limits they do not set from the floor, and keep those they set", () => {
    const wide = { ...profile("operator_full"), runtime_limits: { max_steps: 9_000_000 } };
    expect(fillGrant(wide, FLOOR_GRANT).limits).toEqual({ ...FLOOR_GRANT.limits, max_steps: 9_000_000 });
    expect(RECOMMENDED_LIMITS.conservative).toEqual({
      max_steps: 500,
      max_depth: 10,
      max_adapter_calls: 50,
      max_time_ms: 5000,
      max_frame_bytes: 65_536,
      max_loop_iters: 100,
    });
  });

  it("are named when one is not known", () => {
    expect(unknownProfile("sandbx_compute")).toBe(
      'unknown security profile "sandbx_compute"; known: automation_team, consumer_secure_default, local_minimal, operator_full, sandbox_compute_and_store, sandbox_network_restricted',
    );
    expect(unknownProfile("local_minimel")).toContain("did you mean local_minimal?");
  });
});

describe("profile documents", () => {
  const parse = (value: unknown) => parseProfile(value, { catalog: builtinCatalog });
  it("are read like grants", () => {
    const result = parse({
      name: "mine",
      description: "d",
      adapter_allowlist: ["HTTP", "core"],
      runtime_limits: { max_steps: 7 },
      required_settings: { http: ["allow_hosts"] },
    });
    expect(result.ok && profileGrant(result.profile)).toEqual(
      grant({ allowed_adapters: ["core", "http"], limits: { max_steps: 7 } }),
    );
    expect(result.ok && result.profile.required_settings).toEqual({ http: ["allow_hosts"] });
    const words = { description: "d", intended_use: ["checks", "reports"], orchestrator_expectations: ["asks first"] };
    expect(parse({ name: "worded", ...words })).toMatchObject({ ok: true, profile: words });
    const open = parse({ name: "open", adapter_allowlist: "operator_defined" });
    expect(open.ok && profileGrant(open.profile).allowed_adapters).toBeNull();
  });

  it.each<[unknown, string]>([
    [{}, "/name"],
    [{ name: "local_minimal" }, "/name"],
    [{ name: "x", alowlist: [] }, "/alowlist"],
    [{ name: "x", adapter_allowlist: "all" }, "/adapter_allowlist"],
    [{ name: "x", runtime_limits: { max_steps: 1.5 } }, "/runtime_limits/max_steps"],
    [{ name: "x", forbidden_privilege_tiers: ["root"] }, "/forbidden_privilege_tiers"],
    [{ name: "x", intended_use: "all" }, "/intended_use"],
    [{ name: "x", intended_use: ["all", 1] }, "/intended_use"],
    [{ name: "x", required_settings: { http: "allow_hosts" } }, "/required_settings/http"],
    [JSON.parse('{"name": "x", "__proto__": {}}'), "/__proto__"],
    [[], ""],
  ])("%j is refused", (value, path) => {
    const result = parse(value);
    expect(!result.ok && result.issues.map((one) => one.path)).toContain(path);
  });
});
