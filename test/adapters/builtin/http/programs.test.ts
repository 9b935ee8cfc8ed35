/** Programs that use http on a whole runtime: the operator's settings, Retry, and secrets that stay where they belong. */
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Variables } from "../../../../adapters/operator/host-config.ts";
import { openRuntime } from "../../../../adapters/runtime.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import type { CallerRequest } from "../../../../vm/admission/caller-request.ts";
import type { RunAnswer } from "../../../../vm/host.ts";
import { configOf, folder } from "../../../gateway/folder.ts";
import { program } from "../../../gateway/requests.ts";
import { realClock } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { type WebServer, webServer } from "./servers.ts";

type Ran = { readonly answer: RunAnswer; readonly events: readonly unknown[]; readonly logged: readonly unknown[] };

async function run(
  source: string,
  operator: JsonObject,
  variables: Variables = {},
  asked: JsonObject = {},
): Promise<Ran> {
  const events: unknown[] = [];
  const logged: unknown[] = [];
  const runtime = openRuntime({
    config: configOf({ WF_ADAPTERS_CONFIG: folder().file("adapters.json", operator), ...variables }),
    clock: realClock,
    uuid: () => crypto.randomUUID(),
    log: (event, fields) => logged.push({ event, fields }),
  });
  onTestFinished(() => runtime.close());
  const request: CallerRequest = { adapters: { enable: ["http"], http: asked } };
  const admission = runtime.gateway.admit(request);
  const { ir, diagnostics } = runtime.gateway.host.compile(source, { strict: true });
  if (!admission.ok || ir === null) throw new Error(JSON.stringify([admission, diagnostics]));
  const prepared = await runtime.gateway.prepare(ir, admission);
  if (!prepared.ok) throw new Error(JSON.stringify(prepared));
  const observer = (event: unknown): void => void events.push(event);
  return { answer: await runtime.gateway.run(prepared, { record: true, observer }), events, logged };
}

async function web(respond: Parameters<typeof webServer>[0]): Promise<WebServer> {
  const server = await webServer(respond);
  onTestFinished(() => server.close());
  return server;
}

const adapterCode = (code: string) => ({ ok: false, error: { data: { adapter_code: code } } });

describe("a program", () => {
  it("reaches what the operator named, and less where the caller says so", async () => {
    verifies("settings.http.allow_hosts", "adapter.http.public-only");
    const server = await web((_request, response) => response.end("here"));
    const get = program(`R http.Get "${server.base}/" ->r`, "J r.body");
    expect((await run(get, {})).answer).toMatchObject(adapterCode("ADAPTER_ADDRESS_BLOCKED"));
    expect((await run(get, { http: { allow_hosts: ["127.0.0.1"] } })).answer).toMatchObject({ ok: true, out: "here" });
    const less = await run(get, { http: { allow_hosts: ["127.0.0.1"] } }, {}, { allow_hosts: ["127.0.0.1:1"] });
    expect(less.answer).toMatchObject(adapterCode("ADAPTER_HOST_BLOCKED"));
    expect((await run(get, {}, { WF_HTTP_ALLOW_PRIVATE: "1" })).answer).toMatchObject({ ok: true, out: "here" });
    const taken = await run(get, {}, { WF_HTTP_ALLOW_PRIVATE: "1" }, { allow_private: false });
    expect(taken.answer).toMatchObject(adapterCode("ADAPTER_ADDRESS_BLOCKED"));
  });

  it.each([
    ["names the address", { allow_hosts: ["127.0.0.1"] }],
    ["names a block with it", { allow_hosts: ["127.0.0.0/8"] }],
    ["asks for private addresses", { allow_private: true }],
    ["names it and asks", { allow_hosts: ["127.0.0.1"], allow_private: true }],
  ])("reaches nothing inside when only the caller %s", async (_title, asked) => {
    const server = await web((_request, response) => response.end("here"));
    const get = program(`R http.Get "${server.base}/" ->r`, "J r.body");
    const profiles = [{}, { http: { allow_private: false } }, { http: { allow_hosts: ["example.com", "127.0.0.2"] } }];
    for (const operator of profiles) {
      const { answer } = await run(get, operator, {}, asked);
      const listed = "allow_hosts" in (operator.http ?? {});
      const code = listed ? "ADAPTER_HOST_BLOCKED" : "ADAPTER_ADDRESS_BLOCKED";
      expect(answer).toMatchObject(adapterCode(code));
    }
    expect(server.connections).toBe(0);
  });

  it("keeps a caller's name of an address below the operator's allow_private", async () => {
    const server = await web((_request, response) => response.end("here"));
    const get = program(`R http.Get "${server.base}/" ->r`, "J r.body");
    const named = { allow_hosts: ["127.0.0.1"] };
    const lifted = await run(get, { http: { allow_private: true } }, {}, named);
    expect(lifted.answer).toMatchObject({ ok: true, out: "here" });
    const taken = await run(get, { http: { allow_private: false } }, { WF_HTTP_ALLOW_PRIVATE: "1" }, named);
    expect(taken.answer).toMatchObject(adapterCode("ADAPTER_ADDRESS_BLOCKED"));
  });

  it("reaches reserved addresses only by the word of the operator", async () => {
    const server = await web((_request, response) => response.end("here"));
    const get = program(`R http.Get "http://0.0.0.0:${server.port}/" ->r`, "J r.body");
    const named = { allow_hosts: ["0.0.0.0"] };
    expect((await run(get, {}, {}, named)).answer).toMatchObject(adapterCode("ADAPTER_ADDRESS_BLOCKED"));
    expect(server.connections).toBe(0);
    expect((await run(get, { http: named })).answer).toMatchObject({ ok: true, out: "here" });
  });

  it("is answered again by Retry alone", async () => {
    verifies("adapter.http.no-retries");
    const server: WebServer = await web((request, response) => {
      const answered = server.requests.length % 3 === 0;
      response.writeHead(answered ? 200 : 503, { "retry-after": request.url?.slice(1) ?? "" }).end("x");
    });
    const operator = { http: { allow_hosts: ["127.0.0.1"] } };
    const get = (seconds: number) => `R http.Get "${server.base}/${seconds}" ->r`;
    expect((await run(program(get(1), "J r.status"), operator)).answer).toMatchObject({
      ok: false,
      error: {
        data: { adapter_code: "ADAPTER_HTTP_STATUS", retryable: true, retry_after_ms: 1_000, details: { status: 503 } },
      },
    });
    expect(server.requests).toHaveLength(1);
    expect((await run(program(get(0), "Retry 3 1", "J r.status"), operator)).answer).toMatchObject({
      ok: true,
      out: 200,
    });
    expect(server.requests).toHaveLength(3);
  });

  it.each([200, 500])("never sees a secret it may use, nor do events and records (%i)", async (status) => {
    const server = await web((_request, response) => response.writeHead(status).end());
    const operator = { http: { allow_hosts: ["127.0.0.1"], allow_secrets: ["KEY"] } };
    const source = program(`R http.Get "${server.base}/" {"auth": {"secret": "KEY"}} ->r`, "J r");
    const ran = await run(source, operator, { WF_SECRET_KEY: "canary-4f1" });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer canary-4f1");
    expect(ran.answer.ok).toBe(status === 200);
    expect([ran.answer.record?.calls.length, ran.events.length]).toEqual([1, 1]);
    expect(JSON.stringify(ran)).not.toContain("canary");
  });

  it.each([
    ["0.3", 300, { ok: true, out: 200 }, 2],
    ["99999999999999999999", 0, { ok: false, error: { code: "RUNTIME_MAX_TIME" } }, 1],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 0, { ok: false, error: { code: "RUNTIME_MAX_TIME" } }, 1],
  ])("waits as long as Retry-After %s asks, or ends at once", async (asked, least, expected, requests) => {
    const server = await web((_request, response) => {
      const first = server.requests.length === 1;
      response.writeHead(first ? 429 : 200, { "retry-after": asked }).end();
    });
    const get = program(`R http.Get "${server.base}/" ->r`, "Retry 2 10", "J r.status");
    const began = performance.now();
    expect((await run(get, { http: { allow_hosts: ["127.0.0.1"] } })).answer).toMatchObject(expected);
    expect(performance.now() - began).toBeGreaterThanOrEqual(least);
    expect(server.requests).toHaveLength(requests);
  });

  it("cannot name the operator's settings", async () => {
    const get = program('R http.Get "https://example.com/" ->r', "J r");
    for (const asked of [
      { allow_secrets: ["KEY"] },
      { proxy_url: "http://127.0.0.1:1" },
      { ca_file: "/x" },
      { user_agent: "x" },
    ])
      await expect(run(get, {}, {}, asked)).rejects.toThrow("not_yours");
  });
});

describe("the programs of docs/adapters/http.md", () => {
  const text = readFileSync(new URL("../../../../docs/adapters/http.md", import.meta.url), "utf8");
  const programs = [...text.matchAll(/^```python\n(.*?)^```$/gms)].map((match) => match[1] ?? "");

  it.each([
    [programs[0], "/orders/7", { status: "sent" }, "sent"],
    [programs[1], "/orders", { id: 7 }, { id: 7 }],
    [programs[2], "/orders/8", null, "no such order"],
  ])("%s", async (source = "", path, sent, out) => {
    const server = await web((request, response) => {
      const known = request.url === path && sent !== null;
      response.writeHead(known ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(sent));
    });
    const here = source.replaceAll("https://api.example.com", server.base);
    expect((await run(here, { http: { allow_hosts: ["127.0.0.1"] } })).answer).toMatchObject({ ok: true, out });
  });
});
