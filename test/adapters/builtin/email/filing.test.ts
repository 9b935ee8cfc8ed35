/** Changing what is in a mailbox: drafts, answers, moves and flags, and what happens when a server does less or a connection breaks. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import type { AdapterBench } from "../../../support/adapter-bench.ts";
import { ALL_PLUGINS, type GivenFolders, type ImapServer, imapServer, mail } from "./imap-world.ts";
import { failureOf, type MailHost, mailHost } from "./mail-bench.ts";
import { type RecordingServer, recordingServer } from "./smtp-world.ts";

let host: MailHost;
beforeEach(async () => {
  host = await mailHost();
});
afterEach(() => host.close());

type World = { readonly imap: ImapServer; readonly smtp: RecordingServer; readonly bench: AdapterBench };

async function world(folders: GivenFolders, account: JsonObject = {}, plugins = ALL_PLUGINS): Promise<World> {
  const imap = await imapServer(folders, plugins);
  const smtp = await recordingServer();
  onTestFinished(async () => {
    await imap.close();
    await smtp.close();
  });
  const bench = await host.run({ imap: imap.section, smtp: smtp.section, ...account });
  return { imap, smtp, bench };
}

const uids = (imap: ImapServer, folder: string): readonly number[] =>
  imap.folder(folder).messages.map((message) => message.uid);
const member = (value: Json, name: string): string => String((value as JsonObject)[name]);

describe("draft", () => {
  it("is stored, replaced, and never sent", async () => {
    const { imap, smtp, bench } = await world({ Drafts: [mail("other", "x")] });
    const first = await bench.call("draft", "ann@x.test", "Offer", "first");
    expect(first).toEqual({ status: "draft", id: "Drafts;1;2", message_id: expect.stringMatching(/^<.+@x\.test>$/) });
    expect(imap.folder("Drafts").messages[1]?.flags).toEqual(expect.arrayContaining(["\\Draft", "\\Seen"]));
    const second = await bench.call("draft", "ann@x.test", "Offer", { html: "<b>second</b>" }, member(first, "id"));
    expect(uids(imap, "Drafts")).toEqual([1, 3]);
    expect(await bench.call("fetch", member(second, "id"))).toMatchObject({
      from: "Robot <robot@x.test>",
      to: ["ann@x.test"],
      subject: "Offer",
      body: "second",
      unread: false,
    });
    expect(smtp.mails).toEqual([]);
  });

  it("under one key is stored once", async () => {
    const { imap, bench } = await world({ Drafts: [] });
    const key = { idempotency_key: "d-1" };
    const first = await bench.call("draft", "ann@x.test", "Offer", "text", key);
    expect(await bench.call("draft", "ann@x.test", "Offer", "text", key)).toEqual(first);
    expect(uids(imap, "Drafts")).toEqual([1]);
  });

  it("after a lost answer is found again", async () => {
    const { imap, bench } = await world({ Drafts: [] });
    const append = ["draft", "ann@x.test", "Offer", "text", { idempotency_key: "d-2" }] as const;
    imap.dropAfter("APPEND completed");
    const failure = await failureOf(bench.call(...append));
    expect(failure).toMatchObject({ code: "ADAPTER_TRANSPORT", retryable: true, data: { outcome: "unknown" } });
    expect(uids(imap, "Drafts")).toEqual([1]);
    expect(await bench.call(...append)).toMatchObject({ id: "Drafts;1;1" });
    expect(uids(imap, "Drafts")).toEqual([1]);
  });

  it.each([
    ["Drafts;9;1", "ADAPTER_CONFLICT"],
    ["INBOX;1;1", "ADAPTER_BAD_ARGS"],
    ["Drafts;1;7", "no error"],
  ])("instead of %s: %s", async (id, code) => {
    const { imap, bench } = await world({ INBOX: [mail("keep", "x")], Drafts: [mail("old", "x")] });
    expect(await bench.code("draft", "ann@x.test", "Offer", "text", id)).toBe(code);
    expect(uids(imap, "INBOX")).toEqual([1]);
    expect(uids(imap, "Drafts")[0]).toBe(1);
  });

  it("without UIDPLUS has its id all the same, and deletes no other message", async () => {
    const marked = { raw: mail("marked by somebody", "x"), flags: ["\\Deleted"] };
    const { imap, bench } = await world({ Drafts: [marked] }, {}, ["ID", "SASL-IR", "AUTH-PLAIN", "UNSELECT"]);
    const first = await bench.call("draft", "ann@x.test", "Offer", "first");
    expect(first).toMatchObject({ id: "Drafts;1;2" });
    await bench.call("draft", "ann@x.test", "Offer", "second", member(first, "id"));
    expect(uids(imap, "Drafts")).toEqual([1, 2, 3]);
    expect(imap.folder("Drafts").messages[1]?.flags).toContain("\\Deleted");
  });

  it("needs its folder, an IMAP server and recipients that are allowed", async () => {
    const { smtp, bench } = await world({});
    expect(await bench.code("draft", "ann@x.test", "Offer", "text")).toBe("ADAPTER_NOT_FOUND");
    const sending = await host.run({ smtp: smtp.section, allow_recipients: ["*@x.test"] });
    expect(await sending.code("draft", "ann@x.test", "Offer", "text", { idempotency_key: "k" })).toBe(
      "ADAPTER_NOT_CONFIGURED",
    );
    expect(await sending.code("draft", "ann@y.test", "Offer", "text")).toBe("ADAPTER_NOT_ALLOWED");
  });
});

describe("reply", () => {
  const asked = mail(
    "Question",
    "why?",
    "Cc: bob@x.test, robot@x.test\r\nReferences: <0@x.test>\r\nReply-To: desk@x.test\r\n",
  );

  it("goes to where answers are wanted, within its thread", async () => {
    const { smtp, bench } = await world({ INBOX: [asked] });
    expect(await bench.call("reply", "INBOX;1;1", "because")).toMatchObject({
      status: "sent",
      to: "desk@x.test",
      subject: "Re: Question",
      in_reply_to: "<Question@x.test>",
      reply_all: false,
      accepted: ["desk@x.test"],
    });
    const { raw = "" } = smtp.mails[0] ?? {};
    expect(raw).toMatch(/^In-Reply-To: <Question@x\.test>\r$/m);
    expect(raw).toMatch(/^References: <0@x\.test> <Question@x\.test>\r$/m);
  });

  it("to all leaves oneself out", async () => {
    const { smtp, bench } = await world({ INBOX: [asked] });
    await bench.call("reply", "INBOX;1;1", "because", true);
    expect(smtp.mails[0]?.recipients).toEqual(["desk@x.test", "bob@x.test"]);
  });

  it("is limited by allow_recipients, even to the sender", async () => {
    const hostile = mail("Hi", "x", "Reply-To: collector@evil.test\r\n");
    const { smtp, bench } = await world({ INBOX: [hostile] }, { allow_recipients: ["*@x.test"] });
    expect(await bench.code("reply", "INBOX;1;1", "secret")).toBe("ADAPTER_NOT_ALLOWED");
    expect(smtp.mails).toEqual([]);
  });

  it("takes no headers over from what it answers", async () => {
    const subject = "=?utf-8?Q?Hi=0D=0ABcc:_evil@x.test?=";
    const hostile = `From: "A=0D=0ABcc: evil@x.test" <ada@x.test>\r\nMessage-ID: <a b>\r\nSubject: ${subject}\r\n\r\nx\r\n`;
    const { smtp, bench } = await world({ INBOX: [hostile] });
    expect(await bench.call("reply", "INBOX;1;1", "ok")).toMatchObject({ in_reply_to: null });
    expect(smtp.mails[0]?.recipients).toEqual(["ada@x.test"]);
    expect(smtp.mails[0]?.raw).not.toMatch(/^bcc/im);
  });

  it("fails without an address to answer", async () => {
    const { bench } = await world({ INBOX: ["Subject: anonymous\r\n\r\nx\r\n"] });
    expect(await bench.code("reply", "INBOX;1;1", "ok")).toBe("ADAPTER_BAD_DATA");
  });
});

describe("a copy of what is sent", () => {
  it("is kept where the account says", async () => {
    const { imap, bench } = await world({ Sent: [] }, { sent: "Sent" });
    await bench.call("send", "ann@x.test", "Hello", "text");
    expect(imap.folder("Sent").messages[0]).toMatchObject({ flags: ["\\Seen"] });
    expect(await bench.end()).toEqual([]);
  });

  it("that takes too long does not make the message go out again", async () => {
    const { imap, smtp, bench } = await world({ Sent: [] }, { sent: "Sent" });
    await bench.call("folders");
    imap.freeze();
    const cancel = new AbortController();
    const send = ["send", "ann@x.test", "Hello", "text", { idempotency_key: "once" }] as const;
    const call = failureOf(bench.callUnder(cancel.signal, ...send));
    await expect.poll(() => imap.sent()).toContain("APPEND");
    cancel.abort();
    await call;
    const later = await host.run({ smtp: smtp.section, imap: imap.section, sent: "Sent" });
    expect(await later.call(...send)).toMatchObject({ status: "sent" });
    expect(smtp.mails.length).toBe(1);
  });

  it("that cannot be kept is a warning", async () => {
    const { smtp, bench } = await world({}, { sent: "Nowhere" });
    expect(await bench.call("send", "ann@x.test", "Hello", "text")).toMatchObject({ status: "sent" });
    expect(smtp.mails.length).toBe(1);
    expect(await bench.end()).toEqual([expect.stringMatching(/^email_copy_not_kept/)]);
  });
});

describe("move", () => {
  it.each<readonly [string, readonly string[], string | null]>([
    ["a server that moves", ALL_PLUGINS, "Archive;1;1"],
    ["a server that copies and deletes one", ALL_PLUGINS.filter((name) => name !== "MOVE"), "Archive;1;1"],
    ["a server that can only delete all", ["SASL-IR", "AUTH-PLAIN"], null],
  ])("with %s", async (_title, plugins, id) => {
    const { imap, bench } = await world({ INBOX: [mail("a", "x"), mail("b", "x")], Archive: [] }, {}, [...plugins]);
    expect(await bench.call("move", "INBOX;1;1", "Archive")).toEqual({ ok: true, id });
    expect(uids(imap, "INBOX")).toEqual([2]);
    expect(imap.folder("Archive").messages.length).toBe(1);
  });

  it.each([ALL_PLUGINS, ["SASL-IR", "AUTH-PLAIN"]])(
    "to a folder that is not there loses nothing (%#)",
    async (...plugins) => {
      const { imap, bench } = await world({ INBOX: [mail("a", "x")] }, {}, plugins.flat());
      expect(await bench.code("move", "INBOX;1;1", "Nowhere")).toBe("ADAPTER_NOT_FOUND");
      expect(uids(imap, "INBOX")).toEqual([1]);
      expect(imap.folder("INBOX").messages[0]?.flags).not.toContain("\\Deleted");
    },
  );

  it.each([["a\r\nb"], [""], [7]])("to %j is refused", async (folder) => {
    const { imap, bench } = await world({ INBOX: [mail("a", "x")] });
    expect(await bench.code("move", "INBOX;1;1", folder)).toBe("ADAPTER_BAD_ARGS");
    expect(imap.connections.made).toBe(0);
  });
});

describe("flag", () => {
  it("adds and takes away, and says what is left", async () => {
    const { bench } = await world({ INBOX: [{ raw: mail("a", "x"), flags: ["\\Flagged"] }] });
    const change = { add: ["seen", "billing"], remove: ["\\Flagged"] };
    expect(await bench.call("flag", "INBOX;1;1", change)).toEqual({ ok: true, flags: ["billing", "seen"] });
    expect(await bench.call("flag", "INBOX;1;1", change)).toEqual({ ok: true, flags: ["billing", "seen"] });
    expect(await bench.call("flag", "INBOX;1;1", ["answered"])).toEqual({
      ok: true,
      flags: ["answered", "billing", "seen"],
    });
  });

  it.each([[["deleted"]], [["\\Deleted"]], [["\\Made-up"]], [["two words"]], [["a)\r\nX"]], [[]], ["seen"]])(
    "%j is refused",
    async (flags) => {
      const { imap, bench } = await world({ INBOX: [mail("a", "x")] });
      expect(await bench.code("flag", "INBOX;1;1", flags)).toBe("ADAPTER_BAD_ARGS");
      expect(imap.connections.made).toBe(0);
    },
  );

  it("of a message that is not there", async () => {
    const { bench } = await world({ INBOX: [] });
    expect(await bench.code("flag", "INBOX;1;1", ["seen"])).toBe("ADAPTER_NOT_FOUND");
  });
});

it("a change is not made again on another connection", async () => {
  const { imap, bench } = await world({ INBOX: [mail("a", "x")] });
  await bench.call("read");
  imap.drop();
  const failure = await failureOf(bench.call("flag", "INBOX;1;1", ["seen"]));
  expect(failure).toMatchObject({ code: "ADAPTER_TRANSPORT", retryable: true });
  expect(imap.connections.made).toBe(1);
  expect(await bench.call("flag", "INBOX;1;1", ["seen"])).toMatchObject({ ok: true });
});

it("a refused login is a matter of configuration", async () => {
  const { imap } = await world({});
  const bench = await host.run({ imap: { ...imap.section, auth_secret: "WRONG_PASSWORD" } });
  const failure = await failureOf(bench.call("read"));
  expect(failure).toMatchObject({ code: "ADAPTER_NOT_CONFIGURED", retryable: false });
  expect(`${failure.message}${JSON.stringify(failure.data)}`).not.toMatch(/canary|testuser/);
});

it("accounts have their own mail, and ids know whose they are", async () => {
  const one = await world({ INBOX: [mail("mine", "x")] });
  const two = await imapServer({ INBOX: [mail("theirs", "x")] });
  onTestFinished(() => two.close());
  const from = "robot@x.test";
  const accounts = { default: { from, imap: one.imap.section }, shop: { from, imap: two.section } };
  const bench = await host.runWith({ accounts });
  const [found] = (await bench.call("read", { account: "shop" })) as readonly JsonObject[];
  expect(found).toMatchObject({ subject: "theirs", id: "INBOX;1;1;shop" });
  expect(await bench.call("fetch", found?.["id"])).toMatchObject({ subject: "theirs" });
  expect(await bench.call("search", { subject: "theirs", account: "shop" })).toMatchObject([{ id: "INBOX;1;1;shop" }]);
  const narrow = await host.runWith({ accounts, allow_accounts: ["default"] });
  expect(await narrow.code("fetch", found?.["id"])).toBe("ADAPTER_NOT_ALLOWED");
});
