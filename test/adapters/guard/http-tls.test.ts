/** TLS and proxies of the host's HTTP client: certificates are checked against the name, whatever the environment says. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestError } from "../../../adapters/guard/http/errors.ts";
import { AUTHORITY, EXPIRED_CERTIFICATE, OTHER_AUTHORITY } from "../builtin/http/certificates.ts";
import { oldTlsServer } from "../builtin/http/servers.ts";
import { failure, httpWorld, textOf } from "./http-world.ts";

const { ask, opened, raw, web } = httpWorld();

describe("TLS", () => {
  let folder: string;
  let caFile: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "weft-tls-"));
    caFile = join(folder, "ca.pem");
    await writeFile(caFile, AUTHORITY);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const resolve = async (): Promise<readonly string[]> => ["127.0.0.1"];
  const names = { allowHosts: ["server.test", "other.test", "127.0.0.1"] };

  it("is spoken with the name, whose certificate is checked", async () => {
    const server = await web((_request, response) => response.end("secret"), "https");
    const url = `https://server.test:${server.port}/`;
    expect(textOf(await ask(url, { scope: { ...names, caFile }, service: { resolve } }))).toBe("secret");
    expect(textOf(await ask(server.base, { scope: { ...names, caFile } }))).toBe("secret");
  });

  it.each([
    ["an untrusted authority", "server.test", false],
    ["another name", "other.test", true],
  ])("fails with %s", async (_name, host, trusted) => {
    const server = await web((_request, response) => response.end("secret"), "https");
    const scope = { ...names, ...(trusted ? { caFile } : {}) };
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const error = await failure(ask(`https://${host}:${server.port}/`, { scope, service: { resolve } }));
      expect([error.code, error.data]).toEqual(["ADAPTER_TRANSPORT", { reason: "tls" }]);
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    }
    expect(server.requests).toEqual([]);
  });

  it("fails with a certificate whose time is over", async () => {
    const server = await web((_request, response) => response.end("secret"), "https", EXPIRED_CERTIFICATE);
    const other = join(folder, "other.pem");
    await writeFile(other, OTHER_AUTHORITY);
    const error = await failure(ask(server.base, { scope: { ...names, caFile: other } }));
    expect([error.code, error.data]).toEqual(["ADAPTER_TRANSPORT", { reason: "tls" }]);
    expect(server.requests).toEqual([]);
  });

  it("trusts what the file of its scope says, whatever another's said", async () => {
    const server = await web((_request, response) => response.end("secret"), "https");
    const other = join(folder, "another.pem");
    await writeFile(other, OTHER_AUTHORITY);
    const reached: boolean[] = [];
    for (const file of [other, caFile, other])
      reached.push(
        await ask(server.base, { scope: { ...names, caFile: file } }).then(
          () => true,
          () => false,
        ),
      );
    expect(reached).toEqual([false, true, false]);
  });

  it("fails below version 1.2, and with a server without TLS", async () => {
    const old = opened(await oldTlsServer("TLSv1.1"));
    const plain = await raw((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
    for (const { port } of [old, plain]) {
      const error = await failure(ask(`https://127.0.0.1:${port}/`, { scope: { ...names, caFile } }));
      expect([error.code, error.data]).toEqual(["ADAPTER_TRANSPORT", { reason: "tls" }]);
    }
  });

  it.each([
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERROR_IN_CERT_NOT_AFTER_FIELD",
    "INVALID_CA",
    "INVALID_PURPOSE",
    "PATH_LENGTH_EXCEEDED",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ])("is what fails with %s", (code) => {
    const refused = Object.assign(new Error("of OpenSSL"), { code });
    expect(requestError(refused, new AbortController().signal)).toMatchObject({ data: { reason: "tls" } });
  });

  it("is not left by a redirect", async () => {
    const plain = await web((_request, response) => response.end());
    const server = await web((_request, response) => response.writeHead(302, { location: plain.base }).end(), "https");
    expect((await failure(ask(server.base, { scope: { ...names, caFile } }))).code).toBe("ADAPTER_BAD_URL");
    expect(plain.connections).toBe(0);
  });

  it("needs a file that can be read", async () => {
    const error = await failure(ask("https://127.0.0.1/", { scope: { ...names, caFile: join(folder, "canary") } }));
    expect([error.code, error.message.includes("canary")]).toEqual(["ADAPTER_BAD_SETTINGS", false]);
  });

  it("goes through the proxy of the operator as a tunnel, plain requests as a whole", async () => {
    const server = await web((_request, response) => response.end("secret"), "https");
    const seen: string[] = [];
    const proxy = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.end("plain");
    });
    proxy.on("connect", (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      const tunnel = connect(server.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        tunnel.pipe(socket).pipe(tunnel);
      });
      tunnel.on("error", () => socket.destroy());
      socket.on("error", () => tunnel.destroy());
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    opened({ close: async () => proxy.close() && proxy.closeAllConnections() });
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const unasked = () => Promise.reject(new Error("the proxy resolves"));
    const through = { scope: { ...names, allowHosts: undefined, caFile, proxyUrl }, service: { resolve: unasked } };
    const named = { ...through, scope: { ...through.scope, allowHosts: ["server.test"] } };
    expect(textOf(await ask(`https://server.test:${server.port}/`, named))).toBe("secret");
    expect(textOf(await ask("http://some.example.com/a?b", through))).toBe("plain");
    expect((await failure(ask("http://localhost/", through))).code).toBe("ADAPTER_ADDRESS_BLOCKED");
    expect((await failure(ask("http://10.0.0.1/", through))).code).toBe("ADAPTER_ADDRESS_BLOCKED");
    const wrong = { ...through, scope: { ...through.scope, allowHosts: ["other.test"] } };
    expect((await failure(ask(`https://other.test:${server.port}/`, wrong))).data).toEqual({ reason: "tls" });
    expect(seen.splice(2)).toEqual([`CONNECT other.test:${server.port}`]);
    expect(seen).toEqual([`CONNECT server.test:${server.port}`, "GET http://some.example.com/a?b"]);
  });

  it("is not asked for again and again from a proxy that hangs up", async () => {
    const proxy = await raw((socket) => socket.once("data", () => socket.end()));
    const through = { scope: { allowHosts: undefined, proxyUrl: `http://127.0.0.1:${proxy.port}` } };
    const error = await failure(ask("https://some.example.com/", through));
    expect([error.code, error.data]).toEqual(["ADAPTER_TRANSPORT", { reason: "closed" }]);
    expect(proxy.connections).toBe(1);
  });
});
