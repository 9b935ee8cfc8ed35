/** What is read of feeds: every format, careless writers, and those who mean harm. */
import { describe, expect, it } from "vitest";
import type { Feed, FeedVideo } from "../../../adapters/videomon/feed.ts";
import { parseFeed } from "../../../adapters/videomon/feed-text.ts";
import { AdapterError } from "../../../vm/errors.ts";
import { ATOM, ENTITY_BOMB, JSON_FEED, mediaRss, RSS, rssOf } from "./feeds.ts";
import { feedVideo } from "./stored-videos.ts";

const PUBLISHED = Date.UTC(2020, 0, 14, 10);

function parsed(text: string | Buffer, type = ""): Promise<Feed> {
  return parseFeed(Buffer.from(text as string), type);
}

async function video(item: string): Promise<FeedVideo | undefined> {
  return (await parsed(rssOf(`<item><guid>1</guid>${item}</item>`))).videos[0];
}

function codeOf(text: string | Buffer): Promise<string> {
  return parsed(text).then(
    () => "no error",
    (thrown: unknown) => (thrown instanceof AdapterError ? thrown.code : String(thrown)),
  );
}

describe("formats", () => {
  it("RSS 2.0", async () => {
    expect(await parsed(RSS)).toEqual({
      title: "Main & more",
      url: "https://video.example/main",
      videos: [
        feedVideo("v-1", {
          title: "First <steps> &amp; on",
          publishedMs: PUBLISHED,
          description: "How it begins – A",
          durationS: 3723,
          thumbnail: "https://video.example/v-1.jpg",
        }),
        feedVideo("v-2", { title: "Second", url: null }),
      ],
    });
  });

  it("Atom", async () => {
    expect(await parsed(ATOM)).toEqual({
      title: "Main",
      url: "https://video.example/main",
      videos: [
        feedVideo("v-1", {
          title: "First",
          publishedMs: PUBLISHED - 3_600_000,
          updatedMs: PUBLISHED + 3_600_000,
          description: "How it begins",
        }),
        feedVideo("v-2", {
          title: "Second",
          url: null,
          publishedMs: Date.UTC(2020, 0, 13),
          updatedMs: Date.UTC(2020, 0, 13),
        }),
      ],
    });
  });

  it("Media RSS", async () => {
    expect(await parsed(mediaRss(1200))).toEqual({
      title: "Main",
      url: null,
      videos: [
        feedVideo("v-1", {
          title: "First",
          publishedMs: PUBLISHED,
          description: "How it begins",
          thumbnail: "https://video.example/v-1.jpg",
          durationS: 95,
          views: 1200,
          likes: 3,
        }),
      ],
    });
  });

  it("JSON Feed", async () => {
    expect(await parsed(JSON_FEED)).toEqual({
      title: "Main",
      url: "https://video.example/main",
      videos: [
        feedVideo("v-1", {
          title: "First",
          publishedMs: PUBLISHED,
          updatedMs: PUBLISHED + 3_600_000,
          description: "How it begins",
          thumbnail: "https://video.example/v-1.jpg",
          durationS: 95,
        }),
        feedVideo("2", { title: "Second", url: null }),
      ],
    });
  });

  it.each([rssOf(""), "<feed></feed>", '{"items": []}', '{"items": [1, null, {}]}', rssOf("<item/>")])(
    "%s has no videos",
    async (text) => {
      expect((await parsed(text)).videos).toEqual([]);
    },
  );
});

describe("careless feeds", () => {
  it.each<readonly [item: string, expected: Partial<FeedVideo>]>([
    ["<link>https://video.example/a b</link>", { url: "https://video.example/a%20b" }],
    ["<link>/relative</link>", { url: null }],
    ["<link>data:text/html,x</link>", { url: null }],
    [
      "<title>a &amp;lt; b &nbsp; &unknown; &#0; &#xD800; &#x1F600;</title>",
      { title: "a &lt; b &nbsp; &unknown; &#0; &#xD800; 😀" },
    ],
    ["<title><b>bold</b></title>", { title: "" }],
    [`<title>${"x".repeat(3000)}</title>`, { title: "x".repeat(1000) }],
    [`<title>${"x".repeat(999)}😀</title>`, { title: "x".repeat(999) }],
    ["<pubDate>Wed, 31 Dec 1969 23:00:00 GMT</pubDate>", { publishedMs: null }],
    ["<pubDate>+099999-01-01T00:00:00Z</pubDate>", { publishedMs: null }],
    ["<itunes:duration>95</itunes:duration>", { durationS: 95 }],
    ["<itunes:duration>1:2:3:4</itunes:duration>", { durationS: null }],
    ["<itunes:duration>-1</itunes:duration>", { durationS: null }],
    ['<media:community><media:statistics views="many"/></media:community>', { views: null }],
    ['<media:community><media:statistics views="99999999999999999999"/></media:community>', { views: null }],
    ['<media:content duration="7"><media:title>Inner</media:title></media:content>', { title: "Inner", durationS: 7 }],
  ])("%s", async (item, expected) => {
    expect(await video(item)).toMatchObject(expected);
  });

  it("text of windows-1252 keeps its quotes", async () => {
    const text = `<?xml version="1.0" encoding="windows-1252"?>${rssOf("<item><guid>\x93a\x94</guid></item>")}`;
    const { videos } = await parsed(Buffer.from(text, "latin1"), "text/xml");
    expect(videos[0]?.id).toBe("“a”");
  });

  it("an id that comes twice counts once", async () => {
    const { videos } = await parsed(rssOf("<item><guid>1</guid><title>a</title></item><item><guid>1</guid></item>"));
    expect(videos).toEqual([feedVideo("1", { title: "a", url: null })]);
  });

  it.each<readonly [name: string, bytes: Buffer, type: string]>([
    ["the server's word", Buffer.from(rssOf("<item><guid>é</guid></item>"), "latin1"), "text/xml; charset=iso-8859-1"],
    [
      "the declaration",
      Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${rssOf("<item><guid>é</guid></item>")}`, "latin1"),
      "text/xml",
    ],
    ["the byte order mark", Buffer.from(`\ufeff${rssOf("<item><guid>é</guid></item>")}`, "utf16le"), ""],
    ["UTF-8", Buffer.from(`\ufeff${rssOf("<item><guid>é</guid></item>")}`), "application/rss+xml"],
  ])("the charset is that of %s", async (_name, bytes, type) => {
    expect((await parsed(bytes, type)).videos[0]?.id).toBe("é");
  });
});

describe("what is no feed", () => {
  it.each<readonly [name: string, text: string | Buffer]>([
    ["nothing", ""],
    ["text", "hello"],
    ["a page", "<!DOCTYPE html><html><body>Sign in</body></html>"],
    ["other XML", "<opml><body/></opml>"],
    ["RSS without channel", "<rss/>"],
    ["an open element", "<rss><channel><title>"],
    ["a wrong end", "<rss><channel></rss></channel>"],
    ["two roots", `${rssOf("")}${rssOf("")}<x>`],
    ["broken JSON", '{"items": ['],
    ["JSON without items", '{"version": "https://jsonfeed.org/version/1.1"}'],
    ["items that are no list", '{"items": {}}'],
    ["bytes of no charset", Buffer.from([0x3c, 0xff, 0xfe, 0xfd])],
    ["an unknown charset", `<?xml version="1.0" encoding="none-such"?>${rssOf("")}`],
    ["an entity bomb", ENTITY_BOMB],
    [
      "an outer entity",
      `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>${rssOf("<item><guid>&x;</guid></item>")}`,
    ],
    ["a hidden document type", `<!-- --> <!doctype x []>${rssOf("")}`],
    ["elements without end", "<a>".repeat(40) + "</a>".repeat(40)],
    ["a name that would change every object", "<__proto__><constructor/></__proto__>"],
  ])("%s", async (_name, text) => {
    expect(await codeOf(text)).toBe("ADAPTER_BAD_DATA");
  });

  it.each([
    ["5,001 items", rssOf("<item><guid>1</guid></item>".repeat(5_001))],
    ["a million elements", rssOf("<a/>".repeat(1_000_000))],
    ["half a million attributes without a value", `<rss ${"a ".repeat(500_000)}/>`],
    ["half a million words between quotes of a tag", `<rss ">${" a".repeat(500_000)} "/>`],
    ["half a million words of an instruction", `<?xml${" a".repeat(500_000)}?><rss/>`],
    ["half a million attributes", `<rss ${Array.from({ length: 500_000 }, (_, at) => `a${at}=""`).join(" ")}/>`],
  ])("%s: too large", async (_name, text) => {
    expect(await codeOf(text)).toBe("ADAPTER_TOO_LARGE");
  });

  it("entities that a document declares later stay as they are written", async () => {
    const text = `<rss><!DOCTYPE x [<!ENTITY a "boom">]><channel><item><guid>&a;</guid></item></channel></rss>`;
    const found = await parsed(text).then(
      ({ videos }) => videos.map(({ id }) => id),
      () => [],
    );
    expect(found).not.toContain("boom");
  });
});
