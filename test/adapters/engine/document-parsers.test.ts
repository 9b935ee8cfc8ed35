/** Documents made to be slow never hold the thread of the runs, and the threads that parse them are few. */
import { afterEach, describe, expect, it } from "vitest";
import {
  createDocumentParsers,
  type DocumentParsers,
  type DocumentParsersOptions,
} from "../../../adapters/content/document-parsers.ts";

const open: DocumentParsers[] = [];
afterEach(async () => {
  for (const parsers of open.splice(0)) await parsers.close();
});

function parsersWith(options?: DocumentParsersOptions): DocumentParsers {
  const parsers = createDocumentParsers(options);
  open.push(parsers);
  return parsers;
}

const going = new AbortController().signal;
const SLOW_FEED = Buffer.from(`<rss><channel>${"<a/>".repeat(280_000)}</channel></rss>`);
const FEED = Buffer.from("<rss><channel><title>t</title><item><guid>1</guid></item></channel></rss>");
const SLOW_CALENDAR = `BEGIN:VCALENDAR\r\n${"A:\n".repeat(90_000)}END:VCALENDAR`;
const SLOW_MAIL = Buffer.from(
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\nx\r\n".repeat(1_000_000)}`,
);

describe("each kind of document", () => {
  it("is parsed in the thread as it would be here", async () => {
    const parsers = parsersWith();
    expect(await parsers.parse("feed", [FEED, ""], going)).toMatchObject({ title: "t", videos: [{ id: "1" }] });
    expect((await parsers.parse("mail", [Buffer.from("Subject: s\r\n\r\nx")], going))?.subject).toBe("s");
    const text = "BEGIN:VCALENDAR\r\nX-A:b\r\nEND:VCALENDAR";
    expect(await parsers.parse("calendars", [[{ text, object: "one" }]], going)).toEqual([
      { calendar: ["vcalendar", [["x-a", {}, "unknown", "b"]], []], incomplete: false, unreadable: [] },
    ]);
    const multistatus = "<multistatus><response><href>/a</href></response></multistatus>";
    expect(await parsers.parse("multistatus", [multistatus], going)).toMatchObject([{ href: "/a", failed: null }]);
  });

  it("that is broken fails as it would here", async () => {
    const parsers = parsersWith();
    await expect(parsers.parse("feed", [Buffer.from("<x>"), ""], going)).rejects.toMatchObject({
      code: "ADAPTER_BAD_DATA",
      retryable: false,
      message: "the feed is not well-formed",
    });
    expect(await parsers.parse("calendars", [[{ text: "x", object: "one" }]], going)).toEqual([
      { calendar: null, reason: "the calendar data is not iCalendar" },
    ]);
  });
});

describe("a document that was made to be slow", () => {
  it.each<[string, (parsers: DocumentParsers) => Promise<unknown>]>([
    ["a feed", (parsers) => parsers.parse("feed", [SLOW_FEED, ""], going)],
    ["a calendar", (parsers) => parsers.parse("calendars", [[{ text: SLOW_CALENDAR, object: "" }]], going)],
  ])("leaves this thread to others: %s", async (_, parse) => {
    const parsers = parsersWith({ timeoutMs: 60_000 });
    await parsers.parse("feed", [FEED, ""], going);
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    await parse(parsers);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });

  it("ends with its thread when it takes too long, and the next one is parsed", async () => {
    const parsers = parsersWith({ timeoutMs: 100, threads: 1 });
    await expect(parsers.parse("mail", [SLOW_MAIL], going)).rejects.toMatchObject({
      code: "ADAPTER_TOO_LARGE",
      message: "the document takes more time or memory to parse than one may",
    });
    expect((await parsers.parse("mail", [Buffer.from("Subject: s\r\n\r\nx")], going))?.subject).toBe("s");
  });

  it("ends when its call is abandoned", async () => {
    const parsers = parsersWith({ timeoutMs: 60_000, threads: 1 });
    const call = new AbortController();
    const parsing = parsers.parse("mail", [SLOW_MAIL], call.signal);
    setImmediate(() => call.abort());
    await expect(parsing).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
  });
});

describe("the threads", () => {
  it("are few: further documents wait until one is free or they are no longer wanted", async () => {
    const parsers = parsersWith({ timeoutMs: 60_000, threads: 1, waiting: 1 });
    const first = new AbortController();
    const slow = parsers.parse("mail", [SLOW_MAIL], first.signal);
    const waits = parsers.parse("feed", [FEED, ""], going);
    await expect(parsers.parse("feed", [FEED, ""], going)).rejects.toMatchObject({
      code: "ADAPTER_BUSY",
      retryable: true,
    });
    first.abort();
    await expect(slow).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    expect(await waits).toMatchObject({ title: "t" });
  });
});
