/** What the host does for plugins in processes of their own: requests and files, within bounds that they have no say in. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServices } from "../../../adapters/services.ts";
import { NO_PLACES, openBench } from "../../support/adapter-bench.ts";
import { folderWith, pluginModule } from "./plugin-files.ts";
import { load, odd } from "./process-plugins.ts";

describe("services of the host", () => {
  async function world() {
    const server = createServer((request, response) => {
      if (request.url === "/away") response.writeHead(302, { location: "http://blocked.example/" }).end();
      else response.end(`${request.method} ${request.headers["x-a"] ?? ""}`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const ASKS = `{ call: async (m) => answer(m, await host(m.id, m.args[0].service, m.args[0].request)) }`;

  it.each([
    ["the address of the operator", "base", {}, { status: 200, body: "GET b" }],
    ["a host that its settings do not name", "other", {}, { code: "ADAPTER_HOST_BLOCKED" }],
    ["a redirect to another host", "base/away", {}, { code: "ADAPTER_HOST_BLOCKED" }],
    ["less than it may", "base", { allow_hosts: [] }, { code: "ADAPTER_HOST_BLOCKED" }],
    ["with an invalid request", "base", { method: 7 }, { code: "ADAPTER_BAD_ARGS" }],
  ])("http reaches %s", async (_title, at, more, expected) => {
    const base = await world();
    const { services, close } = createServices({ places: NO_PLACES, environment: {} });
    onTestFinished(close);
    const { plugin } = await odd(ASKS);
    const bench = await openBench(plugin.definition, { settings: { base_url: base, allow_hosts: [] }, services });
    const url = at === "other" ? "http://blocked.example/" : at.replace("base", base);
    const request = { method: "GET", url, headers: { "x-a": "b" }, ...more };
    expect(await bench.call("go", { service: "http", request })).toMatchObject(expected);
    await bench.end();
  });

  it("are for calls that are under way only", async () => {
    const { services, close } = createServices({ places: NO_PLACES, environment: {} });
    onTestFinished(close);
    const { plugin } = await odd(
      `{ call: async (m) => answer(m, await host(12345, "http", { method: "GET", url: "http://a.example/" })) }`,
    );
    const bench = await openBench(plugin.definition, { services });
    expect(await bench.call("go")).toMatchObject({ code: "ADAPTER_CANCELLED" });
    await bench.end();
  });

  it("are those that the definition needs", async () => {
    const { plugin } = await odd(ASKS);
    const bench = await openBench(plugin.definition);
    const asked = await bench.call("go", { service: "sqlite", request: {} });
    expect(asked).toMatchObject({ code: "ADAPTER_NOT_ALLOWED" });
    await bench.end();
  });

  it("are given to a bounded number of requests", async () => {
    const asked: string[] = [];
    const server = createServer((request) => asked.push(request.url ?? ""));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const { services, close } = createServices({ places: NO_PLACES, environment: {} });
    onTestFinished(close);
    const { plugin } = await odd(`{
      call: (m) => {
        const request = { method: "GET", url: m.args[0] };
        globalThis.refused = [];
        globalThis.done = () => answer(m, [...new Set(refused)]);
        for (let id = 1; id <= 1100; id++) send({ type: "host", id, call: m.id, service: "http", request });
      },
      host: ({ error }) => { if (refused.push(error?.code) === 84) done(); },
    }`);
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bench = await openBench(plugin.definition, { settings: { base_url: base, allow_hosts: [] }, services });
    expect(await bench.call("go", base)).toEqual(["ADAPTER_BUSY"]);
    await bench.end();
    expect(asked.length).toBeLessThanOrEqual(16);
    expect(warnings).toEqual([]);
    server.closeAllConnections();
  });

  it("files are those of a folder of its own", async () => {
    const stateDir = folderWith({ "jobs.db": "not yours" });
    const { services, close } = createServices({ places: { ...NO_PLACES, stateDir }, environment: {} });
    onTestFinished(close);
    const { plugin } = await odd(ASKS);
    const bench = await openBench(plugin.definition, { services });
    const ask = (request: object) => bench.call("go", { service: "files", request: { ...request } as never });
    expect(await ask({ op: "write", path: "a/b.txt", content: "hello" })).toEqual({ bytes: 5 });
    expect(await ask({ op: "read", path: "a/b.txt" })).toEqual({ content: "hello" });
    expect(await ask({ op: "write", path: "raw", content: { $base64: "/w==" } })).toEqual({ bytes: 1 });
    expect(await ask({ op: "read", path: "raw" })).toEqual({ content: { $base64: "/w==" } });
    expect(await ask({ op: "list", path: "a" })).toEqual({ entries: [{ name: "b.txt", folder: false }] });
    expect(await ask({ op: "remove", path: "a/b.txt" })).toEqual({ removed: true });
    expect(await ask({ op: "read", path: "a/b.txt" })).toMatchObject({ code: "ADAPTER_NOT_FOUND" });
    expect(await ask({ op: "read", path: "../../jobs.db" })).toMatchObject({ code: "ADAPTER_PATH_ESCAPE" });
    expect(await ask({ op: "chmod", path: "raw" })).toMatchObject({ code: "ADAPTER_BAD_ARGS" });
    expect(readFileSync(join(stateDir, "plugins/odd/raw"))).toEqual(Buffer.from([0xff]));
    await bench.end();
  });

  it("serve a JavaScript module through its usual host", async () => {
    const base = await world();
    const { services, close } = createServices({ places: NO_PLACES, environment: {} });
    onTestFinished(close);
    const text = `export default weather({
      async open({ host, settings }) {
        return host.http.scope({ allowHosts: [new URL(settings.base_url).host] });
      },
    }, {
      examples: [],
      result: z.any(),
      async run({ args: [city], instance, settings, ctx }) {
        const url = city === "away" ? "http://blocked.example/" : settings.base_url;
        const { status, body } = await instance.request({ method: "GET", url, headers: { "x-a": city }, signal: ctx.signal });
        return { status, text: body.toString() };
      },
    });`;
    const folder = folderWith({ "w.mjs": pluginModule(text) });
    const { plugin } = await load({ module: "./w.mjs", isolation: "process" }, folder);
    const bench = await openBench(plugin.definition, { settings: { base_url: base }, services });
    expect(await bench.call("current", "Oslo")).toEqual({ status: 200, text: "GET Oslo" });
    await expect(bench.call("current", "away")).rejects.toMatchObject({ code: "ADAPTER_HOST_BLOCKED" });
    await bench.end();
  });
});
