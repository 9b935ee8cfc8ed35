/** Sending mail: what goes over the wire, what is refused before, what servers answer, and that nothing is sent twice. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { fsAdapter } from "../../../../adapters/builtin/fs/definition.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { verifies } from "../../../support/requirements.ts";
import { failureOf, type MailHost, mailHost, clock as wholeClock } from "./mail-bench.ts";
import {
  CONNECTED,
  PASSWORD,
  type RecordingServer,
  type Refusals,
  recordingServer,
  scriptedServer,
  USER,
  withLogin,
} from "./smtp-world.ts";

let host: MailHost;
beforeEach(async () => {
  host = await mailHost();
});
afterEach(() => host.close());

async function started(...args: Parameters<typeof recordingServer>): Promise<RecordingServer> {
  const server = await recordingServer(...args);
  onTestFinished(() => server.close());
  return server;
}

/** Header fields, unfolded, by lower-case name. */
function headersOf(raw: string): ReadonlyMap<string, string> {
  const [head = ""] = raw.split("\r\n\r\n", 1);
  const fields = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(fields.map((field) => [field.split(":", 1)[0]?.toLowerCase() ?? "", field.replace(/^[^:]*:\s*/, "")]));
}

describe("a message on the wire", () => {
  it("has its parts, without hidden recipients", async () => {
    verifies("adapter.email.provider");
    const server = await started();
    const bench = await host.run({ smtp: server.section });
    const result = (await bench.call(
      "send",
      ["Ann Smith <ann@x.test>", "bob@y.test"],
      "Grüße",
      { text: "plain", html: "<p>rich</p>" },
      "carl@x.test",
      "hidden@x.test, Dora <dora@x.test>",
      { reply_to: "desk@x.test", headers: { "X-Case": "7" } },
    )) as JsonObject;
    expect(result).toMatchObject({
      status: "sent",
      provider: "smtp",
      method: "smtp",
      to: ["Ann Smith <ann@x.test>", "bob@y.test"],
      subject: "Grüße",
      attachments: 0,
      accepted: ["ann@x.test", "bob@y.test", "carl@x.test", "hidden@x.test", "dora@x.test"],
      rejected: [],
    });
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: "robot@x.test", recipients: result["accepted"] });
    expect(mail?.raw).not.toMatch(/hidden|dora|bcc/i);
    const headers = headersOf(mail?.raw ?? "");
    expect(headers.get("from")).toBe("Robot <robot@x.test>");
    expect(headers.get("to")).toBe("Ann Smith <ann@x.test>, bob@y.test");
    expect(headers.get("cc")).toBe("carl@x.test");
    expect(headers.get("reply-to")).toBe("desk@x.test");
    expect(headers.get("x-case")).toBe("7");
    expect(headers.get("subject")).toBe("=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=");
    expect(headers.get("message-id")).toBe(result["message_id"]);
    expect(headers.get("message-id")).toMatch(/^<[0-9a-f]{32}@x\.test>$/);
    expect(headers.get("content-type")).toMatch(/^multipart\/alternative/);
  });

  it("takes domains in any alphabet and writes them in ASCII", async () => {
    const server = await started();
    const bench = await host.run({ smtp: server.section });
    const sent = await bench.call("send", "ann@BÜCHER.test", "s", "b");
    expect(sent).toMatchObject({ accepted: ["ann@xn--bcher-kva.test"] });
    expect(server.mails[0]?.raw).toContain("To: ann@xn--bcher-kva.test\r\n");
  });

  it("one connection serves a run and is closed at its end", async () => {
    const server = await started();
    const bench = await host.run({ smtp: server.section });
    await bench.call("send", "a@x.test", "one", "b");
    await bench.call("send", "a@x.test", "two", "b");
    expect(server.connections).toEqual({ made: 1, open: 1 });
    await bench.end();
    await expect.poll(() => server.connections.open).toBe(0);
  });
});

describe("attachments", () => {
  it("inline ones arrive as they were", async () => {
    const server = await started();
    const bench = await host.run({ smtp: server.section });
    const files = [
      { filename: "a.csv", content: "MSwyCg==", content_type: "text/csv" },
      { filename: "b.bin", content: { $base64: "AAEC" } },
    ];
    expect(await bench.call("send", "a@x.test", "s", "b", null, null, null, files)).toMatchObject({ attachments: 2 });
    const raw = server.mails[0]?.raw ?? "";
    expect(raw).toMatch(/Content-Type: text\/csv; name=a\.csv/);
    expect(raw).toContain("AAEC");
  });

  async function withFiles(settings: JsonObject) {
    const root = join(host.folder, crypto.randomUUID());
    await mkdir(root);
    await writeFile(join(root, "report.csv"), "1,2\n");
    await writeFile(join(root, "key.pem"), "canary-file");
    await writeFile(join(host.folder, "outside.csv"), "canary-file");
    await symlink(join(host.folder, "outside.csv"), join(root, "link.csv"));
    const server = await started();
    const others = [{ definition: fsAdapter, settings: { sandbox_root: root, ...settings } }];
    return { server, bench: await host.run({ smtp: server.section }, {}, { others }) };
  }
  const send = (path: string): readonly Json[] => ["a@x.test", "s", "b", null, null, null, [{ path }]];

  it("files come from the root of fs", async () => {
    const { bench, server } = await withFiles({});
    await bench.call("send", ...send("report.csv"));
    expect(server.mails[0]?.raw).toContain(Buffer.from("1,2\n").toString("base64"));
    expect(server.mails[0]?.raw).toContain("filename=report.csv");
  });

  it.each<readonly [string, string, JsonObject, string]>([
    ["out of the root", "../outside.csv", {}, "ADAPTER_PATH_ESCAPE"],
    ["absolute", "/etc/passwd", {}, "ADAPTER_PATH_ESCAPE"],
    ["through a link", "link.csv", {}, "ADAPTER_PATH_ESCAPE"],
    ["missing", "none.csv", {}, "ADAPTER_NOT_FOUND"],
    ["a folder", ".", {}, "ADAPTER_NOT_A_FILE"],
    ["of an extension that fs does not allow", "key.pem", { allow_extensions: [".csv"] }, "ADAPTER_EXTENSION_BLOCKED"],
    ["larger than fs reads", "report.csv", { max_read_bytes: 2 }, "ADAPTER_TOO_LARGE"],
  ])("a path that is %s", async (_title, path, settings, code) => {
    const { bench, server } = await withFiles(settings);
    expect(await bench.code("send", ...send(path))).toBe(code);
    expect(server.connections.made).toBe(0);
  });

  it("without fs no path can be attached", async () => {
    const server = await started();
    const bench = await host.run({ smtp: server.section });
    expect(await bench.code("send", ...send("report.csv"))).toBe("ADAPTER_PATH_ESCAPE");
  });
});

describe("what servers answer", () => {
  it.each<readonly [string, Refusals, string, boolean, JsonObject]>([
    ["450 to the recipient", { recipient: () => 450 }, "ADAPTER_UNAVAILABLE", true, { smtp_code: 450 }],
    ["550 to the recipient", { recipient: () => 550 }, "ADAPTER_FAILED", false, { smtp_code: 550 }],
    ["451 to the message", { message: () => 451 }, "ADAPTER_UNAVAILABLE", true, { smtp_code: 451 }],
    ["421 to the message", { message: () => 421 }, "ADAPTER_UNAVAILABLE", true, { smtp_code: 421 }],
    ["552 to the message", { message: () => 552 }, "ADAPTER_FAILED", false, { smtp_code: 552 }],
  ])("%s", async (_title, refusals, code, retryable, data) => {
    const server = await started({}, refusals);
    const bench = await host.run({ smtp: server.section });
    const failure = await failureOf(bench.call("send", "a@x.test", "canary-subject", "canary-body"));
    expect(failure).toMatchObject({ code, retryable, data });
    expect(`${failure.message}${JSON.stringify(failure.data)}`).not.toMatch(/canary|x\.test/);
  });

  it("some recipients refused: the others get it, and the answer says who did not", async () => {
    const server = await started({}, { recipient: (address) => (address.startsWith("no") ? 550 : undefined) });
    const bench = await host.run({ smtp: server.section });
    expect(await bench.call("send", ["yes@x.test", "no@x.test"], "s", "b")).toMatchObject({
      status: "sent",
      accepted: ["yes@x.test"],
      rejected: ["no@x.test"],
    });
  });

  it("a message above the server's size is not begun", async () => {
    const server = await started({ size: 1000 });
    const bench = await host.run({ smtp: server.section });
    expect(await bench.code("send", "a@x.test", "s", "x".repeat(2000))).toBe("ADAPTER_TOO_LARGE");
    expect(server.mails).toEqual([]);
  });

  it.each<readonly [string, (line: string) => string | null, string, boolean]>([
    ["421 as greeting", () => "421 busy canary", "ADAPTER_UNAVAILABLE", true],
    ["554 as greeting", () => "554 canary", "ADAPTER_FAILED", false],
    ["no SMTP at all", () => "HTTP/1.1 400 Bad Request", "ADAPTER_BAD_DATA", false],
    ["an end after EHLO", (line) => (line === CONNECTED ? "220 hi" : null), "ADAPTER_TRANSPORT", true],
  ])("%s", async (_title, reply, code, retryable) => {
    const server = await scriptedServer((line, socket) => {
      const text = reply(line);
      if (text === null) socket.end();
      return text;
    });
    onTestFinished(() => server.close());
    const bench = await host.run({ smtp: server.section });
    const failure = await failureOf(bench.call("send", "a@x.test", "s", "b"));
    expect(failure).toMatchObject({ code, retryable });
    expect(failure.message).not.toContain("canary");
    await server.closed;
  });

  it("when no server listens", async () => {
    const server = await recordingServer();
    await server.close();
    const bench = await host.run({ smtp: server.section });
    const failure = await failureOf(bench.call("send", "a@x.test", "s", "b"));
    expect(failure).toMatchObject({ code: "ADAPTER_TRANSPORT", data: { reason: "refused" } });
  });

  it("a greeting that never comes ends at the call's deadline, and the socket with it", async () => {
    const server = await scriptedServer(() => null);
    onTestFinished(() => server.close());
    const bench = await host.run({ smtp: server.section }, { timeout_s: 0.3 });
    expect(await bench.code("send", "a@x.test", "s", "b")).toBe("ADAPTER_TIMEOUT");
    await server.closed;
  });

  it("a cancelled call closes its socket at once", async () => {
    let greeted = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      greeted = resolve;
    });
    const server = await scriptedServer((line) => {
      if (line === CONNECTED) return "220 hi";
      greeted();
      return null;
    });
    onTestFinished(() => server.close());
    const bench = await host.run({ smtp: server.section });
    const cancel = new AbortController();
    const call = failureOf(bench.callUnder(cancel.signal, "send", "a@x.test", "s", "b"));
    await waiting;
    cancel.abort();
    expect((await call).code).toBe("ADAPTER_CANCELLED");
    await server.closed;
  });
});

describe("login", () => {
  it("uses the secret, which shows nowhere", async () => {
    const server = await started(withLogin);
    const said: unknown[] = [];
    const log = (...event: readonly unknown[]): void => void said.push(event);
    const section = { ...server.section, user: USER, auth_secret: "MAIL_PASSWORD" };
    const bench = await host.run({ smtp: section }, {}, { log });
    const result = await bench.call("send", "a@x.test", "canary-subject", "canary-body");
    expect(JSON.stringify([result, said])).not.toMatch(new RegExp(`${PASSWORD}|canary-body`));
    expect(JSON.stringify(said)).not.toMatch(/canary|x\.test/);
  });

  it("a refused one is a matter of configuration", async () => {
    const server = await started(withLogin);
    const section = { ...server.section, user: USER, auth_secret: "WRONG_PASSWORD" };
    const bench = await host.run({ smtp: section });
    const failure = await failureOf(bench.call("send", "a@x.test", "s", "b"));
    expect(failure).toMatchObject({ code: "ADAPTER_NOT_CONFIGURED", retryable: false, data: { smtp_code: 535 } });
    expect(`${failure.message}${JSON.stringify(failure.data)}`).not.toMatch(/canary|robot/);
  });

  it("works with a token", async () => {
    let token: string | undefined;
    const server = await started({
      ...withLogin,
      authMethods: ["XOAUTH2"],
      onAuth({ accessToken }, _session, done) {
        token = accessToken;
        done(null, { user: "u" });
      },
    });
    const section = { ...server.section, user: USER, oauth2_secret: "MAIL_PASSWORD" };
    const bench = await host.run({ smtp: section });
    await bench.call("send", "a@x.test", "s", "b");
    expect(token).toBe(PASSWORD);
  });
});

describe("nothing is sent twice", () => {
  it("a repeated key gives the first answer, in another run as well", async () => {
    const server = await started();
    const key = { idempotency_key: crypto.randomUUID() };
    const first = await host.run({ smtp: server.section });
    const sent = await first.call("send", "a@x.test", "s", "b", key);
    const later = await host.run({ smtp: server.section });
    expect(await later.call("send", "a@x.test", "s", "b", key)).toEqual(sent);
    expect(server.mails.length).toBe(1);
    expect(await later.code("send", "a@x.test", "s", "other", key)).toBe("ADAPTER_CONFLICT");
  });

  it("a refused message can be sent again under its key", async () => {
    let refuse = true;
    const server = await started({}, { message: () => (refuse ? 451 : undefined) });
    const bench = await host.run({ smtp: server.section });
    const key = { idempotency_key: crypto.randomUUID() };
    expect(await bench.code("send", "a@x.test", "s", "b", key)).toBe("ADAPTER_UNAVAILABLE");
    refuse = false;
    expect(await bench.call("send", "a@x.test", "s", "b", key)).toMatchObject({ status: "sent" });
  });

  it("after a lost answer the message goes out under the same Message-ID", async () => {
    const ids: string[] = [];
    const server = await scriptedServer((line, socket) => {
      if (/^message-id:/i.test(line)) ids.push(line);
      if (line === CONNECTED) return "220 hi";
      if (/^EHLO/.test(line)) return "250 hi";
      if (/^(MAIL|RCPT)/.test(line)) return "250 ok";
      if (line === "DATA") return "354 go";
      if (line === ".") socket.destroy();
      return null;
    });
    onTestFinished(() => server.close());
    const bench = await host.run({ smtp: server.section });
    const key = { idempotency_key: crypto.randomUUID() };
    const failure = await failureOf(bench.call("send", "a@x.test", "s", "b", key));
    expect(failure).toMatchObject({ code: "ADAPTER_TRANSPORT", data: { outcome: "unknown" } });
    const real = await started();
    const later = await host.run({ smtp: real.section });
    const sent = (await later.call("send", "a@x.test", "s", "b", key)) as JsonObject;
    expect(ids.length).toBe(1);
    expect(ids[0]).toContain(sent["message_id"]);
  });

  it("a day's quota holds across runs, and refused messages do not count", async () => {
    let refuse = true;
    const server = await started({}, { message: () => (refuse ? 550 : undefined) });
    const accounts = { quota: { from: USER, smtp: server.section, daily_quota: 2 } };
    let ahead = 0;
    const clock = { ...wholeClock, wall: () => wholeClock.wall() + ahead };
    const bench = await host.runWith({ accounts }, { clock });
    expect(await bench.code("send", "a@x.test", "s", "b")).toBe("ADAPTER_FAILED");
    refuse = false;
    await bench.call("send", "a@x.test", "s", "b");
    const later = await host.runWith({ accounts }, { clock });
    await later.call("send", "a@x.test", "s", "b", { idempotency_key: "second" });
    const third = { idempotency_key: "third" };
    const failure = await failureOf(later.call("send", "a@x.test", "s", "b", third));
    expect(failure).toMatchObject({ code: "ADAPTER_QUOTA", retryable: false, data: { daily_quota: 2 } });
    ahead = 24 * 3600 * 1000;
    expect(await later.code("send", "a@x.test", "s", "b", third)).toBe("no error");
  });
});
