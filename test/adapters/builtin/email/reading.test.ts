/** Reading mail: what programs see of messages, and that looking changes nothing. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import type { AdapterBench } from "../../../support/adapter-bench.ts";
import { type GivenFolders, type ImapServer, imapServer, mail } from "./imap-world.ts";
import { failureOf, type MailHost, mailHost } from "./mail-bench.ts";

let host: MailHost;
beforeAll(async () => {
  host = await mailHost();
});
afterAll(() => host.close());

async function mailboxOf(
  folders: GivenFolders,
  settings: JsonObject = {},
): Promise<{ readonly server: ImapServer; readonly bench: AdapterBench }> {
  const server = await imapServer(folders);
  const bench = await host.run({ imap: server.section }, settings);
  onTestFinished(async () => {
    await bench.end();
    await server.close();
  });
  return { server, bench };
}

type Seen = { readonly id: string; readonly subject: string; readonly body: string } & JsonObject;
const list = (value: Json): readonly Seen[] => value as readonly Seen[];
const subjects = (value: Json): readonly string[] => list(value).map((one) => one.subject);

const THREE = [
  mail("one", "first"),
  { raw: mail("two", "second"), flags: ["\\Seen"] },
  mail("three", "third", "Cc: b@x.test, Team: c@y.test, d@y.test;\r\n"),
];

describe("read", () => {
  it("gives unread messages, newest first, and marks none", async () => {
    const { server, bench } = await mailboxOf({ INBOX: THREE });
    const found = list(await bench.call("read"));
    expect(found[0]).toEqual({
      id: "INBOX;1;3",
      from: "Ada Lovelace <ada@x.test>",
      to: ["robot@x.test"],
      cc: ["b@x.test", "c@y.test", "d@y.test"],
      subject: "three",
      body: "third",
      timestamp: "2027-03-01T08:00:00.000Z",
      unread: true,
      message_id: "<three@x.test>",
      in_reply_to: null,
      references: [],
      attachments: [],
      truncated: false,
    });
    expect(subjects(found)).toEqual(["three", "one"]);
    expect(await bench.call("G")).toEqual(found);
    expect(server.folder("INBOX").messages.map((one) => one.flags.includes("\\Seen"))).toEqual([false, true, false]);
  });

  it.each<readonly [string, readonly unknown[], readonly string[]]>([
    ["all", ["INBOX", 10, false], ["three", "two", "one"]],
    ["a few", ["INBOX", 1], ["three"]],
    ["oldest first", ["INBOX", 2, false, null, null, null, { order: "oldest" }], ["one", "two"]],
    ["later ones", [null, null, false, { since_uid: 2 }], ["three"]],
    ["none later", [null, null, false, { since_uid: 3 }], []],
    ["by sender", ["INBOX", 10, false, "ada@"], ["three", "two", "one"]],
    ["by another sender", ["INBOX", 10, false, "eve@"], []],
    ["by subject", ["INBOX", 10, false, null, "TWO"], ["two"]],
  ])("%s", async (_title, args, expected) => {
    const { bench } = await mailboxOf({ INBOX: THREE });
    expect(subjects(await bench.call("read", ...args))).toEqual(expected);
  });

  it("marks as seen when asked to, and only what it gave", async () => {
    const { server, bench } = await mailboxOf({ INBOX: THREE });
    expect(list(await bench.call("read", "INBOX", 1, { mark_seen: true }))[0]).toMatchObject({ unread: true });
    expect(server.folder("INBOX").messages.map((one) => one.flags.includes("\\Seen"))).toEqual([false, true, true]);
  });

  it("cuts bodies at whole characters and says so", async () => {
    const { bench } = await mailboxOf({
      INBOX: [
        mail(
          "long",
          Buffer.from("äöü").toString("latin1"),
          "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n",
        ),
      ],
    });
    const [cut] = list(await bench.call("read", null, null, null, { max_body_bytes: 3 }));
    expect(cut).toMatchObject({ truncated: true });
    expect(cut?.body.length).toBeLessThanOrEqual(3);
    expect(cut?.body).not.toContain("\ufffd");
  });

  it("an empty folder has none", async () => {
    const { bench } = await mailboxOf({ INBOX: [] });
    expect(await bench.call("read")).toEqual([]);
  });
});

describe("search", () => {
  const attached =
    "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nsee file\r\n--b\r\nContent-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\n1,2\r\n--b--\r\n";
  const INBOX = [
    ...THREE,
    `From: bob@x.test\r\nSubject: =?utf-8?Q?r=C3=A9sum=C3=A9?=\r\n${attached}`,
    { raw: mail("five", `${"word ".repeat(60)}end`), flags: ["\\Flagged", "billing"] },
  ];

  it.each<readonly [string, Json, readonly string[]]>([
    ["text", "second", ["two"]],
    ["sender", { from: "bob" }, ["résumé"]],
    ["body", { body: "third" }, ["three"]],
    ["unseen and subject", { unseen: true, subject: "thr" }, ["three"]],
    ["seen", { unseen: false }, ["two"]],
    ["attachment", { has_attachment: true }, ["résumé"]],
    ["no attachment", { has_attachment: false, subject: "one" }, ["one"]],
    ["flag", { flags: ["flagged"] }, ["five"]],
    ["keyword", { flags: ["billing"] }, ["five"]],
    ["nothing like it", { subject: 'quo"ted \\ text' }, []],
    ["before long ago", { before: "1999-01-01" }, []],
  ])("by %s", async (_title, query, expected) => {
    const { bench } = await mailboxOf({ INBOX });
    expect(subjects(await bench.call("search", query))).toEqual(expected);
  });

  it("shows the beginning of the text", async () => {
    const { bench } = await mailboxOf({ INBOX });
    const [found] = list(await bench.call("search", "five"));
    expect(found?.["snippet"]).toBe("word ".repeat(20).trim());
  });

  it.each<readonly [string, Json]>([
    ["a line break", "a\r\nA1 DELETE INBOX"],
    ["nothing", ""],
    ["an unknown member", { sender: "a" }],
    ["an invalid date", { since: "yesterday" }],
    ["an invalid flag", { flags: ["a b"] }],
  ])("refuses %s", async (_title, query) => {
    const { bench, server } = await mailboxOf({ INBOX });
    expect(await bench.code("search", query)).toBe("ADAPTER_BAD_ARGS");
    expect(server.connections.made).toBe(0);
  });
});

describe("fetch", () => {
  it("brings attachments when asked to", async () => {
    const raw =
      'From: a@x.test\r\nSubject: file\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\ntext\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="../../r.pdf"\r\n\r\nJVBERg==\r\n--b--\r\n';
    const { bench } = await mailboxOf({ INBOX: [raw] });
    const expected = { filename: "../../r.pdf", content_type: "application/pdf", size: 4 };
    expect(await bench.call("fetch", "INBOX;1;1")).toMatchObject({ body: "text", attachments: [expected] });
    expect(await bench.call("fetch", "INBOX;1;1", { attachments: true })).toMatchObject({
      attachments: [{ ...expected, content: { $base64: "JVBERg==" } }],
    });
  });

  it.each([
    ["INBOX;1;99", "ADAPTER_NOT_FOUND"],
    ["Nowhere;1;1", "ADAPTER_NOT_FOUND"],
    ["INBOX;2;1", "ADAPTER_CONFLICT"],
    ["INBOX;1;1;other", "ADAPTER_NOT_CONFIGURED"],
    ["INBOX", "ADAPTER_BAD_ARGS"],
    ["INBOX;1;0", "ADAPTER_BAD_ARGS"],
    ["INBOX\r\n;1;1", "ADAPTER_BAD_ARGS"],
  ])("%j fails with %s", async (id, code) => {
    const { bench } = await mailboxOf({ INBOX: THREE });
    expect(await bench.code("fetch", id)).toBe(code);
  });

  it("an id of before a change of UIDVALIDITY means no message", async () => {
    const { server, bench } = await mailboxOf({ INBOX: THREE });
    const [first] = list(await bench.call("read"));
    server.folder("INBOX").uidvalidity = 77;
    await bench.end();
    const later = await host.run({ imap: server.section });
    for (const [verb, ...args] of [["fetch"], ["move", "Archive"], ["flag", { add: ["seen"] }]] as const)
      expect(await later.code(verb, first?.id, ...args)).toBe("ADAPTER_CONFLICT");
    await later.end();
  });

  it("reads no more of a message than allowed", async () => {
    const { bench } = await mailboxOf({ INBOX: [mail("big", "x".repeat(5000))] }, { max_message_bytes: 1000 });
    const message = (await bench.call("fetch", "INBOX;1;1")) as JsonObject;
    expect(message).toMatchObject({ truncated: true, subject: "big" });
    expect(String(message["body"]).length).toBeLessThan(1000);
  });
});

it("folders are listed with their counts", async () => {
  const { bench } = await mailboxOf({ INBOX: THREE, Archive: [mail("old", "x")] });
  expect(await bench.call("folders")).toEqual([
    { name: "INBOX", total: 3, unseen: 2 },
    { name: "Archive", total: 1, unseen: 1 },
  ]);
});

it("a dropped connection is replaced once for a read", async () => {
  const { server, bench } = await mailboxOf({ INBOX: THREE });
  await bench.call("read");
  server.drop();
  expect(subjects(await bench.call("read"))).toEqual(["three", "one"]);
  expect(server.connections.made).toBe(2);
});

it("a connection that drops in the middle of a read is replaced once, and not twice", async () => {
  const { server, bench } = await mailboxOf({ INBOX: THREE });
  server.dropAfter("fetch completed");
  expect(subjects(await bench.call("read"))).toEqual(["three", "one"]);
  expect(server.connections.made).toBe(2);
  server.dropAfter("fetch completed", 2);
  const failure = await failureOf(bench.call("read"));
  expect(failure).toMatchObject({ code: "ADAPTER_TRANSPORT", retryable: true, data: { reason: "closed" } });
  expect(server.connections.made).toBe(3);
});

it("a server that does not answer the farewell is left all the same", async () => {
  const { server, bench } = await mailboxOf({ INBOX: THREE });
  await bench.call("read");
  server.freeze();
  await bench.end();
  await expect.poll(() => server.connections.open).toBe(0);
});

it("one connection serves a run and is closed at its end", async () => {
  const { server, bench } = await mailboxOf({ INBOX: THREE });
  await bench.call("read");
  await bench.call("search", "one");
  await bench.call("folders");
  expect(server.connections).toEqual({ made: 1, open: 1 });
  await bench.end();
  await expect.poll(() => server.connections.open).toBe(0);
});

it("a cancelled call closes its connection", async () => {
  const { server, bench } = await mailboxOf({ INBOX: THREE });
  await bench.call("read");
  server.freeze();
  const cancel = new AbortController();
  const call = failureOf(bench.callUnder(cancel.signal, "read"));
  await expect
    .poll(() => server.sent().match(/SEARCH/g)?.length)
    .toBe(2)
    .catch(() => {});
  cancel.abort();
  expect((await call).code).toBe("ADAPTER_CANCELLED");
  await expect.poll(() => server.connections.open).toBe(0);
});
