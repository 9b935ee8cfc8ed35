/** Mail made to be slow: it never takes the thread of other runs, and never more time or memory than a message may. */
import { afterEach, describe, expect, it } from "vitest";
import { MailParser, type MailParserOptions } from "../../../adapters/email/parser.ts";

const open: MailParser[] = [];
afterEach(async () => {
  for (const parser of open.splice(0)) await parser.close();
});

function parserWith(options?: MailParserOptions): MailParser {
  const parser = new MailParser(options);
  open.push(parser);
  return parser;
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
  const PARTS = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\nx\r\n".repeat(1_000_000)}`;
  it.each([
    ["time", PARTS],
    ["header", `To: ${"a:".repeat(200_000)}\r\n\r\nx`],
  ])("of %s counts as one that cannot be parsed, and the next one can", async (_what, message) => {
    const parser = parserWith({ timeoutMs: 500 });
    const [slow, honest] = await Promise.all([parser.parse(Buffer.from(message)), parser.parse(HONEST)]);
    expect(slow).toBeNull();
    expect(honest?.text?.trim()).toBe("hello");
  });

  it("leaves this thread to others meanwhile", async () => {
    const parsing = parserWith({ timeoutMs: 200 }).parse(Buffer.from(PARTS));
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    expect(await parsing).toBeNull();
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });
});

describe("a parser that is closed", () => {
  it("parses nothing more", async () => {
    const parser = parserWith();
    expect((await parser.parse(HONEST))?.subject).toBe("s");
    await parser.close();
    expect(await parser.parse(HONEST)).toBeNull();
  });
});
