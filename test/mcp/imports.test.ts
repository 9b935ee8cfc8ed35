/** The import tools, offline: presets, inline text, and addresses on a server of our own that stands in for the internet. */
import { readdirSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDocumentFetcher } from "../../mcp/documents/fetch.ts";
import { listPresets } from "../../mcp/presets/presets.ts";
import type { Progress } from "../../mcp/tool/sdk.ts";
import { verifies } from "../support/requirements.ts";
import { type OpenedServer, openServer } from "./opened.ts";
import { rerouted } from "./rerouted.ts";

const DOCUMENT = "---\nname: water-plants\nschedule: 7am, 6pm\n---\n# Water\n## 1. Check soil\n## 2. Water\n";
const NAMES: Readonly<Record<string, readonly string[]>> = { "inside.example.com": ["10.0.0.7"] };

let web: Server;
let respond: RequestListener;
let asked: string[];
let server: OpenedServer;

beforeAll(async () => {
  web = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    respond(request, response);
  });
  await new Promise<void>((ready) => web.listen(0, "127.0.0.1", ready));
  const { port } = web.address() as AddressInfo;
  const resolve = async (host: string) => NAMES[host] ?? ["93.184.216.34"];
  const fetchDocument = createDocumentFetcher({ userAgent: "weft/test", resolve, connector: rerouted(port) });
  server = await openServer({ services: { fetchDocument } });
});
afterAll(() => {
  web.closeAllConnections();
  web.close();
});
beforeEach(() => {
  asked = [];
  respond = (_request, response) => response.end(DOCUMENT);
});

const answering =
  (status: number, headers: Record<string, string>, body: string | Buffer = ""): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

describe("presets", () => {
  const bundled = (["workflow", "agent"] as const).flatMap((type) =>
    listPresets(type)
      .filter(({ origin }) => origin === "bundled")
      .map(({ slug }) => [slug, `wf_import_${type}_preset`] as const),
  );

  it.each(bundled)("%s becomes a program that is valid and runs in the posture", async (slug, tool) => {
    verifies(
      "mcp.tool.wf_import_workflow_preset",
      "mcp.tool.wf_import_agent_preset",
      "import.response",
      "import.runnable",
    );
    const { payload, isError } = await server.call(tool, { url_or_name: slug });
    expect(isError).toBe(false);
    expect(payload).toMatchObject({
      ok: true,
      valid: true,
      provenance: `preset:${slug}`,
      meta: { slug, target: "core" },
    });
    expect(payload.code).toBe(payload.source);
    expect((await server.call("wf_run", { code: payload.source })).payload.ok).toBe(true);
    expect(asked).toEqual([]);
  });

  it("of public collections are fetched when they are asked for", async () => {
    const { payload } = await server.call("wf_import_workflow_preset", { url_or_name: "check-calendar" });
    expect(payload).toMatchObject({
      ok: true,
      source_url: expect.stringMatching(/^https:\/\/raw\./),
      meta: { steps: 2 },
    });
    expect(asked).toHaveLength(1);
  });

  it("match exactly; a near miss lists near names", async () => {
    verifies("import.presets-exact");
    const { payload, isError } = await server.call("wf_import_workflow_preset", { url_or_name: "morning-brie" });
    expect(isError).toBe(true);
    expect(payload).toMatchObject({ error: "unknown_preset", close_slugs: ["morning-brief", "morning-journal"] });
    expect((await server.call("wf_import_agent_preset", { url_or_name: "morning-brief" })).payload.error).toBe(
      "unknown_preset",
    );
  });

  it.each(["url", "name", "slug"])("take %s for url_or_name, and personality for tone", async (name) => {
    const { payload } = await server.call("wf_import_agent_preset", { [name]: "code-reviewer", personality: "calm" });
    expect(payload.source).toContain('\\"tone\\":\\"calm\\"');
  });

  it.each(["core", "cache", "memory"])("write for the target %s", async (target) => {
    const { payload } = await server.call("wf_import_workflow_preset", { url_or_name: "feed-watch", target });
    expect(payload).toMatchObject({ valid: true, meta: { target } });
    expect(/cache\.set|memory\.put/.test(payload.source)).toBe(target !== "core");
  });
});

describe("any document", () => {
  it("comes inline, without any request", async () => {
    verifies("mcp.tool.wf_import_markdown", "import.fetch-https");
    const { payload } = await server.call("wf_import_markdown", { markdown: DOCUMENT, type: "workflow" });
    expect(payload).toMatchObject({
      ok: true,
      valid: true,
      provenance: "inline",
      meta: { type: "workflow", slug: "water-plants", cron: "0 7,18 * * *", steps: 2 },
    });
    expect(asked).toEqual([]);
  });

  it("comes from an https address, and tells its bytes", async () => {
    const { payload } = await server.call("wf_import_markdown", {
      url: "https://docs.example.com/w.md",
      type: "workflow",
    });
    expect(payload).toMatchObject({ ok: true, source_url: "https://docs.example.com/w.md" });
    expect(asked).toEqual(["docs.example.com/w.md"]);
    const seen: Progress[] = [];
    const slow = await openServer({
      services: { fetchDocument: server.services.fetchDocument },
      clock: { ...server.services.clock, now: () => performance.now() * 1000 },
    });
    respond = answering(200, {}, Buffer.from(`# T\n${"- a\n".repeat(50_000)}`));
    await slow.call(
      "wf_import_markdown",
      { url: "https://x.example.com/", type: "workflow" },
      { progress: (one) => seen.push(one) },
    );
    for (const [at, { progress }] of seen.entries()) expect(progress).toBeGreaterThan(seen[at - 1]?.progress ?? 0);
    expect(seen.length).toBeGreaterThan(0);
  });

  it.each([
    ["no headings and no steps", "just prose\n", { fallback_stub: true, steps: 1 }],
    ["nothing at all", "", { fallback_stub: true, steps: 1 }],
    ["an unreadable schedule", "---\nschedule: when the moon is full\n---\n1. Howl\n", { cron: null, steps: 1 }],
    ["hostile text", '# "; J x\n1. \\"->x\n2. `L9:`\u2028\n', { steps: 2 }],
  ])("with %s still becomes a valid program", async (_name, markdown, meta) => {
    const { payload } = await server.call("wf_import_markdown", { markdown, type: "workflow" });
    expect(payload).toMatchObject({ ok: true, valid: true, meta });
    expect((await server.call("wf_run", { code: payload.source })).payload.ok).toBe(true);
  });

  it("says in a warning that a schedule was not understood", async () => {
    const markdown = "---\nschedule: when the moon is full\n---\n1. Howl\n";
    const { payload } = await server.call("wf_import_markdown", { markdown, type: "workflow" });
    expect(JSON.stringify(payload.meta.warnings)).toContain("schedule_not_understood");
    expect(payload.source).not.toContain("S core cron");
  });

  it.each([
    ["both", { url: "https://example.com/", markdown: "x", type: "agent" }],
    ["neither", { type: "agent" }],
    ["no type", { markdown: "x" }],
    ["another type", { markdown: "x", type: "poem" }],
    ["a long tone", { markdown: "x", type: "agent", tone: "x".repeat(201) }],
    ["another target", { markdown: "x", type: "agent", target: "disk" }],
  ])("with %s is refused", async (_name, args) => {
    const { payload, isError } = await server.call("wf_import_markdown", args);
    expect([isError, payload.error]).toEqual([true, "invalid_request"]);
  });
});

const REFUSED: readonly (readonly [string, string, string])[] = [
  ["plain http", "http://example.com/a.md", "fetch_blocked"],
  ["a file", "file:///etc/passwd", "fetch_blocked"],
  ["data", "data:text/plain,hello", "fetch_blocked"],
  ["loopback", "https://127.0.0.1/a.md", "fetch_blocked"],
  ["loopback, version 6", "https://[::1]/a.md", "fetch_blocked"],
  ["a mapped address", "https://[::ffff:10.0.0.1]/", "fetch_blocked"],
  ["link-local", "https://169.254.169.254/latest/meta-data", "fetch_blocked"],
  ["a private name", "https://inside.example.com/", "fetch_blocked"],
  ["credentials", "https://user:secret@example.com/", "fetch_blocked"],
  ["another port", "https://example.com:8443/", "fetch_blocked"],
];

describe("the guard of imports", () => {
  it.each(REFUSED)("refuses %s", async (_name, url, error) => {
    verifies("import.guarded", "import.fetch-https");
    for (const [tool, args] of [
      ["wf_import_markdown", { url, type: "workflow" }],
      ["wf_import_workflow_preset", { url_or_name: url }],
      ["wf_import_agent_preset", { url_or_name: url }],
    ] as const) {
      const { payload, isError } = await server.call(tool, args);
      expect([isError, payload.error]).toEqual([true, error]);
      expect(JSON.stringify(payload)).not.toContain("secret");
    }
    expect(asked).toEqual([]);
  });

  it.each(["https://inside.example.com/", "https://127.0.0.1/", "http://example.com/", "file:///etc/passwd"])(
    "refuses a redirect to %s",
    async (location) => {
      respond = answering(302, { location });
      const { payload } = await server.call("wf_import_markdown", { url: "https://example.com/", type: "agent" });
      expect(payload.error).toBe("fetch_blocked");
      expect(asked).toEqual(["example.com/"]);
    },
  );

  it.each([
    ["404", answering(404, {}), "fetch_failed"],
    ["an image", answering(200, { "content-type": "image/png" }, "x"), "not_text"],
    ["binary data", answering(200, {}, Buffer.from([1, 0, 2])), "not_text"],
    ["another charset", answering(200, {}, Buffer.from([0x23, 0xe4, 0x0a])), "not_utf8"],
    ["more than a megabyte", answering(200, {}, Buffer.alloc(1024 * 1024 + 1, 0x61)), "too_large"],
  ] as const)("refuses %s", async (_name, answer, error) => {
    respond = answer;
    const { payload } = await server.call("wf_import_markdown", { url: "https://example.com/a.md", type: "agent" });
    expect(payload).toMatchObject({ ok: false, error, source_url: "https://example.com/a.md" });
    if (error === "fetch_failed") expect(payload.status).toBe(404);
  });

  it.each([
    ["a megabyte and more", "x".repeat(1024 * 1024 + 1), "too_large"],
    ["a NUL", "# a\0b", "not_text"],
  ])("refuses %s inline", async (_name, markdown, error) => {
    const { payload, isError } = await server.call("wf_import_markdown", { markdown, type: "workflow" });
    expect([isError, payload.error]).toEqual([true, error]);
  });

  it("fetches from listed hosts only, and from none when told so", async () => {
    const { fetchDocument } = server.services;
    const open = (WF_IMPORT_ALLOW_HOSTS: string) =>
      openServer({ variables: { WF_IMPORT_ALLOW_HOSTS }, services: { fetchDocument } });
    const one = await open("docs.example.com");
    expect((await one.call("wf_import_markdown", { url: "https://docs.example.com/", type: "agent" })).payload.ok).toBe(
      true,
    );
    expect((await one.call("wf_import_markdown", { url: "https://example.com/", type: "agent" })).payload.error).toBe(
      "fetch_blocked",
    );
    const none = await open("none");
    expect(
      (await none.call("wf_import_markdown", { url: "https://docs.example.com/", type: "agent" })).payload.error,
    ).toBe("fetch_blocked");
    expect((await none.call("wf_import_workflow_preset", { url_or_name: "disk-alert" })).payload.ok).toBe(true);
  });

  it("ends with the call", async () => {
    respond = () => undefined;
    const controller = new AbortController();
    const call = server.call(
      "wf_import_markdown",
      { url: "https://example.com/", type: "agent" },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(new Error("gone")), 20);
    await expect(call).rejects.toThrow("gone");
  });

  it("writes no file", async () => {
    verifies("import.no-files");
    const before = [readdirSync(process.cwd()), readdirSync(tmpdir())];
    await server.call("wf_import_markdown", { url: "https://example.com/a.md", type: "workflow" });
    await server.call("wf_import_agent_preset", { url_or_name: "data-analyst", target: "memory" });
    const added = [readdirSync(process.cwd()), readdirSync(tmpdir())].map((names, at) =>
      names.filter((name) => !(before[at] ?? []).includes(name) && /\.(wf|md)$/.test(name)),
    );
    expect(added).toEqual([[], []]);
  });
});
