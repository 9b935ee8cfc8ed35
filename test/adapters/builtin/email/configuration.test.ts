/** Where accounts come from, how servers are trusted, and that what is secret shows nowhere. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { emailAdapter } from "../../../../adapters/builtin/email/definition.ts";
import { emailSection } from "../../../../adapters/builtin/email/environment.ts";
import { MailParser } from "../../../../adapters/builtin/email/message/parser.ts";
import { createDocumentParsers } from "../../../../adapters/content/document-parsers.ts";
import { readHostConfig } from "../../../../adapters/operator/host-config.ts";
import { readOperator } from "../../../../adapters/operator/operator-file.ts";
import { createSecrets } from "../../../../adapters/operator/secrets.ts";
import { builtinCatalog } from "../../../../compiler/catalog/builtin.ts";
import { builtinSettings } from "../../../../compiler/catalog/settings.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import {
  AUTHORITY,
  EXPIRED_CERTIFICATE,
  OTHER_AUTHORITY,
  SERVER_CERTIFICATE,
  SERVER_KEY,
} from "../http/certificates.ts";
import { imapServer } from "./imap-world.ts";
import { failureOf, type MailHost, mailHost } from "./mail-bench.ts";
import { CONNECTED, PASSWORD, recordingServer, scriptedServer, USER, withLogin } from "./smtp-world.ts";

const folder = mkdtempSync(join(tmpdir(), "weft-mail-"));
const caFile = join(folder, "ca.pem");
writeFileSync(caFile, AUTHORITY);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let host: MailHost;
beforeEach(async () => {
  host = await mailHost();
});
afterEach(() => host.close());

describe("the variables EMAIL_…", () => {
  it.each<readonly [string, Readonly<Record<string, string>>, JsonObject | null]>([
    ["none", {}, null],
    ["a user alone", { EMAIL_USERNAME: "a@x.test", EMAIL_PASSWORD: "canary" }, null],
    [
      "both servers",
      {
        EMAIL_SMTP_HOST: "smtp.x.test",
        EMAIL_SMTP_PORT: "587",
        EMAIL_IMAP_HOST: "imap.x.test",
        EMAIL_USERNAME: "a@x.test",
        EMAIL_PASSWORD: "canary",
        EMAIL_FROM: "A <a@x.test>",
        EMAIL_DRAFTS_FOLDER: "Entwürfe",
      },
      {
        from: "A <a@x.test>",
        drafts: "Entwürfe",
        smtp: { host: "smtp.x.test", port: 587, tls: "starttls", user: "a@x.test", auth_secret: "EMAIL_PASSWORD" },
        imap: { host: "imap.x.test", tls: "implicit", user: "a@x.test", auth_secret: "EMAIL_PASSWORD" },
      },
    ],
    [
      "a server without login",
      { EMAIL_SMTP_HOST: "smtp.x.test", EMAIL_FROM: "a@x.test", EMAIL_IMAP_HOST: " " },
      { from: "a@x.test", smtp: { host: "smtp.x.test", tls: "implicit" } },
    ],
  ])("%s", (_title, variables, account) => {
    const section = account === null ? null : { accounts: { default: account } };
    expect(emailSection(variables)).toEqual({ ok: true, section });
  });

  it.each([
    ["EMAIL_SMTP_PORT", { EMAIL_SMTP_HOST: "a", EMAIL_SMTP_PORT: "canary", EMAIL_FROM: "a@x.test" }],
    ["EMAIL_FROM", { EMAIL_SMTP_HOST: "a" }],
  ])("a fault in %s stops the start and shows no value", (variable, variables) => {
    const read = readHostConfig(variables);
    if (!read.ok) throw new Error(read.message);
    const start = (): unknown => readOperator(read.config, { catalog: builtinCatalog, settings: builtinSettings });
    expect(start).toThrow(variable);
    expect(start).not.toThrow("canary");
  });

  it("rank after the operator's file, and the password is a secret", async () => {
    const file = join(folder, "adapters.json");
    writeFileSync(file, JSON.stringify({ email: { accounts: {} } }));
    const context = { catalog: builtinCatalog, settings: builtinSettings };
    const variables = { EMAIL_SMTP_HOST: "smtp.x.test", EMAIL_FROM: "a@x.test", EMAIL_PASSWORD: "canary" };
    const sectionOf = (more: Readonly<Record<string, string>>): unknown => {
      const read = readHostConfig({ ...variables, ...more });
      if (!read.ok) throw new Error(read.message);
      return readOperator(read.config, context).side?.grant.adapter_constraints["email"];
    };
    expect(sectionOf({})).toMatchObject({ accounts: { default: { from: "a@x.test" } } });
    expect(sectionOf({ WF_ADAPTERS_CONFIG: file })).toEqual({ accounts: {} });
    const read = readHostConfig(variables);
    if (!read.ok) throw new Error(read.message);
    const secrets = createSecrets(read.config);
    expect(await secrets.get("EMAIL_PASSWORD")).toBe("canary");
    expect(secrets.scrubbed("a canary sings")).toBe("a [secret] sings");
  });
});

describe("TLS", () => {
  const tls = { key: SERVER_KEY, cert: SERVER_CERTIFICATE, disabledCommands: [] };
  const cases: readonly (readonly [string, "implicit" | "starttls"])[] = [
    ["from the first byte", "implicit"],
    ["by STARTTLS", "starttls"],
  ];

  it.each(cases)("%s, with a trusted certificate", async (_title, mode) => {
    const server = await recordingServer({
      ...withLogin,
      ...tls,
      allowInsecureAuth: false,
      secure: mode === "implicit",
    });
    onTestFinished(() => server.close());
    const section = { host: "localhost", port: server.port, tls: mode, ca_file: caFile };
    const bench = await host.run({ smtp: { ...section, user: USER, auth_secret: "MAIL_PASSWORD" } });
    await bench.call("send", "a@x.test", "s", "b");
    expect(server.mails.length).toBe(1);
  });

  it.each(cases)("%s, with an untrusted certificate", async (_title, mode) => {
    const server = await recordingServer({ ...tls, secure: mode === "implicit" });
    onTestFinished(() => server.close());
    const bench = await host.run({ smtp: { host: "localhost", port: server.port, tls: mode } });
    const failure = await failureOf(bench.call("send", "a@x.test", "s", "b"));
    expect(failure).toMatchObject({ code: "ADAPTER_TRANSPORT", data: { reason: "tls" } });
    expect(server.mails).toEqual([]);
  });

  it.each(cases)("%s, with a certificate whose time is over, or of another name", async (_title, mode) => {
    const otherFile = join(folder, "other.pem");
    writeFileSync(otherFile, OTHER_AUTHORITY);
    const wrong = [
      { cert: EXPIRED_CERTIFICATE, host: "localhost", ca_file: otherFile },
      { cert: SERVER_CERTIFICATE, host: "127.0.0.2", ca_file: caFile },
    ];
    for (const { cert, ...section } of wrong) {
      const server = await recordingServer({ ...tls, cert, secure: mode === "implicit" }, {}, section.host);
      onTestFinished(() => server.close());
      const bench = await host.run({ smtp: { ...section, port: server.port, tls: mode } });
      const failure = await failureOf(bench.call("send", "a@x.test", "s", "b"));
      expect(failure).toMatchObject({ code: "ADAPTER_TRANSPORT", data: { reason: "tls" } });
      expect(server.mails).toEqual([]);
    }
  });

  it("a server that offers no STARTTLS gets neither login nor mail", async () => {
    const server = await recordingServer();
    onTestFinished(() => server.close());
    const bench = await host.run({ smtp: { host: "127.0.0.1", port: server.port, tls: "starttls" } });
    const failure = await failureOf(bench.call("send", "a@x.test", "s", "b"));
    expect(failure).toMatchObject({ code: "ADAPTER_TRANSPORT", data: { reason: "tls" } });
    expect(server.mails).toEqual([]);
  });

  it("an IMAP server that offers no STARTTLS gets no login", async () => {
    const server = await imapServer({});
    onTestFinished(() => server.close());
    const bench = await host.run({ imap: { ...server.section, allow_plain: false, tls: "starttls" } });
    expect(await bench.code("read")).not.toBe("no error");
    expect(server.sent()).not.toContain("testpass");
    expect(server.sent()).not.toContain(Buffer.from("\0testuser\0testpass").toString("base64"));
  });

  it("a missing file of certificates is a matter of configuration", async () => {
    const smtp = { host: "localhost", port: 1, ca_file: join(folder, "gone.pem") };
    const bench = await host.run({ smtp });
    const failure = await failureOf(bench.call("send", "a@x.test", "s", "b"));
    expect(failure.code).toBe("ADAPTER_NOT_CONFIGURED");
    expect(failure.message).not.toContain(folder);
  });
});

describe("what IMAP servers say", () => {
  type Reply = (command: string, tag: string, socket: Socket) => string | null;

  function hangUp(_command: string, _tag: string, socket: Socket): null {
    socket.end();
    return null;
  }

  /** Logs everybody in, and answers the rest by `reply`. */
  function imapScript(reply: Reply) {
    return scriptedServer((line, socket) => {
      if (line === CONNECTED) return "* OK hi";
      const [tag = "", command = ""] = line.split(" ");
      const said = reply(command.toUpperCase(), tag, socket);
      if (said !== "") return said;
      if (command.toUpperCase() === "CAPABILITY") return `* CAPABILITY IMAP4rev1\r\n${tag} OK done`;
      if (command.toUpperCase() === "LOGOUT") return `* BYE bye\r\n${tag} OK bye`;
      return `${tag} OK done`;
    });
  }

  it.each<readonly [string, Reply, string, boolean]>([
    ["nothing more", hangUp, "ADAPTER_TRANSPORT", true],
    [
      "a login that is refused",
      (command, tag) => (command === "LOGIN" ? `${tag} NO [AUTHENTICATIONFAILED] canary` : ""),
      "ADAPTER_NOT_CONFIGURED",
      false,
    ],
    [
      "a login that is not possible now",
      (command, tag) => (command === "LOGIN" ? `${tag} NO [UNAVAILABLE] canary` : ""),
      "ADAPTER_UNAVAILABLE",
      true,
    ],
    [
      "a folder in use",
      (command, tag) => (command === "EXAMINE" ? `${tag} NO [INUSE] canary` : ""),
      "ADAPTER_BUSY",
      true,
    ],
    [
      "a folder that is not there",
      (command, tag) => (command === "EXAMINE" ? `${tag} NO canary` : ""),
      "ADAPTER_NOT_FOUND",
      false,
    ],
    [
      "a search that is refused",
      (command, tag) => (command === "UID" ? `${tag} NO canary` : ""),
      "ADAPTER_FAILED",
      false,
    ],
  ])("%s", async (_title, reply, code, retryable) => {
    const server = await imapScript(reply);
    onTestFinished(() => server.close());
    const bench = await host.run({ imap: { ...server.section, user: USER, auth_secret: "MAIL_PASSWORD" } });
    const failure = await failureOf(bench.call("read"));
    expect(failure).toMatchObject({ code, retryable });
    expect(`${failure.message}${JSON.stringify(failure.data)}`).not.toContain("canary");
  });
});

it("the health test logs in wherever the account can", async () => {
  const smtp = await recordingServer(withLogin);
  const imap = await imapServer({});
  onTestFinished(async () => {
    await smtp.close();
    await imap.close();
  });
  const health = async (secret: string): Promise<string> => {
    const server = { ...smtp.section, user: USER, auth_secret: secret };
    const accounts = { default: { from: USER, smtp: server, imap: imap.section } };
    const { Accounts } = await import("../../../../adapters/builtin/email/account.ts");
    const { settingsOf } = await import("../../../../adapters/definition/link.ts");
    const read = settingsOf(emailAdapter, { accounts });
    if (!read.ok) throw new Error(JSON.stringify(read.issues));
    const texts: Readonly<Record<string, string>> = { GOOD: PASSWORD, IMAP_PASSWORD: "testpass" };
    const parser = new MailParser(createDocumentParsers());
    const instance = new Accounts(read.settings as never, { secret: async (name) => texts[name], parser });
    const check = emailAdapter.check as (call: object) => Promise<void>;
    try {
      await check({ instance, settings: read.settings, signal: AbortSignal.timeout(5000) });
      return "works";
    } catch (thrown) {
      return (thrown as { code: string }).code;
    } finally {
      await instance.close();
    }
  };
  expect(await health("GOOD")).toBe("works");
  expect(await health("GONE")).toBe("ADAPTER_NOT_CONFIGURED");
});
