/** docs/mcp.md is complete: tools, arguments, resources, exposure profiles, variables, error words. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hostEntry } from "../../mcp/host-entry.ts";
import { EXPOSURE_PROFILES, RESOURCE_URIS, TOOL_NAMES } from "../../mcp/tool/exposure.ts";
import { openServer } from "./opened.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const PAGE = read("docs/mcp.md");

describe("docs/mcp.md", () => {
  it("names every tool with every argument, in order", async () => {
    const { handlers } = await openServer({ variables: { WF_MCP_WORKFLOW_ROOT: import.meta.dirname } });
    const rows = [...PAGE.matchAll(/^\| `(wf_[a-z_]+)` \| (.*?) \|/gm)];
    expect(rows.map(([, name]) => name)).toEqual([...TOOL_NAMES]);
    for (const { name, inputSchema } of handlers.listTools())
      for (const argument of Object.keys((inputSchema["properties"] as object | undefined) ?? {}))
        expect(PAGE, `${name} ${argument}`).toContain(`\`${argument}\``);
  });

  it("names resources, exposure profiles and the entry for hosts", () => {
    for (const name of [...RESOURCE_URIS, ...Object.keys(EXPOSURE_PROFILES)]) expect(PAGE).toContain(`\`${name}\``);
    expect(PAGE).toContain(JSON.stringify(hostEntry()));
  });

  it("names every variable of the server", () => {
    const variables = read("mcp/config.ts").match(/^ {2}(WF_[A-Z_]+):/gm) ?? [];
    expect(variables.length).toBeGreaterThan(14);
    for (const variable of variables) expect(PAGE).toContain(`\`${variable.trim().slice(0, -1)}\``);
  });

  it("names every error word that a tool gives of itself", () => {
    const sources = readdirSync(new URL("../../mcp/", import.meta.url), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => read(`mcp/${name}`));
    const words = sources.flatMap((text) =>
      [...text.matchAll(/(?:failed|refused)\(\s*"([a-z_]+)"/g)].map(([, word]) => word),
    );
    expect(new Set(words).size).toBeGreaterThan(7);
    const refusals = ["policy_violation", "adapter_config_error", "invalid_ir", "unknown_label"];
    for (const word of [...words, ...refusals]) expect(PAGE, word).toContain(`\`${word}\``);
  });

  it("shows an answer that the server gives", async () => {
    const [, shown = ""] =
      /wf_validate answers for `L1:`[^`]*` {2}J ghost`:\n\n```json\n([\s\S]*?)```/.exec(PAGE) ?? [];
    const server = await openServer();
    expect(JSON.parse(shown)).toEqual((await server.call("wf_validate", { code: "L1:\n  J ghost\n" })).payload);
  });
});
