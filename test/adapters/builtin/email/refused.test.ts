/** What is refused before anything leaves the process: hostile text, recipients outside the lists, accounts that are not there. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { openBench } from "../../../support/adapter-bench.ts";
import { failureOf, type MailHost, mailHost } from "./mail-bench.ts";
import { type RecordingServer, recordingServer, USER } from "./smtp-world.ts";

let host: MailHost;
beforeEach(async () => {
  host = await mailHost();
});
afterEach(() => host.close());

async function started(): Promise<RecordingServer> {
  const server = await recordingServer();
  onTestFinished(() => server.close());
  return server;
}

describe("what is refused before anything is sent", () => {
  const INJECTION = "a\r\nBcc: evil@x.test";
  const GOOD = ["a@x.test", "subject", "body"] as const;

  it.each<readonly [string, readonly unknown[]]>([
    ["a line break in the subject", ["a@x.test", INJECTION, "b"]],
    ["another line separator in the subject", ["a@x.test", "a\u2028b", "b"]],
    ["NUL in the subject", ["a@x.test", "a\0b", "b"]],
    ["a line break in an address", [`a@x.test\nevil@x.test`, "s", "b"]],
    ["a line break in a name", [`"A\r\nBcc: evil@x.test" <a@x.test>`, "s", "b"]],
    ["a line break in a listed address", [[`a@x.test${"\r"}`], "s", "b"]],
    ["a line break in cc", [...GOOD, INJECTION]],
    ["a line break in bcc", [...GOOD, null, INJECTION]],
    ["a line break in reply_to", [...GOOD, { reply_to: INJECTION }]],
    ["a line break in a header", [...GOOD, { headers: { "X-A": INJECTION } }]],
    ["a line break in the name of a header", [...GOOD, { headers: { "X-A\r\nBcc": "evil@x.test" } }]],
    ["a colon in the name of a header", [...GOOD, { headers: { "Bcc: a": "b" } }]],
    ["no address", ["name", "s", "b"]],
    ["two addresses without a comma, of which one would be lost", ["a@x.test b@x.test", "s", "b"]],
    ["the same with the first one in brackets", ["<a@x.test> b@x.test", "s", "b"]],
    ["the same next to an address with a name", ["a@x.test b@x.test, Carl <c@x.test>", "s", "b"]],
    ["an address with two signs", ["a@b@x.test", "s", "b"]],
    ["an address with an angle bracket", ['"a>b"@x.test', "s", "b"]],
    ["an empty domain", ["a@", "s", "b"]],
    ["no recipient", [[], "s", "b"]],
    ["an empty group", ["undisclosed-recipients:;", "s", "b"]],
    ["a body of numbers", ["a@x.test", "s", 7]],
    ["a body of nothing", ["a@x.test", "s", {}]],
    ["content that is not base64", [...GOOD, null, null, null, [{ filename: "f", content: "???" }]]],
    ["a filename with a line break", [...GOOD, null, null, null, [{ filename: INJECTION, content: "" }]]],
    ["a filename with folders", [...GOOD, null, null, null, [{ filename: "a/b", content: "" }]]],
    [
      "a content type with parameters",
      [...GOOD, null, null, null, [{ filename: "f", content: "", content_type: "text/plain\r\nX: y" }]],
    ],
    ...[
      "Bcc",
      "bcc",
      "Date",
      "Message-ID",
      "DKIM-Signature",
      "Received",
      "Return-Path",
      "Sender",
      "From",
      "To",
      "Content-Type",
    ].map((name) => [`the header ${name}`, [...GOOD, { headers: { [name]: "x" } }]] as const),
  ])("%s", async (_title, args) => {
    const server = await started();
    const bench = await host.run({ smtp: server.section });
    const failure = await failureOf(bench.call("send", ...args));
    expect(failure.code).toBe("ADAPTER_BAD_ARGS");
    expect(`${failure.message}${JSON.stringify(failure.data)}`).not.toMatch(/evil|@x\.test/);
    expect(server.connections.made).toBe(0);
  });

  it.each<readonly [string, JsonObject, JsonObject, readonly unknown[], string]>([
    [
      "a recipient outside the account's list",
      { allow_recipients: ["*@x.test"] },
      {},
      ["a@y.test"],
      "ADAPTER_NOT_ALLOWED",
    ],
    [
      "a recipient outside the caller's list",
      {},
      { allow_recipients: ["b@x.test"] },
      ["a@x.test"],
      "ADAPTER_NOT_ALLOWED",
    ],
    ["one of many outside", { allow_recipients: ["*@x.test"] }, {}, [["a@x.test", "b@y.test"]], "ADAPTER_NOT_ALLOWED"],
    ["a domain that ends alike", { allow_recipients: ["*@x.test"] }, {}, ["a@evilx.test"], "ADAPTER_NOT_ALLOWED"],
    [
      "a name like an address",
      { allow_recipients: ["*@x.test"] },
      {},
      ['"a@x.test" <a@y.test>'],
      "ADAPTER_NOT_ALLOWED",
    ],
    ["any, with an empty list", {}, { allow_recipients: [] }, ["a@x.test"], "ADAPTER_NOT_ALLOWED"],
    ["too many", { max_recipients: 1 }, {}, [["a@x.test", "b@x.test"]], "ADAPTER_QUOTA"],
    ["all, without allow_send", {}, { allow_send: false }, ["a@x.test"], "ADAPTER_WRITE_FORBIDDEN"],
    ["a large message", {}, { max_message_bytes: 300 }, ["a@x.test"], "ADAPTER_TOO_LARGE"],
    ["an account outside allow_accounts", {}, { allow_accounts: ["other"] }, ["a@x.test"], "ADAPTER_NOT_ALLOWED"],
  ])("%s", async (_title, account, settings, [to], code) => {
    const server = await started();
    const bench = await host.run({ smtp: server.section, ...account }, settings);
    expect(await bench.code("send", to, "s", "x".repeat(400))).toBe(code);
    expect(await bench.code("send", to, "s", "x".repeat(400))).toBe(code);
    expect(server.connections.made).toBe(0);
  });

  it("hidden recipients count and are checked like others", async () => {
    const server = await started();
    const bench = await host.run({ smtp: server.section, allow_recipients: ["*@x.test"] });
    expect(await bench.code("send", "a@x.test", "s", "b", null, "b@y.test")).toBe("ADAPTER_NOT_ALLOWED");
    expect(await bench.code("send", "a@X.TEST", "s", "b", "A <b@x.test>")).toBe("no error");
  });

  it.each<readonly [string, JsonObject, readonly unknown[], string]>([
    ["no account", {}, [], "ADAPTER_NOT_CONFIGURED"],
    ["an unknown account", { accounts: { a: { from: USER } } }, [{ account: "b" }], "ADAPTER_NOT_CONFIGURED"],
    ["an account without SMTP", { accounts: { a: { from: USER } } }, [], "ADAPTER_NOT_CONFIGURED"],
    ["several without a default", { accounts: { a: { from: USER }, b: { from: USER } } }, [], "ADAPTER_BAD_ARGS"],
    ["another provider", { accounts: { a: { from: USER } } }, [null, null, "gmail"], "ADAPTER_NOT_CONFIGURED"],
    [
      "a missing secret",
      {
        accounts: {
          a: { from: USER, smtp: { host: "127.0.0.1", allow_plain: true, user: USER, auth_secret: "GONE" } },
        },
      },
      [],
      "ADAPTER_NOT_CONFIGURED",
    ],
  ])("%s", async (_title, settings, rest, code) => {
    const bench = await host.runWith(settings);
    expect(await bench.code("send", "a@x.test", "s", "b", ...rest)).toBe(code);
  });

  it.each<readonly [string, JsonObject]>([
    ["plain text to another machine", { smtp: { host: "mail.example", allow_plain: true } }],
    ["a user without a secret", { smtp: { host: "mail.example", user: "a" } }],
    ["a secret without a user", { smtp: { host: "mail.example", auth_secret: "A" } }],
    ["a sender with a line break", { from: "a@x.test\r\nBcc: b@x.test" }],
  ])("settings with %s", async (_title, account) => {
    await expect(host.run(account)).rejects.toMatchObject({ code: "ADAPTER_BAD_SETTINGS" });
  });

  it("a sender that is not an address is a fault of the settings", async () => {
    const server = await started();
    const bench = await host.run({ smtp: server.section, from: "Robot" });
    expect(await bench.code("send", "a@x.test", "s", "b")).toBe("ADAPTER_BAD_SETTINGS");
  });
});

it.each([
  ["nodemailer", "nodemailer/lib/addressparser", ["send", "a@x.test", "s", "b"]],
  ["imapflow", "imapflow", ["read"]],
] as const)("without the package %s", async (name, path, [verb, ...args]) => {
  vi.resetModules();
  vi.doMock(path, () => {
    throw new Error("Cannot find package");
  });
  onTestFinished(() => {
    vi.doUnmock(path);
    vi.resetModules();
  });
  const { emailAdapter } = await import("../../../../adapters/builtin/email/definition.ts");
  const imap = { host: "127.0.0.1", port: 1, allow_plain: true, user: USER, auth_secret: "IMAP_PASSWORD" };
  const smtp = { host: "127.0.0.1", port: 1, allow_plain: true };
  const accounts = { default: { from: USER, imap, smtp } };
  const bench = await openBench(emailAdapter, { settings: { accounts }, secrets: { IMAP_PASSWORD: "x" } });
  // Modules were loaded anew, so the class of the error is not the one known here.
  await expect(bench.call(verb, ...args)).rejects.toMatchObject({
    code: "ADAPTER_NOT_CONFIGURED",
    data: { package: name, install: expect.stringContaining(name) },
  });
});
