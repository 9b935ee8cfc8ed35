/** The variables common to all surfaces: what they mean, and faults that name the variable and never the value. */
import { describe, expect, it } from "vitest";
import {
  CONTRACT_PLACES,
  emptyHostConfig,
  HOST_VARIABLES,
  isTrue,
  readHostConfig,
  type Variables,
} from "../../adapters/operator/host-config.ts";
import { verifies } from "../support/requirements.ts";
import { configOf } from "./folder.ts";

describe("an environment in which nothing is set", () => {
  const nothing = {
    anyCallerPlaces: false,
    maxSqliteProcesses: null,
    places: { stateDir: null, dataRoot: null, agentRoot: null, memoryDb: null, cachePath: null, summaryRoot: null },
    secretsDir: null,
    adaptersFile: null,
    profilesFile: null,
    enable: null,
    allowlist: null,
    denylist: [],
    plugins: [],
    databaseUrl: null,
    httpAllowPrivate: false,
    propagateTrace: false,
    dryRun: false,
    frameCeilingBytes: null,
    tier: null,
  };
  it("configures nothing", () => {
    const { exposed, secrets, variables, ...rest } = emptyHostConfig();
    expect(rest).toEqual(nothing);
    expect([exposed.size, secrets.size, variables]).toEqual([0, 0, {}]);
  });

  it("equals an environment with empty variables", () => {
    const blank = Object.fromEntries(HOST_VARIABLES.map((name) => [name, "  "]));
    expect(configOf(blank)).toMatchObject(nothing);
  });
});

describe("places", () => {
  it("lie in the state directory when nothing else is said", () => {
    expect(configOf({ WF_STATE_DIR: "/s" }).places).toEqual({
      stateDir: "/s",
      dataRoot: null,
      agentRoot: "/s/agents",
      memoryDb: "/s/memory.db",
      cachePath: "/s/cache.db",
      summaryRoot: "/s/summaries",
    });
  });

  it("are those of the contract for services, before those of the state directory", () => {
    verifies("env.WF_AGENT_ROOT", "env.WF_MEMORY_DB");
    expect(CONTRACT_PLACES).toEqual({ agentRoot: "/tmp/ainl_agents", memoryDb: "/tmp/ainl_memory.sqlite3" });
    const places = (variables: Variables) => {
      const read = readHostConfig(variables, CONTRACT_PLACES);
      return read.ok ? read.config.places : null;
    };
    expect(places({})).toMatchObject(CONTRACT_PLACES);
    expect(places({ WF_STATE_DIR: "/s" })).toMatchObject(CONTRACT_PLACES);
    const own = { WF_AGENT_ROOT: "/a", WF_MEMORY_DB: "/m.db" };
    expect(places(own)).toMatchObject({ agentRoot: "/a", memoryDb: "/m.db" });
  });

  it("of the cache have two names, the plainer first", () => {
    expect(configOf({ WF_CACHE_JSON: "/old" }).places.cachePath).toBe("/old");
    expect(configOf({ WF_CACHE_JSON: "/old", WF_CACHE_PATH: "/new" }).places.cachePath).toBe("/new");
    expect(configOf({ WF_DATA_ROOT: "/d" }).places.dataRoot).toBe("/d");
    expect(configOf({ WF_SUMMARY_ROOT: "/x" }).places.summaryRoot).toBe("/x");
  });
});

describe("lists and names", () => {
  it("are trimmed, names are folded, and empty entries are dropped", () => {
    const { enable, allowlist, denylist, plugins } = configOf({
      WF_ENABLE_ADAPTERS: " HTTP, ,fs ",
      WF_HOST_ADAPTER_ALLOWLIST: "core,Http",
      WF_HOST_ADAPTER_DENYLIST: "db",
      WF_ADAPTERS: "./Plugins/a.js, @acme/Weather",
    });
    expect({ enable, allowlist, denylist, plugins }).toEqual({
      enable: ["http", "fs"],
      allowlist: ["core", "http"],
      denylist: ["db"],
      plugins: ["./Plugins/a.js", "@acme/Weather"],
    });
  });

  it("of exposed variables give only what is named and set", () => {
    verifies("adapter.core.env");
    const { exposed } = configOf({ WF_EXPOSE_ENV: "TOWN,HOME, __proto__", TOWN: "Lund", PATH: "/bin" });
    expect([...exposed]).toEqual([["TOWN", "Lund"]]);
  });

  it("of secrets are read from their prefix", () => {
    const { secrets } = configOf({ WF_SECRET_API_KEY: "k", WF_SECRET_lower: "x", WF_SECRET_: "y", OTHER: "z" });
    expect([...secrets]).toEqual([["API_KEY", "k"]]);
  });
});

describe("switches and numbers", () => {
  it.each(["1", "true", "TRUE", "Yes", "on"])("%s is true", (word) => {
    expect(isTrue(word)).toBe(true);
    expect(configOf({ WF_DRY_RUN: word, WF_HTTP_ALLOW_PRIVATE: word })).toMatchObject({
      dryRun: true,
      httpAllowPrivate: true,
    });
  });
  it.each(["0", "false", "No", "off", " "])("%s is false", (word) => {
    expect(isTrue(word)).toBe(false);
    expect(configOf({ WF_DRY_RUN: word }).dryRun).toBe(false);
  });
  it("processes of SQLite are counted", () => {
    expect(configOf({ WF_SQLITE_PROCESSES: "64" }).maxSqliteProcesses).toBe(64);
  });
  it("the tier is auto, off, or left to the surface", () => {
    expect(configOf({ WF_TIER: "auto" }).tier).toBe("auto");
    expect(configOf({ WF_TIER: "off" }).tier).toBe("off");
    expect(configOf({}).tier).toBeNull();
  });
  it("a ceiling is a number of bytes", () => {
    expect(configOf({ WF_FRAME_CEILING_BYTES: "1048576" }).frameCeilingBytes).toBe(1_048_576);
  });

  it.each([
    ["WF_STATE_DIR", "canary/relative"],
    ["WF_DATA_ROOT", "canary"],
    ["WF_SECRETS_DIR", "~/canary"],
    ["WF_DATABASE_URL", "mysql://user:canary@host/db"],
    ["WF_DRY_RUN", "canary"],
    ["WF_HTTP_ALLOW_PRIVATE", "2 canary"],
    ["WF_CALLER_PLACES", "canary"],
    ["WF_SQLITE_PROCESSES", "0"],
    ["WF_SQLITE_PROCESSES", "65"],
    ["WF_FRAME_CEILING_BYTES", "0"],
    ["WF_FRAME_CEILING_BYTES", "1e9"],
    ["WF_FRAME_CEILING_BYTES", "-5"],
    ["WF_TIER", "canary"],
  ])("%s=%s is a fault that names the variable and what it expects", (variable, value) => {
    const read = readHostConfig({ [variable]: value });
    expect(read).toMatchObject({ ok: false, variable });
    expect(read.ok ? "" : read.message).toMatch(/^must /);
    expect(JSON.stringify(read)).not.toContain("canary");
  });
});
