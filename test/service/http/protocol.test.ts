/** What HTTP allows and clients rarely send: each has one meaning here, an answer in the service's shape, and an end. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Serving, serving } from "../serving.ts";

const HOST = "Host: localhost\r\n";
const BODY = JSON.stringify({ code: "L1:\n  J 1\n" });

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service.stop());

type Sender = { readonly socket: Socket; readonly all: Promise<string>; said(mark: string): Promise<void> };

/** A sender that does not close its side by itself. */
async function sender(text: string): Promise<Sender> {
  const socket = connect({ port: service.port, host: "127.0.0.1", allowHalfOpen: true });
  let seen = "";
  socket.on("data", (chunk) => {
    seen += String(chunk);
  });
  socket.on("error", () => undefined);
  const all = once(socket, "close").then(() => seen);
  await once(socket, "connect");
  socket.write(text);
  return {
    socket,
    all,
    said: async (mark) => {
      while (!seen.includes(mark)) await once(socket, "data");
    },
  };
}

/** What comes for one request on a connection of its own. */
async function answerTo(text: string): Promise<string> {
  const { socket, all } = await sender(text);
  socket.once("end", () => socket.end());
  return all;
}

function post(lines: string, target = "/run"): string {
  return `POST ${target} HTTP/1.1\r\n${lines}Connection: close\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
}

describe("a connection is released by the service, even if its sender keeps it open,", () => {
  it.each([
    ["of another protocol", "HELO mail.example.com\r\n\r\n", "400"],
    ["with too many headers", `GET /health HTTP/1.1\r\n${HOST}X-A: ${"a".repeat(20_000)}\r\n\r\n`, "431"],
    ["that wants a tunnel", `CONNECT localhost:22 HTTP/1.1\r\n${HOST}\r\n`, "405"],
    ["whose body is refused and never sent", `POST /run HTTP/1.1\r\n${HOST}Content-Length: 999999999\r\n\r\n`, "413"],
  ])("after a request %s", async (_what, text, status) => {
    const taken = once(service.app.server, "connection");
    const { socket, said } = await sender(text);
    const [there] = (await taken) as [Socket];
    await said(`HTTP/1.1 ${status} `);
    if (!there.destroyed) await once(there, "close");
    socket.destroy();
  });
});

describe("headers", () => {
  it.each([
    ["Content-Type", "Content-Type: application/json\r\nContent-Type: text/plain\r\n"],
    ["Idempotency-Key", "Idempotency-Key: a\r\nidempotency-key: b\r\n"],
    ["WF-On-Disconnect", "WF-On-Disconnect: continue\r\nWF-ON-DISCONNECT: continue\r\n"],
  ])("with a single value must not be repeated: %s", async (name, lines) => {
    const answer = await answerTo(post(HOST + lines));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`{"path":"","code":"duplicate","message":"send one ${name} header"}`);
  });

  it.each(["continues", "true", ""])(
    "say what happens to a run without its caller in words that are known: %j",
    async (word) => {
      const answer = await answerTo(post(`${HOST}WF-On-Disconnect: ${word}\r\n`));
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":"value","message":"WF-On-Disconnect must be continue or cancel"');
      for (const known of ["Continue", "cancel"])
        expect(await answerTo(post(`${HOST}WF-On-Disconnect: ${known}\r\n`))).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it("that form lists may be repeated", async () => {
    const lines = "Accept: text/plain\r\nAccept: */*\r\nPrefer: a\r\nPrefer: failure-status\r\n";
    expect(await answerTo(post(HOST + lines))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("are all read, even after many others", async () => {
    const many = "A: b\r\n".repeat(2200);
    expect(await answerTo(post(`${HOST}${many}Origin: https://elsewhere.example\r\n`))).toContain("forbidden_origin");
    expect(await answerTo(post(`${many}${HOST}Idempotency-Key: \u00e9\r\n`))).toContain("idempotency_key");
  });

  it("in the trailers of a body are ignored", async () => {
    const head = `POST /run HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const body = `${BODY.length.toString(16)};x=1\r\n${BODY}\r\n0\r\nIdempotency-Key: ${"x".repeat(300)}\r\n\r\n`;
    expect(await answerTo(head + body)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("with an unsupported content coding are refused", async () => {
    const head = `POST /run HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n`;
    expect(await answerTo(`${head}${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`)).toContain(
      '"error":"unsupported_media_type"',
    );
  });
});

describe("a target", () => {
  it("with a host is served when the Host header names the same", async () => {
    expect(await answerTo(post(HOST, "http://localhost/run"))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await answerTo(post(HOST, "HTTP://LOCALHOST/run"))).toMatch(/^HTTP\/1\.1 200 /);
    const other = await answerTo(post(HOST, "http://elsewhere.example/run"));
    expect(other).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"host"/);
  });

  it.each(["http://localhost", "http://localhost?x=1"])("a target without a path is refused: %s", async (target) => {
    const answer = await answerTo(post(HOST, target));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("has no path");
  });

  it.each(["http://localhost/run", "/%72un", "/run?x=1", "/r%75n#x"])(
    "%s has the methods of its path",
    async (target) => {
      const answer = await answerTo(`GET ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\nallow: POST\r\n/);
    },
  );

  it.each(["/run%2f", "/run/", "//run", "/RUN", "/%zz", "*", "/run;a"])("%s is unknown", async (target) => {
    const answer = await answerTo(`OPTIONS ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*"error":"not_found"/);
  });
});

describe("a sender that asks before it sends its body", () => {
  const asking = (lines: string, target = "/run") =>
    `POST ${target} HTTP/1.1\r\n${HOST}${lines}Expect: 100-continue\r\nContent-Length: ${BODY.length}\r\n\r\n`;

  it.each(["Content-Type: application/json\r\n", ""])(
    "gets 100 Continue when the body is wanted: %j",
    async (lines) => {
      const { socket, said, all } = await sender(asking(lines));
      await said("HTTP/1.1 100 Continue\r\n\r\n");
      socket.write(BODY);
      await said('"out":1');
      socket.destroy();
      expect((await all).match(/100 Continue/g)).toHaveLength(1);
    },
  );

  it("gets 100 Continue and keeps its connection even when the body has already arrived", async () => {
    const { socket, said, all } = await sender(`${asking("Content-Type: application/json\r\n")}${BODY}`);
    socket.once("end", () => socket.end());
    await said('"out":1');
    socket.write(post(HOST));
    const answers = await all;
    expect(answers).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    expect(answers.match(/"out":1/g)).toHaveLength(2);
  });

  it("line by line, too", async () => {
    const head = `POST /batch HTTP/1.1\r\n${HOST}Content-Type: application/x-ndjson\r\nExpect: 100-continue\r\n`;
    const { socket, said } = await sender(`${head}Content-Length: ${BODY.length + 4}\r\n\r\n`);
    await said("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write(`${BODY}\n{}\n`);
    await said('"summary":true');
    socket.destroy();
  });

  it.each([
    ["415", "/run", "Content-Type: text/plain\r\n"],
    ["404", "/nowhere", ""],
    ["403", "/run", "Origin: https://elsewhere.example\r\n"],
    ["400", "/run?x=1", ""],
  ])("gets %s instead when the body is not wanted", async (status, target, lines) => {
    const answer = await answerTo(asking(lines, target));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

describe("pipelined requests", () => {
  it("are answered in their order", async () => {
    const one = `POST /run HTTP/1.1\r\n${HOST}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
    const other = `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`;
    const last = `HEAD /health HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
    const answer = await answerTo(one + other + one + last);
    expect(answer.match(/^HTTP\/1\.1 [0-9]+/gm)?.map((line) => line.slice(9))).toEqual(["200", "404", "200", "200"]);
    expect(answer).toMatch(/\r\n\r\n$/);
  });
});

describe("HTTP/1.0", () => {
  it("is served, with a host and without", async () => {
    for (const lines of ["", HOST])
      expect(await answerTo(`GET /health HTTP/1.0\r\n${lines}\r\n`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"status":"ok"/);
  });
});

describe.each(["/", "/run", "/batch", "/health", "/ready", "/metrics", "/capabilities", "/openapi.json"])(
  "%s",
  (path) => {
    it.each(["OPTIONS", "TRACE", "PUT", "PATCH", "PROPFIND"])("has no method %s", async (method) => {
      const answer = await answerTo(`${method} ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\nallow: [\s\S]*"error":"method_not_allowed"/);
      expect(answer).not.toMatch(/access-control/i);
    });
  },
);
