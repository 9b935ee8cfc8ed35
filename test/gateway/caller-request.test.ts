/** A caller's request for less: how it is read, and that no shape of it widens what the server grants. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { builtinSettings } from "../../compiler/catalog/settings.ts";
import { type CallerRequest, type CallerResult, readCallerRequest } from "../../vm/admission/caller-request.ts";
import { EMPTY_GRANT } from "../../vm/grant/grant.ts";
import { mergeGrants } from "../../vm/grant/merge.ts";
import { ANY_PLACE, callerPlace, type PlaceRules } from "../../vm/grant/places.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";
import { grant, grants } from "../policy/grants.ts";
import { verifies } from "../support/requirements.ts";
import { admitted, requests, testGateway } from "./requests.ts";

const PLACES: PlaceRules = {
  base: "/data",
  bound: "/data",
  reserved: ["/data/state", "/var/lib/weft"],
  homes: ["/home/me"],
};

function read(request: CallerRequest, places: PlaceRules = ANY_PLACE): CallerResult {
  return readCallerRequest(request, { catalog: builtinCatalog, settings: builtinSettings, places });
}
const issuesOf = (result: CallerResult): readonly string[] =>
  (result.ok ? result.settingIssues : result.issues).map(({ path, code }) => `${path} ${code}`);
const settingsOf = (given: unknown, places?: PlaceRules): readonly string[] =>
  issuesOf(read({ adapters: given }, places));

describe("an empty request", () => {
  it.each([{}, { policy: null, limits: null, adapters: null, allowed_adapters: null }, { policy: {}, limits: {} }])(
    "asks for nothing: %j",
    (request) => {
      expect(read(request)).toEqual({
        ok: true,
        grant: EMPTY_GRANT,
        enable: [],
        warnings: [],
        settingIssues: [],
      });
    },
  );
});

describe("limits", () => {
  it.each([1, 9, 1e9, 2 ** 53 - 1])("%s is one", (given) => {
    expect(read({ limits: { max_steps: given } })).toMatchObject({ ok: true, grant: { limits: { max_steps: given } } });
  });

  it.each([0, -1, -(2 ** 53) + 1])("%s counts as not given, with a warning", (given) => {
    verifies("limit.caller-non-positive");
    const result = read({ limits: { max_steps: given } });
    expect(result).toMatchObject({ ok: true, grant: { limits: {} } });
    expect(result.ok && result.warnings[0]).toMatch(/^limit_ignored: /);
  });

  it.each([2 ** 53, 1.5, "9", true, null, [], {}, Number.NaN, Number.POSITIVE_INFINITY])("%j is refused", (given) => {
    verifies("grant.limits-integer");
    expect(issuesOf(read({ limits: { max_steps: given } }))).toEqual(["/limits/max_steps type"]);
  });

  it("an unknown one is refused with the nearest", () => {
    const result = read({ limits: { max_step: 1 } });
    expect(result.ok).toBe(false);
    expect(result.ok ? "" : result.issues[0]?.message).toContain("max_steps");
  });
});

describe("members of a wrong shape", () => {
  it.each<[string, CallerRequest, string]>([
    ["a text for a list", { allowed_adapters: "core" }, "/allowed_adapters type"],
    ["a number in a list", { allowed_adapters: ["core", 7] }, "/allowed_adapters/1 type"],
    ["a blank name", { allowed_adapters: ["  "] }, "/allowed_adapters/0 type"],
    ["an object for a list", { allowed_adapters: {} }, "/allowed_adapters type"],
    ["a list for the policy", { policy: [] }, "/policy type"],
    [
      "an unknown policy member",
      { policy: { forbidden_adapter: ["http"] } },
      "/policy/forbidden_adapter unknown_member",
    ],
    ["a policy of texts", { policy: { forbidden_adapters: "http" } }, "/policy/forbidden_adapters type"],
    [
      "an unknown tier",
      { policy: { forbidden_privilege_tiers: ["root"] } },
      "/policy/forbidden_privilege_tiers unknown_tier",
    ],
    ["a list for limits", { limits: [] }, "/limits type"],
    ["a list for adapters", { adapters: ["http"] }, "/adapters type"],
  ])("%s is refused", (_what, request, expected) => {
    expect(issuesOf(read(request))).toContain(expected);
  });

  it("named __proto__ are refused wherever they stand", () => {
    const hostile = JSON.parse('{"__proto__": {"max_steps": 1}}') as object;
    expect(issuesOf(read({ limits: hostile }))).toEqual(["/limits/__proto__ unknown_member"]);
    expect(issuesOf(read({ policy: hostile }))).toEqual(["/policy/__proto__ unknown_member"]);
    expect(issuesOf(read({ adapters: hostile }))).toEqual(["/adapters/__proto__ unknown_member"]);
    expect(settingsOf({ fs: hostile })).toEqual(["/adapters/fs/__proto__ unknown_setting"]);
    expect(settingsOf({ wasm: { modules: JSON.parse('{"__proto__": "/data/m.wasm"}') } })).not.toEqual([]);
  });
});

describe("settings of a request", () => {
  it.each<[string, unknown, string]>([
    ["an unknown setting", { http: { allow_host: [] } }, "/adapters/http/allow_host unknown_setting"],
    ["an operator's setting", { tools: { tools: { rm: {} } } }, "/adapters/tools/tools not_yours"],
    ["a secret's name", { db: { url_secret: "DB_URL" } }, "/adapters/db/url_secret not_yours"],
    ["a key in clear text", { auth: { keys: [{ sha256: "0" }] } }, "/adapters/auth/keys not_yours"],
    ["the place of the memory", { memory: { db_path: "/data/m.db" } }, "/adapters/memory/db_path not_yours"],
    ["the mailbox's root", { agent: { root: "/" } }, "/adapters/agent/root not_yours"],
    ["a text for a number", { http: { timeout_s: "5" } }, "/adapters/http/timeout_s type"],
    ["a number for a switch", { fs: { allow_write: 1 } }, "/adapters/fs/allow_write type"],
    ["a text for a list", { http: { allow_hosts: "example.com" } }, "/adapters/http/allow_hosts type"],
    ["a list for places by name", { wasm: { modules: ["/data/m.wasm"] } }, "/adapters/wasm/modules type"],
    ["the mark of a conflict", { fs: { sandbox_root: { $conflict: true } } }, "/adapters/fs/sandbox_root type"],
    ["two spellings of one setting", { fs: { root: "/a", sandbox_root: "/a" } }, "/adapters/fs/sandbox_root duplicate"],
    ["accounts of a caller's own", { email: { accounts: { default: {} } } }, "/adapters/email/accounts not_yours"],
    [
      "both words for them",
      { social: { accounts: [], allow_accounts: [] } },
      "/adapters/social/allow_accounts duplicate",
    ],
    ["channels that have no names", { videomon: { channels: [{}] } }, "/adapters/videomon/channels type"],
    ["one adapter twice", { fs: {}, "FS ": {} }, "/adapters/fs duplicate"],
    ["an unknown adapter to enable", { enable: ["htp"] }, "/adapters/enable/0 unknown_adapter"],
    ["something else to enable", { enable: { http: true } }, "/adapters/enable type"],
  ])("%s is an issue, told after the policy verdict", (_what, given, expected) => {
    verifies("auth.secrets-from-host");
    const result = read({ adapters: given });
    expect(result.ok).toBe(true);
    expect(issuesOf(result)).toContain(expected);
  });

  it.each([
    ["email", "accounts"],
    ["social", "accounts"],
    ["videomon", "channels"],
  ])("of %s narrow the operator's %s under the operator's word, and cannot widen them", (adapter, word) => {
    const declared = { a: {}, b: {} };
    const server = grant({ adapter_constraints: { [adapter]: { [word]: declared, [`allow_${word}`]: ["a", "b"] } } });
    const result = read({ adapters: { [adapter]: { [word]: ["b", "c"] } } });
    expect(result.ok && result.settingIssues).toEqual([]);
    const asked = result.ok ? result.grant : grant({});
    expect(asked.adapter_constraints[adapter]).toEqual({ [`allow_${word}`]: ["b", "c"] });
    const merged = mergeGrants(server, asked).adapter_constraints[adapter];
    expect(merged).toEqual({ [word]: declared, [`allow_${word}`]: ["b"] });
  });

  it("of unknown adapters are kept with a warning, and merge by type", () => {
    const result = read({ adapters: { nosuch: { list: ["a"] } } });
    expect(result).toMatchObject({ ok: true, grant: { adapter_constraints: { nosuch: { list: ["a"] } } } });
    expect(result.ok && result.warnings[0]).toMatch(/^unknown_adapter_name: /);
  });

  it("merge with the server's: lists intersect, numbers take the smaller, switches are and-ed, paths lie inside", () => {
    verifies("grant.settings-are-constraints");
    const server = grant({
      adapter_constraints: {
        http: { allow_hosts: ["a.example", "b.example"], timeout_s: 5, allow_private: false },
        fs: { sandbox_root: "/data/files", allow_write: true },
        sqlite: { db_path: "/data/a.db" },
      },
    });
    const bench = testGateway({ sides: [{ source: "server", grant: server }], enabled: ["core"] });
    const { grant: merged, settingIssues } = admitted(bench, {
      adapters: {
        enable: ["http", "fs", "sqlite"],
        http: { allow_hosts: ["b.example", "c.example"], timeout_s: 60, allow_private: true },
        fs: { root: "/data/files/mine", allow_write: false },
        sqlite: { db_path: "/data/b.db" },
      },
    });
    expect(merged.adapter_constraints).toMatchObject({
      http: { allow_hosts: ["b.example"], timeout_s: 5, allow_private: false },
      fs: { sandbox_root: "/data/files/mine", allow_write: false },
    });
    expect(settingIssues.map(({ path, code }) => `${path} ${code}`)).toEqual(["/adapters/sqlite/db_path conflict"]);
  });
});

describe("places of a caller", () => {
  it.each([
    ["/data/a", "/data/a"],
    ["a/b.db", "/data/a/b.db"],
    ["./a/../b", "/data/b"],
    ["/data", undefined],
    ["/data/", undefined],
    ["/data//a/./b", "/data/a/b"],
    [":memory:", ":memory:"],
    ["/", undefined],
    ["//", undefined],
    ["/data/..", undefined],
    ["/data/../etc/passwd", undefined],
    ["../etc", undefined],
    ["a/../../..", undefined],
    ["/home/me", undefined],
    ["/home", undefined],
    ["/database", undefined],
    ["/data/state", undefined],
    ["/data/state/queue.db", undefined],
    ["/data/a\0b", undefined],
    [`/data/${"a".repeat(5000)}`, undefined],
    ["/var/lib/weft/x", undefined],
  ])("with a data root that holds the state: %j", (given, expected) => {
    verifies("adapter.caller-paths");
    const place = callerPlace(given, PLACES);
    expect("path" in place ? place.path : undefined).toBe(expected);
  });

  it.each([
    ["/srv/a", "/srv/a"],
    ["a", undefined],
    ["/", undefined],
    ["/var", undefined],
    ["/var/lib/weft", undefined],
    ["/var/lib/weft/a.db", undefined],
    ["/var/lib/weft-other", "/var/lib/weft-other"],
    ["/home/me", undefined],
    ["/home/me/a", "/home/me/a"],
  ])("without a data root: %j", (given, expected) => {
    const place = callerPlace(given, { base: null, bound: null, reserved: ["/var/lib/weft"], homes: ["/home/me"] });
    expect("path" in place ? place.path : undefined).toBe(expected);
  });

  it("may lie in a data root inside the state directory", () => {
    const rules: PlaceRules = { base: "/s/data", bound: "/s/data", reserved: ["/s", "/s/queue.db"], homes: [] };
    expect(callerPlace("a", rules)).toEqual({ path: "/s/data/a" });
    expect(callerPlace("/s/queue.db", rules)).toHaveProperty("refused");
    expect(callerPlace("/s/a", { ...rules, bound: "/s" })).toHaveProperty("refused");
  });

  it.each<[string, unknown, string]>([
    ["fs.sandbox_root", { fs: { sandbox_root: "/etc" } }, "/adapters/fs/sandbox_root place"],
    ["its alias", { fs: { root: "/" } }, "/adapters/fs/root place"],
    ["sqlite.db_path", { sqlite: { db_path: "/data/state/a.db" } }, "/adapters/sqlite/db_path place"],
    ["cache.path", { cache: { path: "../x" } }, "/adapters/cache/path place"],
    ["a module", { wasm: { modules: { m: "/etc/m.wasm" } } }, "/adapters/wasm/modules/m place"],
    ["a pinned module", { wasm: { modules: { m: { file: "/etc/m.wasm" } } } }, "/adapters/wasm/modules/m/file place"],
    ["any spelling of the adapter", { " FS": { sandbox_root: "/etc" } }, "/adapters/ FS/sandbox_root place"],
  ])("are checked in %s, and the message holds no path", (_what, given, expected) => {
    const result = read({ adapters: given }, PLACES);
    expect(issuesOf(result)).toEqual([expected]);
    expect(result.ok && result.settingIssues[0]?.message).not.toMatch(/\/(etc|data|home)/);
  });

  it("become absolute before the merge", () => {
    const result = read({ adapters: { fs: { root: "mine" }, wasm: { modules: { m: "m.wasm" } } } }, PLACES);
    expect(result).toMatchObject({
      ok: true,
      grant: {
        adapter_constraints: { fs: { sandbox_root: "/data/mine" }, wasm: { modules: { m: "/data/m.wasm" } } },
      },
      settingIssues: [],
    });
  });
});

describe("a request of any shape", () => {
  it("is read without throwing, and says where it is wrong", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const result = read(request, PLACES);
        if (!result.ok) expect(result.issues.length).toBeGreaterThan(0);
        for (const one of result.ok ? result.settingIssues : result.issues) expect(one.path).toMatch(/^\//);
      }),
      { numRuns: 1000 },
    );
  });

  it("makes no grant wider than the server's", () => {
    verifies("grant.merge.never-widen", "run.rule-6");
    fc.assert(
      fc.property(grants, requests, (server, request) => {
        const { gateway } = testGateway({ sides: [{ source: "server", grant: server }], enabled: [] });
        const admission = gateway.admit(request);
        if (!admission.ok) return;
        const { grant: merged, limits, allowed } = admission;
        // No wider: merging with the server's grant again changes nothing.
        expect(mergeGrants(merged, server)).toEqual(merged);
        for (const key of LIMIT_KEYS) {
          const most = server.limits[key];
          if (most !== undefined) expect(limits[key]).toBeLessThanOrEqual(most);
        }
        if (server.allowed_adapters !== null)
          for (const name of allowed ?? ["every adapter"]) expect(server.allowed_adapters).toContain(name);
      }),
      { numRuns: 1000 },
    );
  });
});
