/** The environment of the server: defaults, what every variable means, and what stops the start. */
import { describe, expect, it } from "vitest";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { readEnvironment } from "../../cli/session/environment.ts";
import { importHosts, readMcpStart } from "../../mcp/config.ts";
import { hostEntry, mergedHostConfig } from "../../mcp/host-entry.ts";
import { verifies } from "../support/requirements.ts";
import { openServer } from "./opened.ts";

describe("variables", () => {
  it("have these defaults, and an empty one counts as unset", () => {
    const { config, host, warnings } = readMcpStart({
      WF_MCP_TOOLS: "",
      WF_STRICT_MODE: " ",
      WF_MCP_MAX_CONCURRENCY: "",
    });
    expect(config).toEqual({
      profile: null,
      strictProfile: null,
      exposure: {
        profile: null,
        tools: null,
        toolsExclude: null,
        resources: null,
        resourcesExclude: null,
        proposes: false,
      },
      workflowRoot: null,
      service: null,
      importHosts: null,
      maxLineBytes: 8 * 1024 * 1024,
      maxConcurrency: 8,
      maxResultBytes: 1024 * 1024,
      compileCacheEntries: 256,
      log: { level: "warn", hashKey: null },
    });
    expect(host.places).toMatchObject({ agentRoot: "/tmp/ainl_agents", memoryDb: "/tmp/ainl_memory.sqlite3" });
    expect(warnings).toEqual([]);
  });

  it.each(["1", "true", "YES", "on"])("WF_STRICT_MODE %s is on", (WF_STRICT_MODE) => {
    verifies("env.WF_STRICT_MODE", "env.WF_STRICT_PROFILE");
    expect(readMcpStart({ WF_STRICT_MODE }).config.strictProfile).toBe("consumer_secure_default");
  });
  it.each(["0", "false", "No", "OFF"])("WF_STRICT_MODE %s is off", (WF_STRICT_MODE) => {
    expect(readMcpStart({ WF_STRICT_MODE, WF_STRICT_PROFILE: "x" }).config.strictProfile).toBeNull();
  });

  it.each([
    ["WF_STRICT_MODE", "maybe"],
    ["WF_MCP_MAX_LINE_BYTES", "10"],
    ["WF_MCP_MAX_CONCURRENCY", "0"],
    ["WF_MCP_MAX_CONCURRENCY", "-1"],
    ["WF_MCP_MAX_RESULT_BYTES", "1e9"],
    ["WF_MCP_COMPILE_CACHE_MAX_ENTRIES", "many"],
    ["WF_MCP_WORKFLOW_ROOT", "flows"],
    ["WF_LOG_LEVEL", "loud"],
    ["WF_AUDIT_HASH_KEY", "short"],
    ["WF_STATE_DIR", "relative"],
    ["WF_MEMORY_DB", "/"],
    ["WF_DATA_ROOT", "/tmp/.."],
    ["WF_EXPOSE_ENV", "HOME,*"],
  ])("%s = %j stops the start without being echoed", (name, value) => {
    const read = () => readMcpStart({ [name]: value });
    expect(read).toThrow(StartFault);
    expect(read).toThrow(new RegExp(`environment variable ${name} must`));
    expect(read).not.toThrow(value.length > 3 ? value : /$^/);
  });

  it("unknown ones are warnings; those of other surfaces and secrets are not", () => {
    const { warnings } = readMcpStart({
      WF_MCP_TOLLS: "x",
      WF_PORT: "1",
      WF_MAX_BODY_BYTES: "1",
      WF_SECRET_KEY: "s",
      WF_SECURITY_PROFILE: "x",
      PATH: "/bin",
    });
    expect(warnings).toEqual([
      "unknown_variable: WF_MCP_TOLLS is not a variable of this server; did you mean WF_MCP_TOOLS?",
    ]);
  });

  it("WF_AGENT_ROOT may be any absolute path here: the adapter refuses the root, with its own code", () => {
    expect(readMcpStart({ WF_AGENT_ROOT: "/" }).host.places.agentRoot).toBe("/");
  });

  it.each(["https://a.example", "a.example, b.example/docs", "*.example", "a.example:443"])(
    "WF_IMPORT_ALLOW_HOSTS %s names no host that an address could have",
    (WF_IMPORT_ALLOW_HOSTS) => {
      expect(() => readMcpStart({ WF_IMPORT_ALLOW_HOSTS })).toThrow(
        "environment variable WF_IMPORT_ALLOW_HOSTS must be names of hosts such as docs.example.com",
      );
      expect(() => readEnvironment({ WF_IMPORT_ALLOW_HOSTS })).toThrow("WF_IMPORT_ALLOW_HOSTS must be names of hosts");
    },
  );

  it("WF_IMPORT_ALLOW_HOSTS lists hosts; none means none", () => {
    expect(readMcpStart({ WF_IMPORT_ALLOW_HOSTS: " A.example, [2001:db8::1],, " }).config.importHosts).toEqual([
      "A.example",
      "[2001:db8::1]",
    ]);
    expect(importHosts(undefined)).toBeNull();
    expect(importHosts("")).toBeNull();
    expect(importHosts("none")).toEqual([]);
    expect(importHosts("a.example, b.example")).toEqual(["a.example", "b.example"]);
  });

  it("core.ENV sees only what WF_EXPOSE_ENV names", async () => {
    verifies("adapter.core.env");
    const variables = { WF_MCP_PROFILE: "operator_full", WF_EXPOSE_ENV: "CITY", CITY: "Bern", TOKEN: "hidden" };
    const server = await openServer({ variables });
    const read = async (name: string) =>
      (await server.call("wf_run", { code: `L1:\n  R core.ENV "${name}" "-" ->v\n  J v\n` })).payload.out;
    expect([await read("CITY"), await read("TOKEN"), await read("PATH")]).toEqual(["Bern", "-", "-"]);
  });

  it("WF_MCP_COMPILE_CACHE_MAX_ENTRIES 0 keeps no program", async () => {
    for (const [entries, cached] of [
      ["0", false],
      ["1", true],
    ] as const) {
      const server = await openServer({ variables: { WF_MCP_COMPILE_CACHE_MAX_ENTRIES: entries } });
      const { host } = server.services.runtime.gateway;
      host.compile("L1:\n  J 1\n");
      expect(host.compile("L1:\n  J 1\n").cached).toBe(cached);
    }
  });
});

describe("the entry for a host", () => {
  it("starts the server with the flags that were given", () => {
    expect(hostEntry()).toEqual({ mcpServers: { weft: { command: "wf", args: ["mcp"], env: {} } } });
    expect(hostEntry(["--exposure", "full"]).mcpServers.weft).toMatchObject({ args: ["mcp", "--exposure", "full"] });
  });

  it("is merged so that everything else stays, and a second time changes nothing", () => {
    const existing = '{"theme":"dark","mcpServers":{"other":{"command":"x"}}}';
    const merged = mergedHostConfig(existing, hostEntry());
    expect(merged).toMatchObject({ ok: true, unchanged: false });
    const text = merged.ok ? merged.text : "";
    expect(JSON.parse(text)).toEqual({
      theme: "dark",
      mcpServers: { other: { command: "x" }, ...hostEntry().mcpServers },
    });
    expect(mergedHostConfig(text, hostEntry())).toEqual({ ok: true, text, unchanged: true });
    expect(mergedHostConfig(null, hostEntry())).toMatchObject({ ok: true, text: expect.stringContaining("weft") });
  });

  const COMPACT = '{"command":"wf","args":["mcp"],"env":{}}';
  const SPREAD = `{
    "command": "wf",
    "args": [
      "mcp"
    ],
    "env": {}
  }`;
  it.each([
    [
      "a number beyond 2^53 on one line",
      '{"mcpServers":{"o":{"command":"x","n":12345678901234567890}}}',
      `{"mcpServers":{"o":{"command":"x","n":12345678901234567890}, "weft": ${COMPACT}}}`,
    ],
    [
      "escapes, fractions and no line end at the end",
      '{"a":"\\u00e9\\/","mcpServers":{"o":{"n":1.0}}}',
      `{"a":"\\u00e9\\/","mcpServers":{"o":{"n":1.0}, "weft": ${COMPACT}}}`,
    ],
    [
      "comments, tabs and trailing commas",
      '{\n\t// mine\n\t"mcpServers": {\n\t\t"o": { "n": 1e3 }, // keep\n\t},\n}\n',
      `{\n\t// mine\n\t"mcpServers": {\n\t\t"o": { "n": 1e3 },\n\t\t"weft": ${SPREAD.replaceAll("  ", "\t").replaceAll("\n", "\n\t")}, // keep\n\t},\n}\n`,
    ],
    ["a byte order mark and CRLF", '\uFEFF{\r\n  "a": 1\r\n}\r\n', null],
    ["an empty object of servers", '{\n  "mcpServers": {},\n  "z": 0.10\n}', null],
    [
      "an entry of before",
      `{\n  "mcpServers": {\n    "weft": {\n      "command": "old"\n    },\n    "o": [1,2]\n  }\n}`,
      null,
    ],
    ["a name that is there twice", '{"mcpServers":{},"mcpServers":{"o":{"n":1.50}}}', null],
    ["nothing", "{}", null],
  ])("keeps every other character: %s", (_, existing, wanted) => {
    const merged = mergedHostConfig(existing, hostEntry());
    const text = merged.ok ? merged.text : "";
    if (wanted !== null) expect(text).toBe(wanted);
    // Character by character, the old text is a part of the new one, but for the old entry.
    const old = [...existing.replace('"command": "old"', "")];
    let found = 0;
    for (const character of text) if (character === old[found]) found += 1;
    expect(found).toBe(old.length);
    expect(mergedHostConfig(text, hostEntry())).toEqual({ ok: true, text, unchanged: true });
    if (!existing.includes("//")) expect(JSON.parse(text.replace("\uFEFF", ""))).toMatchObject(hostEntry());
    if (existing.includes("\r\n")) expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  const EDITORS = { type: "stdio", ...hostEntry().mcpServers.weft };
  it.each<[what: string, path: string, existing: string | null, wanted: object]>([
    ["a new .vscode/mcp.json", "/w/.vscode/mcp.json", null, { servers: { weft: EDITORS } }],
    ["an empty one", ".vscode/mcp.json", " \n", { servers: { weft: EDITORS } }],
    ["one without servers", "/w/.vscode/mcp.json", '{"inputs": []}', { inputs: [], servers: { weft: EDITORS } }],
    ["that of a user", "/home/a/.config/Code/User/mcp.json", null, { servers: { weft: EDITORS } }],
    ["that of a profile", "/h/Code - Insiders/User/profiles/1a/mcp.json", null, { servers: { weft: EDITORS } }],
    [
      "that of a user of Windows",
      "C:\\Users\\a\\AppData\\Roaming\\Code\\User\\mcp.json",
      null,
      { servers: { weft: EDITORS } },
    ],
    ["any file with servers", "/x/any.json", '{"servers": {"o": {}}}', { servers: { o: {}, weft: EDITORS } }],
    [
      "older settings",
      "/w/.vscode/settings.json",
      '{"mcp": {"servers": {}}, "a": 1}',
      { mcp: { servers: { weft: EDITORS } }, a: 1 },
    ],
    ["a file of other hosts with the same name", "/p/.cursor/mcp.json", null, hostEntry()],
    ["settings of other hosts", "/h/.gemini/settings.json", '{"servers_seen": 1}', { servers_seen: 1, ...hostEntry() }],
    ["a file with both", "/w/.vscode/mcp.json", '{"mcpServers": {}, "servers": {}}', { servers: {}, ...hostEntry() }],
  ])("is written in the form of %s", (_what, path, existing, wanted) => {
    const merged = mergedHostConfig(existing, hostEntry(), path);
    const text = merged.ok ? merged.text : merged.message;
    expect(JSON.parse(text)).toEqual(wanted);
    expect(mergedHostConfig(text, hostEntry(), path)).toEqual({ ok: true, text, unchanged: true });
  });

  it("is not written into settings of VS Code, which nothing reads", () => {
    const merged = mergedHostConfig('{"editor.tabSize": 2}', hostEntry(), "/w/.vscode/settings.json");
    expect(merged).toMatchObject({ ok: false, message: expect.stringContaining("mcp.json") });
    expect(mergedHostConfig('{"mcp": {"servers": 7}}', hostEntry())).toMatchObject({ ok: false });
  });

  it.each(["[]", "{oops", '{"mcpServers":[]}', "7"])("is not merged into %j", (text) => {
    expect(mergedHostConfig(text, hostEntry()).ok).toBe(false);
  });
});
