/** The tools that look and do not touch: wf_validate, wf_compile, wf_capabilities, wf_security_report, wf_list_ecosystem. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { verifies } from "../support/requirements.ts";
import { HELLO, type OpenedServer, openServer } from "./opened.ts";

const GHOST = "L1:\n  J ghost\n";
const WEATHER = '# frame: city: text\nL1:\n  R http.Get "https://api.example.com/v1" ->r\n  J [city, r.body]\n';

let server: OpenedServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server.close());

describe("wf_validate", () => {
  it("reports a correct program", async () => {
    verifies("mcp.tool.wf_validate");
    const { payload, isError } = await server.call("wf_validate", { code: HELLO });
    expect(isError).toBe(false);
    expect(payload).toEqual({
      ok: true,
      strict: true,
      errors: [],
      warnings: [],
      diagnostics: [],
      primary_diagnostic: null,
      required_adapters: [],
      runtime_readiness: { ready: true, missing_adapters: [], not_allowed: [] },
      frame_hints: [],
      recommended_next_tools: ["wf_run", "wf_compile"],
    });
    expect(Object.keys(payload)[0]).toBe("ok");
  });

  it.each([
    ["values", { ghost: 1 }],
    ["names", ["ghost"]],
    ["JSON text", '{"ghost": 1}'],
  ])("takes names of the frame for inputs, given as %s", async (_, frame) => {
    const { payload } = await server.call("wf_validate", { code: GHOST, frame });
    expect([payload["ok"], payload["diagnostics"]]).toEqual([true, []]);
  });

  it("offers fixes that can all be applied at once, and names the cause of the others", async () => {
    const code = "L1:\n  X y lenght xs\n  If y = = 3 ->L2\nL2:\n  J None\n";
    const { payload } = await server.call("wf_validate", { code, strict: true });
    type Shown = { fix: { edits: { span: { start: number; end: number } }[] } | null; caused_by?: number };
    const shown = payload["diagnostics"] as readonly Shown[];
    const spans = shown.flatMap(({ fix }) => fix?.edits.map(({ span }) => span) ?? []);
    for (const [at, a] of spans.entries())
      for (const b of spans.slice(at + 1)) expect(a.start < b.end && b.start < a.end).toBe(false);
    for (const one of shown) if (one.caused_by !== undefined) expect(one.fix).toBeNull();
  });

  it("reports what is wrong, where, and how to fix it", async () => {
    const { payload, isError } = await server.call("wf_validate", { code: GHOST });
    expect(isError).toBe(false);
    expect(payload).toMatchObject({
      ok: false,
      errors: ["WF4001 line 2: nothing sets 'ghost' before this step"],
      primary_diagnostic: 0,
      frame_hints: [{ name: "ghost", type: "any", source: "inferred" }],
      recommended_next_tools: ["wf_validate"],
    });
    const [diagnostic] = payload.diagnostics;
    expect(diagnostic).toMatchObject({ code: "WF4001", severity: "error", line: 2, column: 5 });
    expect(diagnostic.source_context).toBe("2 |   J ghost\n  |     ^^^^^");
    expect(diagnostic.fix).toMatchObject({ title: "quote 'ghost'", edits: [{ new_text: '"ghost"' }] });
  });

  it.each([
    [
      "def main(n: int, by=2):\n    # frame: other: text\n    return n * by\n",
      [
        { name: "n", type: "integer", required: true, source: "parameter" },
        { name: "by", type: "any", source: "parameter" },
      ],
    ],
    ["total = price * 2\ntotal\n", [{ name: "price", type: "any", required: true, source: "parameter" }]],
    ["def main(n):\n    return m\n", []],
  ])("says what a program in Python takes: %j", async (code, hints) => {
    expect((await server.call("wf_validate", { code })).payload.frame_hints).toEqual(hints);
  });

  it("returns fixes that repair the program", async () => {
    const { payload } = await server.call("wf_validate", { code: GHOST });
    const [{ span, new_text }] = payload.diagnostics[0].fix.edits;
    const repaired = GHOST.slice(0, span.start) + new_text + GHOST.slice(span.end);
    expect((await server.call("wf_validate", { code: repaired })).payload.ok).toBe(true);
  });

  it("says what a run would lack, with a ready argument", async () => {
    const { payload } = await server.call("wf_validate", { code: WEATHER });
    expect(payload).toMatchObject({
      ok: true,
      required_adapters: ["http"],
      frame_hints: [{ name: "city", type: "text", source: "comment" }],
      recommended_next_tools: ["wf_security_report", "wf_capabilities"],
    });
    expect(payload.runtime_readiness).toMatchObject({
      ready: false,
      missing_adapters: ["http"],
      not_allowed: ["http"],
    });
    const sqlite = await server.call("wf_validate", { code: 'L1:\n  R sqlite.query "SELECT a FROM t" ->r\n  J r\n' });
    expect(sqlite.payload.runtime_readiness.suggested_adapters).toMatchObject({ enable: ["sqlite"] });
  });

  it("keeps answers short: at most fifty findings, errors first", async () => {
    const steps = Array.from({ length: 200 }, (_, at) => `  Set a${at} missing${at}`).join("\n");
    const { payload } = await server.call("wf_validate", { code: `L1:\n${steps}\n  J 1\n` });
    expect(payload.diagnostics).toHaveLength(50);
    expect(payload.diagnostics_truncated).toBeGreaterThanOrEqual(150);
    expect(payload.diagnostics.every((one: { severity: string }) => one.severity === "error")).toBe(true);
  });

  it("compiles loosely when asked to", async () => {
    expect((await server.call("wf_validate", { code: GHOST, strict: false })).payload).toMatchObject({
      ok: true,
      strict: false,
    });
  });

  it.each([
    ["source", { source: HELLO }],
    ["null members", { code: HELLO, strict: null }],
  ])("takes %s as well, and does not advertise it", async (_name, args) => {
    expect((await server.call("wf_validate", args)).payload.ok).toBe(true);
    const [listing] = server.handlers.listTools();
    expect(Object.keys(listing?.inputSchema["properties"] as object)).toEqual(["code", "files", "strict", "frame"]);
  });
});

const BAD_SOURCES: readonly (readonly [string, object, string, string])[] = [
  ["nothing", {}, "invalid_request", "/code"],
  ["a number", { code: 7 }, "invalid_request", "/code"],
  ["a list", { code: ["L1:"] }, "invalid_request", "/code"],
  ["an unknown member", { code: HELLO, stict: true }, "invalid_request", "/stict"],
  ["a member of prototypes", JSON.parse('{"code":"L1:","__proto__":{}}'), "invalid_request", "/__proto__"],
  ["a path of a server without a folder", { path: "a.wf" }, "invalid_request", "/path"],
  ["a path as code", { code: "flows/hello.wf" }, "invalid_request", "/code"],
  ["wrong strict", { code: HELLO, strict: "yes" }, "invalid_request", "/strict"],
];

describe("arguments", () => {
  it.each(BAD_SOURCES)("%s is refused with its place", async (_name, args, error, path) => {
    for (const tool of ["wf_validate", "wf_compile", "wf_run"]) {
      const { payload, isError } = await server.call(tool, args);
      expect([isError, payload.ok, payload.error]).toEqual([true, false, error]);
      expect(payload.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    }
  });

  it("that are misspelt are reported with the nearest name, and no value is echoed", async () => {
    const { payload } = await server.call("wf_validate", { code: HELLO, stict: "s3cret" });
    expect(payload.issues[0].message).toBe("unknown member 'stict'; did you mean strict?");
    expect(JSON.stringify(payload)).not.toContain("s3cret");
  });

  it("that are missing are reported by name", async () => {
    const { payload } = await server.call("wf_import_markdown", { markdown: "# A", target: 5 });
    expect(payload.issues).toContainEqual({
      path: "/type",
      code: "value",
      message: "type is missing: expected one of workflow, agent",
    });
    for (const given of [{}, { code: null }])
      expect((await server.call("wf_validate", given)).payload.message).toBe("code is missing: expected text");
    expect((await server.call("wf_validate", { code: 5 })).payload.message).toBe("/code: expected text");
    expect((await server.call("wf_run", { code: 5, label: 1, limit: {} })).payload.message).toBe(
      "/code: expected text; 2 more problems in issues",
    );
  });

  it.each([
    ["blank", "  \n\t\n", "empty_source"],
    ["byte order mark only", "\uFEFF", "empty_source"],
    ["large", `# ${"x".repeat(1024 * 1024)}`, "source_too_large"],
  ])("a %s program is refused by kind", async (_name, code, error_kind) => {
    for (const tool of ["wf_validate", "wf_compile", "wf_security_report", "wf_run"]) {
      const { payload, isError } = await server.call(tool, { code });
      expect([isError, payload.error, payload.error_kind]).toEqual([true, "input_error", error_kind]);
    }
  });

  it("an empty program is answered with one that runs", async () => {
    const { payload } = await server.call("wf_validate", { code: "" });
    expect((await server.call("wf_run", { code: payload.example })).payload.out).toBe(5);
  });

  it("includes are refused", async () => {
    const { payload } = await server.call("wf_validate", { code: 'include "other.wf" as o\nL1:\n  J 1\n' });
    expect(payload).toMatchObject({ ok: false });
    expect(payload.diagnostics.map((one: { code: string }) => one.code)).toContain("WF3017");
  });
});

describe("wf_compile", () => {
  it("gives the IR that the compiler gives, the same at every call", async () => {
    verifies("mcp.tool.wf_compile");
    const first = await server.call("wf_compile", { code: HELLO });
    const { ir } = compile(HELLO, { catalog: builtinCatalog });
    expect(first.isError).toBe(false);
    expect(first.payload.ir).toEqual(JSON.parse(JSON.stringify(ir)));
    expect(first.payload).toMatchObject({ ok: true, checksum: ir?.checksum, required_adapters: [], frame_hints: [] });
    expect(await server.call("wf_compile", { code: HELLO })).toEqual(first);
    expect(first.payload.source).toBeUndefined();
    expect((await server.call("wf_compile", { code: HELLO, include_source: true })).payload.source).toBe(HELLO);
  });

  it("fails with the findings of wf_validate", async () => {
    const { payload, isError } = await server.call("wf_compile", { code: GHOST });
    expect(isError).toBe(true);
    expect(payload).toEqual((await server.call("wf_validate", { code: GHOST })).payload);
  });

  it("leaves out an IR that is too large to send, and keeps its checksum", async () => {
    const small = await openServer({ variables: { WF_MCP_MAX_RESULT_BYTES: "1024" } });
    const steps = Array.from({ length: 2000 }, (_, at) => `  Set a${at} ${at}`).join("\n");
    const { payload, isError } = await small.call("wf_compile", { code: `L1:\n${steps}\n  J a1\n` });
    expect(isError).toBe(false);
    expect(payload).toMatchObject({ ok: true, truncated: true, omitted: ["ir"], checksum: expect.any(String) });
    expect(payload.ir).toBeUndefined();
  });
});

describe("wf_capabilities", () => {
  it("lists every adapter with verbs, tiers and what this server allows", async () => {
    verifies("mcp.tool.wf_capabilities");
    const { payload } = await server.call("wf_capabilities");
    expect(payload).toMatchObject({
      ok: true,
      schema_version: "1.0",
      runtime_version: "1.0.0",
      policy_support: true,
      posture: true,
      profile: null,
      limits: { max_steps: 500_000, max_depth: 500, max_adapter_calls: 50_000, max_time_ms: 900_000 },
    });
    expect(Object.keys(payload.adapters)).toEqual([...builtinCatalog.names()]);
    expect(payload.adapters.core).toMatchObject({ privilege_tier: "pure", allowed: true });
    expect(payload.adapters.http).toMatchObject({ privilege_tier: "network", allowed: false, destructive: true });
    expect(payload.adapters.http.verbs).toContain("Get");
    expect(payload.adapters.http.settings).toBeUndefined();
  });

  it("describes one adapter in full", async () => {
    const { payload } = await server.call("wf_capabilities", { adapter: " SQLite " });
    expect(Object.keys(payload.adapters)).toEqual(["sqlite"]);
    expect(payload.adapters.sqlite.settings.allow_write).toEqual({ type: "boolean", kind: "and" });
    expect(payload.adapters.sqlite.verb_effects.query).toBe("io-read");
    expect(payload.usage).toContain("sqlite.query(sql, params=None, *, max_rows=None, timeout_s=None) -> list of rows");
    expect(payload.usage).toContain("forms: statements: [[sql, params], …]");
    expect(payload.usage).toContain('example: rows = sqlite.query("SELECT :n + 1 AS next", {"n": 6})');
  });

  it("describes the language itself under core", async () => {
    const { payload } = await server.call("wf_capabilities", { adapter: "core" });
    expect(payload.usage).toContain('{"topic":"language"}');
  });

  it.each(["htp", "__proto__", "constructor"])("refuses the unknown adapter %s", async (adapter) => {
    const { payload, isError } = await server.call("wf_capabilities", { adapter });
    expect([isError, payload.error]).toEqual([true, "unknown_adapter"]);
    if (adapter === "htp") expect(payload.close_names).toEqual(["http"]);
  });

  it("is no longer in posture under a profile", async () => {
    const other = await openServer({ variables: { WF_MCP_PROFILE: "sandbox_compute_and_store" } });
    expect((await other.call("wf_capabilities")).payload).toMatchObject({
      posture: false,
      profile: "sandbox_compute_and_store",
      adapters: { sqlite: { allowed: true }, http: { allowed: false } },
    });
  });
});

describe("wf_security_report", () => {
  it("maps privileges label by label", async () => {
    verifies("mcp.tool.wf_security_report");
    const { payload, isError } = await server.call("wf_security_report", { code: WEATHER });
    expect(isError).toBe(false);
    expect(payload.report).toMatchObject({
      schema_version: "1.0",
      labels: { 1: { adapters: { http: { verbs: ["Get"], privilege_tiers: ["network"] } }, max_privilege: "network" } },
      summary: { egress: { hosts: ["api.example.com"], dynamic: false } },
      least_privilege_grant: { allowed_adapters: ["http"] },
      profiles: { local_minimal: { admitted: false }, operator_full: { admitted: true } },
    });
  });

  it("looks at faulty programs too, and fails for what cannot be read", async () => {
    expect((await server.call("wf_security_report", { code: GHOST })).payload.ok).toBe(true);
    const broken = await server.call("wf_security_report", { code: 'L1:\n  J "open\n' });
    expect(broken.isError).toBe(true);
    expect(broken.payload.errors).not.toEqual([]);
  });
});

describe("with a folder of programs", () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-mcp-root-"));
  const outside = mkdtempSync(join(tmpdir(), "weft-mcp-outside-"));
  let rooted: OpenedServer;
  beforeAll(async () => {
    mkdirSync(join(folder, "flows", "deep"), { recursive: true });
    mkdirSync(join(folder, ".git"));
    for (const path of ["hello.wf", "flows/b.wf", "flows/deep/c.wf", ".hidden.wf", ".git/x.wf", "notes.txt"])
      writeFileSync(join(folder, path), HELLO);
    writeFileSync(join(folder, "flows", "brief.md"), "# Brief\n1. Read\n2. Write\n");
    writeFileSync(join(folder, "latin.wf"), Buffer.from([0x4c, 0x31, 0x3a, 0x0a, 0xe4]));
    writeFileSync(join(folder, "large.wf"), `#${"x".repeat(1024 * 1024)}`);
    writeFileSync(join(outside, "secret.wf"), HELLO);
    symlinkSync(join(outside, "secret.wf"), join(folder, "link.wf"));
    symlinkSync(join(folder, "flows", "b.wf"), join(folder, "inside.wf"));
    rooted = await openServer({ variables: { WF_MCP_WORKFLOW_ROOT: folder } });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    rmSync(outside, { recursive: true });
  });

  it.each(["hello.wf", "./flows/b.wf", "flows//deep/c.wf", "inside.wf"])("reads %s", async (path) => {
    for (const tool of ["wf_validate", "wf_compile", "wf_security_report", "wf_run"])
      expect((await rooted.call(tool, { path })).payload.ok).toBe(true);
  });

  it.each([
    ["/etc/hostname.wf", "path_outside_root"],
    ["../x.wf", "path_outside_root"],
    ["flows/../../x.wf", "path_outside_root"],
    ["link.wf", "path_outside_root"],
    [".hidden.wf", "path_not_found"],
    [".git/x.wf", "path_not_found"],
    ["nope.wf", "path_not_found"],
    ["nope/nope.wf", "path_not_found"],
    ["hello.wf/x.wf", "path_not_found"],
    ["", "path_not_found"],
    ["a\0.wf", "path_not_found"],
    ["notes.txt", "path_not_a_file"],
    ["flows", "path_not_a_file"],
    ["latin.wf", "unicode_decode_error"],
    ["large.wf", "source_too_large"],
  ])("refuses %j as %s", async (path, error_kind) => {
    const { payload, isError } = await rooted.call("wf_validate", { path });
    expect([isError, payload.error, payload.error_kind]).toEqual([true, "input_error", error_kind]);
    expect(JSON.stringify(payload)).not.toContain(folder);
  });

  it("lists the files next to a missing file", async () => {
    expect((await rooted.call("wf_run", { path: "nope.wf" })).payload.siblings).toEqual([
      "hello.wf",
      "inside.wf",
      "large.wf",
      "latin.wf",
      "link.wf",
    ]);
  });

  it("advertises path, and takes exactly one of both", async () => {
    const [listing] = rooted.handlers.listTools();
    expect(Object.keys(listing?.inputSchema["properties"] as object)).toEqual([
      "code",
      "path",
      "files",
      "strict",
      "frame",
    ]);
    expect(listing?.inputSchema["required"]).toBeUndefined();
    for (const args of [{}, { code: HELLO, path: "hello.wf" }])
      expect((await rooted.call("wf_validate", args)).payload.issues[0]).toMatchObject({ code: "exclusive" });
    expect((await rooted.call("wf_validate", { code: "hello.wf" })).payload.message).toContain("give it as path");
  });

  it("lists presets and local templates, without a look at the network", async () => {
    verifies("mcp.tool.wf_list_ecosystem");
    const { payload } = await rooted.call("wf_list_ecosystem");
    expect(payload.workflow_presets).toHaveLength(10);
    expect(payload.agent_presets).toHaveLength(10);
    expect(payload.workflow_presets[0]).toEqual({
      slug: "morning-brief",
      title: "Morning brief",
      origin: "bundled",
    });
    expect(payload.agent_presets.at(-1)).toMatchObject({ origin: "public", url: expect.stringMatching(/^https:/) });
    expect(payload.local_templates).toEqual([
      { name: "b", type: "program", path: "flows/b.wf" },
      { name: "brief", type: "document", path: "flows/brief.md" },
      { name: "c", type: "program", path: "flows/deep/c.wf" },
      { name: "hello", type: "program", path: "hello.wf" },
      { name: "large", type: "program", path: "large.wf" },
      { name: "latin", type: "program", path: "latin.wf" },
    ]);
    expect((await server.call("wf_list_ecosystem")).payload.local_templates).toEqual([]);
  });

  it("imports documents of the folder", async () => {
    const { payload } = await rooted.call("wf_import_workflow_preset", { url_or_name: "flows/brief.md" });
    expect(payload).toMatchObject({ ok: true, valid: true, provenance: "path:flows/brief.md", meta: { steps: 2 } });
    const escaped = await rooted.call("wf_import_workflow_preset", { url_or_name: "../secret.md" });
    expect([escaped.isError, escaped.payload.error]).toEqual([true, "path_outside_root"]);
  });

  it.each(["/nonexistent-weft-root", "relative", "/"])("stops the start for the folder %s", async (root) => {
    await expect(openServer({ variables: { WF_MCP_WORKFLOW_ROOT: root } })).rejects.toThrow("WF_MCP_WORKFLOW_ROOT");
  });
});
