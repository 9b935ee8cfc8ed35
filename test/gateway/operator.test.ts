/** What the operator wrote in files and lists; every fault stops the start, with its place and without values. */
import { describe, expect, it } from "vitest";
import type { Variables } from "../../adapters/operator/host-config.ts";
import {
  type KnownProfiles,
  loadProfile,
  type Operator,
  readOperator,
  readProfiles,
  SELF_CONTAINED,
} from "../../adapters/operator/operator-file.ts";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { builtinSettings } from "../../compiler/catalog/settings.ts";
import { PROFILES } from "../../vm/grant/profiles.ts";
import { verifies } from "../support/requirements.ts";
import { configOf, folder } from "./folder.ts";

const BUILT_IN: KnownProfiles = { profiles: PROFILES, warnings: new Map() };
const CONTEXT = { catalog: builtinCatalog, settings: builtinSettings };

function operator(document: unknown, variables: Variables = {}): Operator {
  const given = document === undefined ? {} : { WF_ADAPTERS_CONFIG: folder().file("adapters.json", document) };
  return readOperator(configOf({ ...given, ...variables }), CONTEXT);
}
function fault(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof StartFault) return thrown.message;
    throw thrown;
  }
  throw new Error("started");
}

describe("an operator without configuration", () => {
  it("adds no side, and enables what is self-contained", () => {
    expect(operator(undefined)).toEqual({ side: null, enabled: SELF_CONTAINED, enablesByDefault: true, warnings: [] });
    expect(operator({})).toMatchObject({ side: null, enabled: SELF_CONTAINED });
  });
});

describe("the operator file", () => {
  it("enables adapters and gives settings of every kind", () => {
    const { side, enabled } = operator({
      enable: ["HTTP", "db"],
      http: { allow_hosts: ["API.example.com"], allow_secrets: ["KEY"] },
      db: { path: "/data/a.db", store: "documents", entities: { User: {} } },
      sqlite: { max_rows: 5, trust_triggers: true },
    });
    expect(enabled).toEqual(["core", "http", "db"]);
    expect(side).toMatchObject({
      source: "server",
      grant: {
        adapter_constraints: {
          http: { allow_hosts: ["api.example.com"], allow_secrets: ["KEY"] },
          db: { path: "/data/a.db", store: "documents" },
          sqlite: { max_rows: 5, trust_triggers: true },
        },
        allowed_adapters: null,
        limits: {},
      },
    });
  });

  it("and the variables are united", () => {
    const { side, enabled } = operator(
      { enable: ["http"] },
      {
        WF_ENABLE_ADAPTERS: "fs",
        WF_HOST_ADAPTER_ALLOWLIST: "http,core",
        WF_HOST_ADAPTER_DENYLIST: "db,db",
      },
    );
    expect(enabled).toEqual(["core", "http", "fs"]);
    expect(side?.grant).toMatchObject({ allowed_adapters: ["core", "http"], forbidden_adapters: ["db"] });
  });

  it("may enable nothing", () => {
    expect(operator({ enable: [] }).enabled).toEqual(["core"]);
  });

  it.each<[string, unknown, string]>([
    ["is not an object", ["http"], "must hold one JSON object"],
    ["is not JSON", "{canary", "is not JSON"],
    ["is not UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), "is not JSON"],
    ["is too large", " ".repeat(1024 * 1024 + 1), "larger than 1 MiB"],
    ["names an unknown setting", { http: { allow_host: ["canary"] } }, "/http/allow_host"],
    ["has a setting of another type", { http: { timeout_s: "canary" } }, "/http/timeout_s"],
    ["has an invalid host pattern", { http: { allow_hosts: ["canary host"] } }, "/http/allow_hosts"],
    ["has a relative place", { fs: { sandbox_root: "canary" } }, "/fs/sandbox_root"],
    ["enables a text", { enable: "canary" }, "/enable"],
    ["enables an unknown adapter", { enable: ["canary"] }, "/enable"],
    ["has settings that are not an object", { http: 5 }, "/http"],
    ["has a member __proto__", '{"__proto__": {"http": {}}}', "/__proto__"],
  ])("that %s stops the start with its place and no value", (_what, document, expected) => {
    const message = fault(() => operator(document));
    expect(message).toContain("WF_ADAPTERS_CONFIG");
    expect(message).toContain(expected);
    expect(message).not.toContain("canary");
    expect(message).not.toContain("weft-operator-");
  });

  it("that is not there stops the start", () => {
    expect(fault(() => readOperator(configOf({ WF_ADAPTERS_CONFIG: "/none/canary.json" }), CONTEXT))).toBe(
      "the file of WF_ADAPTERS_CONFIG cannot be read (ENOENT)",
    );
  });

  it("an unknown adapter that is to be enabled stops the start", () => {
    expect(fault(() => operator(undefined, { WF_ENABLE_ADAPTERS: "http,sqlit" }))).toBe(
      "environment variable WF_ENABLE_ADAPTERS names the unknown adapter 'sqlit'; did you mean sqlite?",
    );
  });

  it.each([
    ["WF_HOST_ADAPTER_ALLOWLIST", "allowed_adapters"],
    ["WF_HOST_ADAPTER_DENYLIST", "forbidden_adapters"],
  ] as const)("an unknown name in %s is kept, and told at the start", (variable, member) => {
    const { side, warnings } = operator(undefined, { [variable]: "sqlit,HTTP,sqlit" });
    expect(side?.grant[member]).toEqual(["http", "sqlit"]);
    expect(warnings).toEqual([
      `unknown_adapter_name: no adapter is called 'sqlit'; did you mean sqlite? (${variable})`,
    ]);
  });

  it("with an invalid limit stops the start", () => {
    verifies("grant.limits-integer");
    const profile = { name: "mine", description: "d", runtime_limits: { max_steps: 1.5 } };
    const file = folder().file("profile.json", profile);
    expect(fault(() => loadProfile(file, BUILT_IN, CONTEXT))).toContain("/runtime_limits/max_steps");
  });
});

describe("profiles", () => {
  const mine = { ...PROFILES[1], name: "mine", description: "our own" };
  const others = (document: unknown) =>
    readProfiles(configOf({ WF_PROFILES_FILE: folder().file("profiles.json", document) }), CONTEXT);

  it("are the built-in ones without a file", () => {
    expect(readProfiles(configOf({}), CONTEXT)).toEqual(BUILT_IN);
  });

  it.each([
    ["a bundle", { schema_version: "1.0", profiles: [mine] }],
    ["a list", [mine]],
    ["one document", mine],
  ])("of a file follow the built-in ones: %s", (_what, document) => {
    const { profiles } = others(document);
    expect(profiles.slice(0, PROFILES.length)).toEqual(PROFILES);
    expect(profiles.at(-1)).toMatchObject({ name: "mine", description: "our own" });
  });

  it("that name an unknown adapter are loaded with a warning, by name and by file", () => {
    const document = { name: "mine", adapter_allowlist: ["core", "sqlit"] };
    const warnings = ["unknown_adapter_name: no adapter is called 'sqlit'; did you mean sqlite?"];
    expect(loadProfile("mine", others([document]), CONTEXT)).toMatchObject({
      profile: { adapter_allowlist: ["core", "sqlit"] },
      warnings,
    });
    expect(loadProfile(folder().file("p.json", document), BUILT_IN, CONTEXT).warnings).toEqual(warnings);
    expect(loadProfile("local_minimal", others([document]), CONTEXT).warnings).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ["given twice", [mine, mine], "given twice"],
    ["that are built in", [{ ...mine, name: "local_minimal" }], "profile 1"],
    ["with an unknown member", [{ ...mine, canary: 1 }], "profile 1"],
    ["that are not objects", ["canary"], "profile 1"],
    ["that are not JSON", "canary", "is not JSON"],
  ])("%s stop the start", (_what, document, expected) => {
    const message = fault(() => others(document));
    expect(message).toContain("WF_PROFILES_FILE");
    expect(message).toContain(expected);
  });

  it("are found by name or file, and an unknown name tells the known ones", () => {
    verifies("profile.loaded-as-server-grant");
    expect(loadProfile("local_minimal", BUILT_IN, CONTEXT).profile).toBe(
      PROFILES.find(({ name }) => name === "local_minimal"),
    );
    expect(loadProfile(folder().file("p.json", mine), BUILT_IN, CONTEXT).profile.name).toBe("mine");
    const message = fault(() => loadProfile("local_minima", BUILT_IN, CONTEXT));
    for (const { name } of PROFILES) expect(message).toContain(name);
    expect(fault(() => loadProfile("/none/p.json", BUILT_IN, CONTEXT))).toBe(
      "the file of the profile cannot be read (ENOENT)",
    );
  });
});
