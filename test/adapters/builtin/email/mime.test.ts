/** Messages as they really come: charsets, nesting, and mail that is broken by accident or on purpose. */
import { readFileSync } from "node:fs";
import type { FetchMessageObject, MailboxObject } from "imapflow";
import { afterAll, describe, expect, it } from "vitest";
import { type Message, message, messageOf, snippetOf } from "../../../../adapters/builtin/email/message/message.ts";
import { storedId, writtenId } from "../../../../adapters/builtin/email/message/message-id.ts";
import { MailParser } from "../../../../adapters/builtin/email/message/parser.ts";
import { createDocumentParsers } from "../../../../adapters/content/document-parsers.ts";
import { textOfHtml } from "../../../../adapters/content/html-text.ts";

const folder = { path: "INBOX", uidValidity: 7n } as MailboxObject;
const parsers = createDocumentParsers();
const parser = new MailParser(parsers);
afterAll(() => parsers.close());

/** `raw`: one character per byte. */
function read(raw: string | Buffer, more: Partial<FetchMessageObject> = {}, contents = false): Promise<Message> {
  const source = typeof raw === "string" ? Buffer.from(raw, "latin1") : raw;
  const fetched: FetchMessageObject = { seq: 1, uid: 3, source, size: source.length, flags: new Set(), ...more };
  return messageOf(fetched, folder, {
    parser,
    account: "default",
    maxMessageBytes: 10_000_000,
    maxBodyBytes: 1_000_000,
    contents,
  });
}

const utf8 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const multipart = (parts: readonly string[], type = "mixed", boundary = "b"): string =>
  `Content-Type: multipart/${type}; boundary="${boundary}"\r\n\r\n${parts
    .map((part) => `--${boundary}\r\n${part}\r\n`)
    .join("")}--${boundary}--\r\n`;

describe("texts", () => {
  it.each<readonly [string, string, Partial<Message>]>([
    ["UTF-8, 8 bit", `Content-Type: text/plain; charset=utf-8\r\n\r\n${utf8("größe 😀")}`, { body: "größe 😀" }],
    ["ISO-8859-1", "Content-Type: text/plain; charset=iso-8859-1\r\n\r\ngr\xf6\xdfe", { body: "größe" }],
    [
      "windows-1252",
      "Subject: =?windows-1252?Q?=93a=94?=\r\nFrom: =?iso-8859-1?Q?O=92Neil?= <o@x.test>\r\nContent-Type: text/plain; charset=windows-1252\r\n\r\n5 \x80 \x96 it\x92s",
      { subject: "“a”", from: "O’Neil <o@x.test>", body: "5 € – it’s" },
    ],
    [
      "windows-1252 in HTML",
      "Content-Type: text/html; charset=windows-1252\r\n\r\n<p>5 \x80</p>",
      { body: "5 €", body_html: "<p>5 €</p>\n" },
    ],
    ["KOI8-R", "Content-Type: text/plain; charset=koi8-r\r\n\r\n\xd0\xd2\xc9\xd7\xc5\xd4", { body: "привет" }],
    ["Shift_JIS", "Content-Type: text/plain; charset=shift_jis\r\n\r\n\x93\xfa\x96\x7b", { body: "日本" }],
    ["GB18030", "Content-Type: text/plain; charset=gb18030\r\n\r\n\xc4\xe3\xba\xc3", { body: "你好" }],
    [
      "quoted-printable",
      "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\ngr=C3=B6=\r\n=C3=9Fe",
      { body: "größe" },
    ],
    [
      "base64",
      `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from("größe").toString("base64")}`,
      { body: "größe" },
    ],
    ["no type at all", "Subject: x\r\n\r\nplain", { body: "plain" }],
    ["an unknown charset", "Content-Type: text/plain; charset=x-none\r\n\r\nplain", { body: "plain" }],
    ["line ends of all kinds", "Subject: x\r\n\r\na\r\nb\nc\r\n\r\n", { body: "a\nb\nc" }],
    ["encoded words", "Subject: =?utf-8?B?Z3LDtsOfZQ==?= =?iso-8859-1?Q?_=FC?=\r\n\r\nx", { subject: "größe ü" }],
    ["a folded subject", "Subject: one\r\n two\r\n\r\nx", { subject: "one two" }],
    ["raw UTF-8 in headers", `Subject: ${utf8("größe")}\r\n\r\nx`, { subject: "größe" }],
    ["a line break hidden in a subject", "Subject: =?utf-8?Q?a=0D=0ABcc:_b?=\r\n\r\nx", { subject: "a Bcc: b" }],
    ["HTML alone", "Content-Type: text/html\r\n\r\n<p>Hi &amp; <b>you</b></p>", { body: "Hi & you" }],
    [
      "text next to HTML",
      multipart(["Content-Type: text/plain\r\n\r\nplain", "Content-Type: text/html\r\n\r\n<p>rich</p>"], "alternative"),
      { body: "plain" },
    ],
  ])("%s", async (_title, raw, expected) => {
    const found = await read(raw);
    expect(found).toMatchObject(expected);
    expect(message.safeParse(found).success).toBe(true);
  });
});

describe("encoded words that cut a character", () => {
  const eml = (name: string) => readFileSync(new URL(`../../../fixtures/mail/${name}.eml`, import.meta.url));

  it.each<readonly [name: string, expected: Partial<Message>]>([
    ["gb3", { subject: "黄金价格测试上涨" }],
    ["gb3case", { subject: "黄金价格测试上涨" }],
    ["u3", { subject: "🎉 Jubiläum am Freitag" }],
    ["u2pad", { subject: "🎉 Jubiläum am Freitag" }],
    ["uq", { subject: "café x" }],
    ["iso2022", { subject: "日本語件名" }],
    ["lang", { subject: "Grüße" }],
    ["noFold", { subject: "abc" }],
    ["spaces", { subject: "a b c" }],
    ["from", { from: "Jörg Ölmüller <a@example.com>" }],
  ])("%s.eml is read", async (name, expected) => {
    expect(await read(eml(name))).toMatchObject(expected);
  });

  it.each<readonly [what: string, header: string, expected: Partial<Message>]>([
    ["of two spellings of a charset", "Subject: =?UTF8?Q?caf=C3?=\r\n =?utf-8?b?qSE=?=", { subject: "café!" }],
    ["of a charset and its superset", "Subject: =?gbk?B?u8a9?= =?GB2312?B?8A==?=", { subject: "黄金" }],
    ["with a language", "Subject: =?utf-8*fr?Q?caf=C3?= =?UTF-8*FR?Q?=A9?=", { subject: "café" }],
    [
      "of four words, one byte each",
      `Subject: ${["8A==", "nw==", "jg==", "iQ=="].map((one) => `=?utf-8?B?${one}?=`).join("\r\n\t")}`,
      { subject: "🎉" },
    ],
    [
      "whose base64 itself is cut",
      "Subject: =?utf-8?B?SsO2cmcgw5?=\r\n =?utf-8?B?ZsbWxlcg==?=",
      { subject: "Jörg Ölmler" },
    ],
    ["with padding in the middle", "Subject: =?utf-8?B?w7Y=w7w=?= =?utf-8?B?w6Q=?=", { subject: "öüä" }],
    ["in quotes of a name", 'From: "=?utf-8?B?SsM=?=\r\n =?UTF-8?B?tnJn?=" <a@x.test>', { from: "Jörg <a@x.test>" }],
    [
      "in a recipient next to others",
      "From: a@x.test\r\nTo: b@x.test, =?utf-8?Q?J=C3?= =?utf-8?Q?=B6rg?= <c@x.test>",
      { to: ["b@x.test", "Jörg <c@x.test>"] },
    ],
    [
      "next to words of another charset",
      "Subject: =?utf-8?Q?=C3?= =?utf-8?Q?=A9?= =?iso-8859-1?Q?=E9?= x =?utf-8?Q?y?=",
      { subject: "éé x y" },
    ],
    ["of an unknown charset", "Subject: =?x-none?Q?a?= =?X-NONE?Q?b?=", { subject: "ab" }],
    [
      "that hide another header",
      "From: =?utf-8?Q?a=0D=0A?= =?utf-8?Q?Bcc:_b?= <a@x.test>",
      { from: '"a Bcc: b" <a@x.test>' },
    ],
  ])("%s are joined", async (_, header, expected) => {
    expect(await read(`${header}\r\n\r\nx`)).toMatchObject(expected);
  });

  it("are joined in names of files, and left as they are in bodies", async () => {
    const words = "=?utf-8?B?w7Y=?= =?UTF-8?B?w6Q=?=";
    const cut = "=?utf-8?B?ww==?= =?UTF-8?B?ti50eHQ=?=";
    const file = `Content-Type: text/csv\r\nContent-Disposition: attachment;\r\n filename="${cut}"\r\n\r\n1`;
    const inner = `Content-Type: message/rfc822\r\n\r\nSubject: ${cut}\r\n\r\nx`;
    const found = await read(`Subject: x\r\n${multipart([`Content-Type: text/plain\r\n\r\n${words}`, file, inner])}`);
    expect(found.body).toContain(words);
    expect(found.attachments[0]).toMatchObject({ filename: "ö.txt" });
  });
});

describe("structure", () => {
  it("nested parts and attachments", async () => {
    const inner = multipart(
      ["Content-Type: text/plain\r\n\r\ndeep", "Content-Type: text/html\r\n\r\n<i>deep</i>"],
      "alternative",
      "i",
    );
    const pdf =
      'Content-Type: application/pdf; name="=?utf-8?Q?gr=C3=B6=C3=9Fe.pdf?="\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==';
    const star = "Content-Type: text/csv\r\nContent-Disposition: attachment; filename*=utf-8''%C3%A4.csv\r\n\r\n1,2";
    const found = await read(`Subject: x\r\n${multipart([inner, pdf, star])}`, {}, true);
    expect(found).toMatchObject({
      body: "deep",
      attachments: [
        { filename: "größe.pdf", content_type: "application/pdf", size: 4, content: { $base64: "JVBERg==" } },
        { filename: "ä.csv", content_type: "text/csv" },
      ],
    });
  });

  it("addresses of every kind", async () => {
    const found = await read(
      'From: =?utf-8?Q?J=C3=B6rg?= <j@x.test>\r\nTo: a@x.test, "B, C" <b@x.test>, someone, Team: d@x.test;\r\nCc: undisclosed-recipients:;\r\n\r\nx',
    );
    expect(found).toMatchObject({
      from: "Jörg <j@x.test>",
      to: ["a@x.test", '"B, C" <b@x.test>', "d@x.test"],
      cc: [],
    });
  });

  it("a thread", async () => {
    const found = await read("Message-ID: <3@x>\r\nIn-Reply-To: <2@x>\r\nReferences: <1@x> junk\r\n <2@x>\r\n\r\nx");
    expect(found).toMatchObject({ message_id: "<3@x>", in_reply_to: "<2@x>", references: ["<1@x>", "<2@x>"] });
  });

  it.each<readonly [string, Date | undefined, string | null]>([
    ["Mon, 01 Mar 2027 09:00:00 +0100", undefined, "2027-03-01T08:00:00.000Z"],
    ["whenever", new Date("2027-03-02T00:00:00Z"), "2027-03-02T00:00:00.000Z"],
    ["whenever", undefined, null],
    ["Mon, 01 Mar 2027 09:00:00", undefined, "2027-03-01T09:00:00.000Z"],
    ["31 Feb 2027 09:00:00 +0000", new Date("2027-03-02T00:00:00Z"), "2027-03-02T00:00:00.000Z"],
  ])("the date %s, received %s", async (date, received, expected) => {
    const more = received === undefined ? {} : { internalDate: received };
    expect(await read(`Date: ${date}\r\n\r\nx`, more)).toMatchObject({ timestamp: expected });
  });
});

describe("broken mail", () => {
  const deep = (depth: number): string =>
    Array.from(
      { length: depth },
      (_one, at) => `Content-Type: multipart/mixed; boundary="n${at}"\r\n\r\n--n${at}\r\n`,
    ).join("");

  it.each<readonly [string, string | Buffer]>([
    ["nothing", ""],
    ["bytes", Buffer.from(Array.from({ length: 512 }, (_one, at) => at % 256))],
    ["no end of a boundary", 'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\nx'],
    ["no boundary", "Content-Type: multipart/mixed\r\n\r\nx"],
    ["invalid base64", "Content-Transfer-Encoding: base64\r\n\r\n!!!=="],
    ["many parts within parts", deep(300)],
    ["a header of megabytes", `X: ${"y".repeat(3_000_000)}\r\n\r\nx`],
    ["headers without end", "A: b\r\n".repeat(50_000)],
    ["half a character", "Content-Type: text/plain; charset=utf-8\r\n\r\n\xc3"],
    ["NUL in a subject", "Subject: a\0b\r\n\r\nx"],
  ])("%s", async (_title, raw) => {
    const found = await read(raw);
    expect(message.safeParse(found).success).toBe(true);
    expect(JSON.stringify(found).isWellFormed()).toBe(true);
    expect(found.subject).not.toMatch(/\p{Cc}/u);
  });

  it("too deep to be parsed still has what the server says of it", async () => {
    const envelope = { subject: "s", from: [{ name: "A", address: "a@x.test" }], messageId: "<1@x>" };
    expect(await read(deep(300), { envelope })).toMatchObject({
      from: "A <a@x.test>",
      subject: "s",
      message_id: "<1@x>",
      body: "",
      truncated: true,
    });
  });
});

describe("mail that would be dear to parse", () => {
  const forwarded = (levels: number): string =>
    Array.from({ length: levels }, (_one, at) => `Subject: ${at}\r\nContent-Type: message/rfc822\r\n\r\n`).join("");

  it("messages within messages are attachments below the second", async () => {
    expect((await read(`${forwarded(2)}Subject: last\r\n\r\ntext`)).body).toContain("text");
    const found = await read(`${forwarded(3)}Subject: last\r\n\r\ntext`);
    expect(found.attachments).toMatchObject([{ content_type: "message/rfc822" }]);
  });

  it("headers of groups within groups are not parsed beyond a bound", async () => {
    expect(await read(`To: ${"g:".repeat(1_000_000)}\r\n\r\nx`)).toMatchObject({ to: [], truncated: true });
  });
});

describe("text of HTML", () => {
  it.each([
    ["<p>a</p><p>b</p>", "a\n\nb"],
    ["a<br>b<BR/>c", "a\nb\nc"],
    ["<style>p{}</style><script>alert('<p>')</script>x", "x"],
    ["&lt;b&gt; &#233; &#x1F600; &nope; &#xD800; &#99999999;", "<b> é 😀 &nope; &#xD800; &#99999999;"],
    ["<!-- <p> hidden --> shown", "shown"],
    ["&uuml;&Uuml;&szlig; &mdash;&hellip;&euro; &frac12;&there4; &thetasym;&nbsp;&apos;", "üÜß —…€ ½∴ ϑ '"],
    ["it&#146;s &#x80;", "it’s €"],
    ["a < b, 1 <2 <b>c</b>", "a < b, 1 <2 c"],
    ["<div", ""],
    ["", ""],
  ])("%j", (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  it.each([["<"], ["<script>"], ["<!--"], ["</p "], ["&"], ["<p"]])(
    "reads many %j without looking back",
    { timeout: 60_000 },
    (piece) => {
      // A pass that looked back would take minutes.
      expect(textOfHtml(piece.repeat(500_000)).length).toBeLessThanOrEqual(piece.length * 500_000);
    },
  );
});

it("a snippet is a hundred characters on one line", async () => {
  expect(snippetOf(await read(`\r\n\r\n  a\r\n\r\nb ${"x".repeat(300)}`))).toBe(`a b ${"x".repeat(96)}`);
  const smiles = "Content-Type: text/plain; charset=utf-8\r\n\r\n";
  expect(snippetOf(await read(smiles + utf8("😀".repeat(150))))).toBe("😀".repeat(100));
});

it.each([
  ["INBOX", "default", "INBOX;7;3"],
  ["a;1;2", "default", "a;1;2;7;3"],
  ["a;1;2;b", "shop", "a;1;2;b;7;3;shop"],
  ["Entwürfe/ä b", "_", "Entwürfe/ä b;7;3;_"],
])("the id of a message in %s of %s is read as it was written", (path, account, text) => {
  const id = { folder: path, uidValidity: 7n, uid: 3, account };
  expect(writtenId(id)).toBe(text);
  expect(storedId().parse(text)).toEqual(id);
});
