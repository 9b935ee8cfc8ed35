import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtinAdapters, builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { createCatalog, findAdapter, findVerb } from "../../compiler/catalog.ts";
import { FUNCTIONS } from "../../compiler/functions.ts";

const manifest: { adapters: Record<string, Record<string, unknown>> } = JSON.parse(
  readFileSync(new URL("../fixtures/manifest.json", import.meta.url), "utf8"),
);
const entryOf = (name: string) => {
  const entry = builtinCatalog.adapter(name);
  if (entry === undefined) throw new Error(`no adapter ${name}`);
  return entry;
};

describe("the built-in catalog", () => {
  it("publishes exactly what the contract's manifest lists, in its order, and the extensions after it", () => {
    const contract = Object.keys(manifest.adapters);
    expect(contract).toHaveLength(19);
    const published = Object.fromEntries(
      builtinAdapters.slice(0, contract.length).map((entry) => [
        entry.name,
        {
          support_tier: entry.support_tier,
          verbs: entry.verbs.filter((verb) => verb.unlisted !== true).map((verb) => verb.name),
          effect_default: entry.effect_default,
          recommended_lane: entry.recommended_lane,
          privilege_tier: entry.privilege_tier,
          destructive: entry.destructive,
          network_facing: entry.network_facing,
          sandbox_safe: entry.sandbox_safe,
        },
      ]),
    );
    expect(published).toEqual(manifest.adapters);
    expect(builtinCatalog.names()).toEqual([...contract, "timer", "signal", "approval", "llm", "job", "event"]);
  });

  it("has facts for every verb that no adapter-level flag contradicts", () => {
    for (const entry of builtinAdapters) {
      const names = entry.verbs.map((verb) => verb.name.toUpperCase());
      expect(new Set(names).size).toBe(names.length);
      for (const verb of entry.verbs) {
        expect(verb.parameters, `${entry.name}.${verb.name}`).not.toBeNull();
        if (verb.destructive) expect(entry.destructive, `${entry.name}.${verb.name}`).toBe(true);
        if (verb.effect_tier === "io-read" || verb.effect_tier === "pure") expect(verb.destructive).toBe(false);
        const optional = verb.parameters?.map((parameter) => parameter.optional) ?? [];
        expect(optional, `${entry.name}.${verb.name}`).toEqual([...optional].sort());
      }
    }
  });

  it.each([
    ["core", "ENV", "io-read", "compute"],
    ["core", "SLEEP", "control", "control"],
    ["core", "NOW", "pure", "compute"],
    ["http", "Get", "io-read", "http"],
    ["http", "Post", "io-write", "http"],
    ["db", "F", "io-read", "db_read"],
    ["sqlite", "execute", "io-write", "sqlite"],
    ["cache", "set", "io-write", "cache_write"],
    ["queue", "len", "io-read", "queue"],
    ["auth", "verify", "io-read", "control"],
    ["auth", "enforce", "pure", "compute"],
    ["wasm", "CALL", "pure", "compute"],
    ["videomon", "poll", "io-write", "http"],
    ["extras", "disk", "io-read", "tool"],
  ])("%s.%s is %s of kind %s", (adapter, verb, tier, kind) => {
    expect(findVerb(entryOf(adapter), verb)).toMatchObject({ effect_tier: tier, kind });
  });

  it("knows which places take words and where URLs and paths stand", () => {
    expect(findVerb(entryOf("db"), "F")?.parameters?.[0]).toEqual({
      name: "entity",
      class: "word",
      optional: false,
      repeat: false,
      role: "table",
    });
    expect(findVerb(entryOf("http"), "Get")?.parameters?.[0]?.role).toBe("url");
    expect(findVerb(entryOf("fs"), "copy")?.parameters?.map((parameter) => parameter.role)).toEqual([
      "path",
      "path",
      undefined,
    ]);
    expect(findVerb(entryOf("core"), "GET")?.parameters?.[1]?.class).toBe("key");
    expect(findVerb(entryOf("tools"), "Call")?.parameters?.[1]).toMatchObject({ repeat: true });
  });

  it("offers every function of the language as a verb of core", () => {
    for (const signature of FUNCTIONS) {
      expect(findVerb(entryOf("core"), signature.name)?.name).toBe(signature.verb ?? signature.name.toUpperCase());
      for (const alias of signature.aliases) {
        expect(findVerb(entryOf("core"), alias)?.name, alias).toBe(signature.verb ?? signature.name.toUpperCase());
      }
    }
  });
});

describe("finding adapters and verbs", () => {
  it("folds letter case, dots and aliases", () => {
    expect(findVerb(entryOf("http"), "GET")?.name).toBe("Get");
    expect(findVerb(entryOf("svc"), "RESTART")?.name).toBe("restart");
    expect(findVerb(entryOf("extras"), "http.status")?.name).toBe("http_status");
    expect(findVerb(entryOf("extras"), "docker_image_exists")?.name).toBe("container_image_exists");
    expect(findVerb(entryOf("wasm"), "apply")?.name).toBe("CALL");
    expect(findVerb(entryOf("core"), "starts_with")?.name).toBe("STARTSWITH");
    expect(findVerb(entryOf("http"), "__proto__")).toBeUndefined();
    expect(findVerb(entryOf("http"), "constructor")).toBeUndefined();
  });

  it("finds adapters in any letter case, and nothing on the prototype", () => {
    expect(findAdapter(builtinCatalog, "HTTP")?.name).toBe("http");
    expect(findAdapter(builtinCatalog, "constructor")).toBeUndefined();
    expect(builtinCatalog.adapter("HTTP")).toBeUndefined();
  });
});

describe("createCatalog", () => {
  it("gives a version that changes with any entry and with nothing else", () => {
    expect(createCatalog([...builtinAdapters]).version).toBe(builtinCatalog.version);
    const raised = builtinAdapters.map((entry) => (entry.name === "db" ? { ...entry, network_facing: true } : entry));
    expect(createCatalog(raised).version).not.toBe(builtinCatalog.version);
    expect(createCatalog(builtinAdapters.slice(1)).version).not.toBe(builtinCatalog.version);
  });

  it("keeps the last entry of a name in the first one's place", () => {
    const catalog = createCatalog([...builtinAdapters, { ...entryOf("db"), privilege_tier: "network" }]);
    expect(catalog.adapter("db")?.privilege_tier).toBe("network");
    expect(catalog.names()).toEqual(builtinCatalog.names());
  });
});
