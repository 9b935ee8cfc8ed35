/** The two resources: complete, and byte for byte the same at every read. */
import { beforeAll, describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { PROFILES } from "../../vm/grant/profiles.ts";
import { verifies } from "../support/requirements.ts";
import { type OpenedServer, openServer } from "./opened.ts";

let server: OpenedServer;
beforeAll(async () => {
  server = await openServer();
});

describe("resources", () => {
  it.each(["wf://adapter-manifest", "wf://security-profiles"])("%s is byte-stable JSON", async (uri) => {
    const [first, second] = await Promise.all([server.handlers.readResource(uri), server.handlers.readResource(uri)]);
    expect(second).toEqual(first);
    expect(first.mimeType).toBe("application/json");
    expect(first.text).toMatch(/^\{\n {2}"schema_version": "1\.0"/);
    const other = await openServer();
    await other.call("wf_run", { code: "L1:\n  J 1\n" });
    expect(await other.handlers.readResource(uri)).toEqual(first);
  });

  it("the manifest lists verbs, their options, and which of them the machine answers", async () => {
    const { adapters } = JSON.parse((await server.handlers.readResource("wf://adapter-manifest")).text);
    type Verb = { readonly name: string; readonly determinism: string };
    const external = (adapters.core.verbs as Verb[]).filter(({ determinism }) => determinism === "external");
    expect(external.map(({ name }) => name).sort()).toEqual(["ENV", "ISO", "ISO_TS", "NOW", "SLEEP", "UUID"]);
    expect(adapters.core).toMatchObject({ available: true, description: expect.stringContaining("machine itself") });
    expect(adapters.http).toMatchObject({
      available: true,
      description: expect.not.stringContaining("machine itself"),
    });
    const verbOf = (adapter: string, verb: string) =>
      adapters[adapter].verbs.find(({ name }: Verb) => name.toLowerCase() === verb);
    expect(verbOf("http", "get").options).toMatchObject({ type: "object" });
    expect(verbOf("fs", "exists")).not.toHaveProperty("options");
    const absent = Object.keys(adapters).filter((name) => adapters[name].available !== true);
    expect(absent).toEqual([]);
  });

  it("the manifest describes every adapter completely", async () => {
    verifies("mcp.resource.adapter-manifest");
    const { adapters } = JSON.parse((await server.handlers.readResource("wf://adapter-manifest")).text);
    expect(Object.keys(adapters)).toEqual([...builtinCatalog.names()]);
    for (const [name, entry] of Object.entries<Record<string, unknown>>(adapters)) {
      const facts = builtinCatalog.adapter(name);
      expect(entry, name).toMatchObject({
        support_tier: facts?.support_tier,
        effect_default: facts?.effect_default,
        recommended_lane: facts?.recommended_lane,
        privilege_tier: facts?.privilege_tier,
        destructive: facts?.destructive,
        network_facing: facts?.network_facing,
        sandbox_safe: facts?.sandbox_safe,
      });
      const listed = (facts?.verbs ?? []).filter((verb) => verb.unlisted !== true).map((verb) => verb.name);
      const verbs = entry["verbs"] as {
        name: string;
        effect: string;
        tier: string;
        determinism?: string;
        result?: object;
      }[];
      expect(
        verbs.map((verb) => verb.name),
        name,
      ).toEqual(listed);
      for (const verb of verbs) {
        expect(verb).toMatchObject({ effect: expect.any(String), tier: facts?.privilege_tier });
        if (entry["available"] !== true) continue;
        expect(verb.determinism, `${name}.${verb.name}`).toEqual(expect.any(String));
        if (name !== "core") expect(verb.result, `${name}.${verb.name}`).toEqual(expect.any(Object));
      }
      if (entry["available"] === true) expect(entry["description"], name).toEqual(expect.any(String));
    }
    expect(adapters.sqlite.settings.allow_write).toEqual({ type: "boolean", kind: "and" });
    expect(adapters.core.verbs.find((verb: { name: string }) => verb.name === "NOW").determinism).toBe("external");
    expect(adapters.core.verbs.find((verb: { name: string }) => verb.name === "ADD").determinism).toBe("pure");
  });

  it("the profiles are those of the grant, and the exposure profiles after them", async () => {
    verifies("mcp.resource.security-profiles");
    const document = JSON.parse((await server.handlers.readResource("wf://security-profiles")).text);
    expect(Object.keys(document)).toEqual(["schema_version", "profiles", "exposure_profiles"]);
    expect(document.profiles).toEqual(JSON.parse(JSON.stringify(PROFILES)));
    expect(Object.keys(document.exposure_profiles)).toEqual([
      "validate_only",
      "inspect_only",
      "author",
      "safe_workflow",
      "full",
    ]);
    expect(document.exposure_profiles.validate_only).toEqual({ tools: ["wf_validate", "wf_compile"], resources: [] });
  });
});
