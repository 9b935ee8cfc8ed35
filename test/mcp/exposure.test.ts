/** Exposure: what five profiles and four lists leave over, and that what is hidden cannot be called, read or guessed. */
import { describe, expect, it } from "vitest";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import {
  EXPOSURE_PROFILES,
  type ExposureRequest,
  RESOURCE_URIS,
  resolveExposure,
  TOOL_NAMES,
} from "../../mcp/tool/exposure.ts";
import { verifies } from "../support/requirements.ts";
import { HELLO, openServer } from "./opened.ts";

const NOTHING: ExposureRequest = {
  profile: null,
  tools: null,
  toolsExclude: null,
  resources: null,
  resourcesExclude: null,
  proposes: false,
};
const CHECKING = ["wf_validate", "wf_compile"];
const INSPECTING = [...CHECKING, "wf_capabilities", "wf_security_report"];
const MANIFEST = "wf://adapter-manifest";

describe("what is exposed", () => {
  it("is everything when nothing is set", async () => {
    verifies("exposure.default", "service.mcp-offers");
    const server = await openServer();
    expect(server.names()).toEqual([...TOOL_NAMES]);
    expect(server.names()).toHaveLength(9);
    expect(server.handlers.listResources().map(({ uri }) => uri)).toEqual([...RESOURCE_URIS]);
  });

  it.each([
    ["validate_only", CHECKING, []],
    ["inspect_only", INSPECTING, RESOURCE_URIS],
    ["author", ["wf_validate", "wf_capabilities", "wf_run"], []],
    ["safe_workflow", TOOL_NAMES, RESOURCE_URIS],
    ["full", TOOL_NAMES, RESOURCE_URIS],
  ])("is for %s what the contract says", async (profile, tools, resources) => {
    verifies(
      "exposure.validate_only",
      "exposure.inspect_only",
      "exposure.safe_workflow",
      "exposure.full",
      "env.WF_MCP_EXPOSURE_PROFILE",
    );
    const server = await openServer({ variables: { WF_MCP_EXPOSURE_PROFILE: profile } });
    expect(server.names()).toEqual([...tools]);
    expect(server.handlers.listResources().map(({ uri }) => uri)).toEqual([...resources]);
  });

  const LISTS = [null, [], ["wf_run"], ["wf_validate", "wf_run", "no_such_tool"], ["no_such_tool"], [...TOOL_NAMES]];
  const combinations = [null, ...Object.keys(EXPOSURE_PROFILES)].flatMap((profile) =>
    LISTS.flatMap((tools) => LISTS.map((toolsExclude) => ({ ...NOTHING, profile, tools, toolsExclude }))),
  );
  it("is the profile, narrowed by the allowlist and reduced by the exclusions", () => {
    verifies("exposure.order");
    expect(combinations.length).toBe(216);
    for (const request of combinations) {
      const base = request.profile === null ? [...TOOL_NAMES] : (EXPOSURE_PROFILES[request.profile]?.tools ?? []);
      const wanted = base.filter(
        (name) =>
          (request.tools === null || request.tools.includes(name)) && !(request.toolsExclude ?? []).includes(name),
      );
      expect([...resolveExposure(request).tools], JSON.stringify(request)).toEqual(wanted);
    }
  });

  it("is read from comma lists, where blanks mean nothing and an empty list counts as unset", async () => {
    verifies("env.WF_MCP_TOOLS", "env.WF_MCP_TOOLS_EXCLUDE", "env.WF_MCP_RESOURCES", "env.WF_MCP_RESOURCES_EXCLUDE");
    const server = await openServer({
      variables: {
        WF_MCP_TOOLS: " wf_run , wf_validate,",
        WF_MCP_TOOLS_EXCLUDE: "wf_validate",
        WF_MCP_RESOURCES: MANIFEST,
        WF_MCP_RESOURCES_EXCLUDE: " ",
      },
    });
    expect(server.names()).toEqual(["wf_run"]);
    expect(server.handlers.listResources().map(({ uri }) => uri)).toEqual([MANIFEST]);
    const excluded = await openServer({ variables: { WF_MCP_RESOURCES_EXCLUDE: MANIFEST } });
    expect(excluded.handlers.listResources().map(({ uri }) => uri)).toEqual(["wf://security-profiles"]);
  });

  it("is nothing when a list names only what does not exist, with a warning each", async () => {
    const server = await openServer({ variables: { WF_MCP_TOOLS: "wf_rum,run", WF_MCP_RESOURCES: "wf://x" } });
    expect(server.names()).toEqual([]);
    expect(server.handlers.listResources()).toEqual([]);
    expect(server.warnings.filter((text) => text.startsWith("unknown_name"))).toEqual([
      "unknown_name: WF_MCP_TOOLS names 'wf_rum', which does not exist",
      "unknown_name: WF_MCP_TOOLS names 'run', which does not exist",
      "unknown_name: WF_MCP_RESOURCES names 'wf://x', which does not exist",
    ]);
  });

  it("stops the start for an unknown profile, with the known ones", () => {
    verifies("exposure.unknown");
    const resolve = (profile: string) => () => resolveExposure({ ...NOTHING, profile });
    expect(resolve("valdate_only")).toThrow(StartFault);
    expect(resolve("valdate_only")).toThrow(
      'unknown exposure profile "valdate_only"; did you mean validate_only? known: author, full, inspect_only, safe_workflow, validate_only',
    );
    expect(resolve("__proto__")).toThrow("unknown exposure profile");
  });

  it("is decided once: changing the variables afterwards changes nothing", async () => {
    verifies("exposure.once");
    const variables: Record<string, string> = { WF_MCP_TOOLS: "wf_validate" };
    const server = await openServer({ variables });
    variables["WF_MCP_TOOLS"] = "wf_run";
    variables["WF_MCP_EXPOSURE_PROFILE"] = "full";
    expect(server.names()).toEqual(["wf_validate"]);
  });
});

describe("what is hidden", () => {
  it("cannot be called, and answers like an unknown tool", async () => {
    verifies("exposure.hidden-not-listed");
    const server = await openServer({ variables: { WF_MCP_EXPOSURE_PROFILE: "validate_only" } });
    const faultOf = (name: string) => server.call(name, { code: HELLO }).catch((fault: unknown) => fault);
    for (const name of ["wf_run", "wf_never", "__proto__", "constructor", ""])
      expect(await faultOf(name)).toMatchObject({ code: -32_602, message: `Unknown tool: ${name}` });
    for (const uri of [MANIFEST, "wf://never"])
      await expect(server.handlers.readResource(uri)).rejects.toMatchObject({
        code: -32_002,
        message: `Unknown resource: ${uri}`,
      });
  });

  it.each(TOOL_NAMES)("never appears in a text when only %s is there", async (only) => {
    const server = await openServer({ variables: { WF_MCP_TOOLS: only, WF_MCP_RESOURCES: "none" } });
    const answers = [
      server.handlers.instructions,
      server.handlers.listTools(),
      ...(only === "wf_validate" || only === "wf_compile" || only === "wf_run" || only === "wf_security_report"
        ? await Promise.all([
            server.call(only, { code: HELLO }),
            server.call(only, { code: "L1:\n  J ghost\n" }),
            server.call(only, { code: 'L1:\n  R http.Get "https://api.example.com/" ->r\n  J r\n' }),
            server.call(only, {}),
          ])
        : []),
    ];
    const named = JSON.stringify(answers).match(/wf_[a-z_]+/g) ?? [];
    expect([...new Set(named)].filter((name) => name !== only)).toEqual([]);
    expect(JSON.stringify(answers)).not.toContain("wf://");
  });

  it("does not loosen what is exposed: grant and policy hold", async () => {
    verifies("exposure.not-a-permission");
    const code = 'L1:\n  R http.Get "https://api.example.com/" ->r\n  J r\n';
    for (const WF_MCP_EXPOSURE_PROFILE of ["full", "safe_workflow"]) {
      const server = await openServer({ variables: { WF_MCP_EXPOSURE_PROFILE } });
      const { payload, isError } = await server.call("wf_run", { code, adapters: { enable: ["http"] } });
      expect([isError, payload.error]).toEqual([true, "policy_violation"]);
    }
  });
});
