/** Mail made to be slow: a message that takes too much is one that cannot be parsed, and the next one can. */
import { afterEach, describe, expect, it } from "vitest";
import { MailParser } from "../../../../adapters/builtin/email/message/parser.ts";
import {
  createDocumentParsers,
  type DocumentParsers,
  type DocumentParsersOptions,
} from "../../../../adapters/content/document-parsers.ts";

const open: DocumentParsers[] = [];
afterEach(async () => {
  for (const parsers of open.splice(0)) await parsers.close();
});

function parserWith(options?: DocumentParsersOptions): MailParser {
  const parsers = createDocumentParsers(options);
  open.push(parsers);
  return new MailParser(parsers);
}

const HTML = "Content-Type: text/html\r\n\r\n";
const HONEST = Buffer.from("Subject: s\r\n\r\nhello\r\n");

describe("a message of many lines", () => {
  it("is parsed like any other", async () => {
    const parser = parserWith({ timeoutMs: 60_000 });
    const email = await parser.parse(Buffer.from(`${HTML}${"a\r\n".repeat(300_000)}<b>x</b>`));
    expect([email?.html, email?.text]).toEqual([`${"a\n".repeat(300_000)}<b>x</b>\n`, `${"a ".repeat(300_000)}x`]);
  });
});

describe("a message that takes too much", () => {
  it.each([
    ["time", `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\nx\r\n".repeat(1_000_000)}`],
    ["header", `To: ${"a:".repeat(200_000)}\r\n\r\nx`],
  ])("of %s counts as one that cannot be parsed, and the next one can", async (_what, message) => {
    const parser = parserWith({ timeoutMs: 500, threads: 1 });
    const [slow, honest] = await Promise.all([parser.parse(Buffer.from(message)), parser.parse(HONEST)]);
    expect(slow).toBeNull();
    expect(honest?.text?.trim()).toBe("hello");
  });
});

describe("a parser that is closed", () => {
  it("parses nothing more, and what it was parsing ends", async () => {
    const parser = parserWith();
    expect((await parser.parse(HONEST))?.subject).toBe("s");
    const parsing = parser.parse(HONEST);
    parser.close();
    await expect(parsing).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    await expect(parser.parse(HONEST)).rejects.toMatchObject({ code: "ADAPTER_BUSY" });
  });
});
