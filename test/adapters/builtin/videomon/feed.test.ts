/** What is read of feeds: every format, careless writers, and those who mean harm. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Feed, FeedVideo } from "../../../../adapters/content/feed/feed.ts";
import { parseFeed } from "../../../../adapters/content/feed/text.ts";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { ATOM, ENTITY_BOMB, JSON_FEED, mediaRss, RSS, rssOf } from "./feeds.ts";
import { feedVideo } from "./stored-videos.ts";

const PUBLISHED = Date.UTC(2020, 0, 14, 10);

function parsed(text: string | Buffer, type = "", address?: string): Promise<Feed> {
  return parseFeed(Buffer.from(text as string), type, address);
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

describe("feeds in the wild", () => {
  const file = (name: string) => readFileSync(new URL(`../../../fixtures/feeds/${name}.xml`, import.meta.url));
  const ADDRESS = "http://v.example/feeds/all.xml";

  it("have blank lines before their declaration", async () => {
    expect((await parsed(file("lead1251"), "text/xml")).videos).toMatchObject([{ title: "Новости" }]);
  });

  it("have a charset that the server gets wrong", async () => {
    expect((await parsed(file("lead1251"), "text/xml; charset=utf-8")).videos).toMatchObject([{ title: "Новости" }]);
  });

  it("have links that are relative to their base, and titles of XHTML", async () => {
    const { title, url, videos } = await parsed(file("atom"));
    expect([title, url]).toEqual(["T &amp; U", null]);
    expect(videos).toMatchObject([
      { id: "urn:1", url: "http://v.example/base/rel/1", publishedMs: Date.UTC(2024, 9, 2, 8, 0, 0, 500) },
      { id: "urn:2", url: "http://v.example/base/rel/2", title: "X Y Z" },
    ]);
  });

  it("have dates that mean the same on every machine, or none", async () => {
    const { videos } = await parsed(file("dates"));
    const dates = new Map(videos.map(({ id, publishedMs }) => [id, publishedMs]));
    expect(dates.get("d06")).toBe(Date.UTC(2012, 4, 23, 2, 23, 1));
    expect(dates.get("d08")).toBe(Date.UTC(2024, 9, 2, 8));
    expect(videos.filter(({ publishedMs }) => publishedMs === null).map(({ id }) => id)).toEqual(["d14", "d15"]);
  });

  it.each<readonly [what: string, feed: string, expected: Partial<FeedVideo>]>([
    [
      "a link relative to the address of the feed",
      rssOf("<item><guid>1</guid><link>../v/1</link></item>"),
      { url: "http://v.example/v/1" },
    ],
    [
      "a link that begins with the host",
      rssOf("<item><guid>1</guid><link>//w.example/1</link></item>"),
      { url: "http://w.example/1" },
    ],
    [
      "a base of an item, relative to that of the feed",
      '<rss xml:base="/a/"><channel><item xml:base="b/"><guid>1</guid><link>1</link></item></channel></rss>',
      { url: "http://v.example/a/b/1" },
    ],
    [
      "a base of a link",
      '<feed xml:base="http://w.example/a/"><entry><id>1</id><link xml:base="b/" href="1"/></entry></feed>',
      { url: "http://w.example/a/b/1" },
    ],
    [
      "a base that is not an address",
      '<feed xml:base="http://"><entry><id>1</id><link href="1"/></entry></feed>',
      { url: "http://v.example/feeds/1" },
    ],
    [
      "a picture that is relative",
      rssOf('<item><guid>1</guid><media:thumbnail url="/p.jpg"/></item>'),
      { thumbnail: "http://v.example/p.jpg" },
    ],
    [
      "an item of JSON",
      '{"items":[{"id":1,"url":"/1","image":"p.jpg"}]}',
      { url: "http://v.example/1", thumbnail: "http://v.example/feeds/p.jpg" },
    ],
    ["a scheme that is not of the web", rssOf("<item><guid>1</guid><link>javascript:x</link></item>"), { url: null }],
    [
      "XHTML of several blocks",
      '<feed><entry><id>1</id><title type="xhtml"><x:div xmlns:x="http://www.w3.org/1999/xhtml"><x:p>A &amp;<x:i>B</x:i></x:p><x:p title="&gt;>">C<!-- no --></x:p></x:div></title></entry></feed>',
      { title: "A &B C" },
    ],
    [
      "XHTML as content",
      '<feed><entry><id>1</id><content type="xhtml"><div><p>A</p><br/>B</div></content></entry></feed>',
      { description: "A B" },
    ],
    [
      "HTML in CDATA",
      '<feed><entry><id>1</id><title type="html"><![CDATA[A <b>B</b>]]> &lt;i&gt;</title></entry></feed>',
      { title: "A <b>B</b> <i>" },
    ],
  ])("have %s", async (_, feed, expected) => {
    expect((await parsed(feed, "", ADDRESS)).videos).toMatchObject([expected]);
  });
});

describe("invalid feeds", () => {
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
    ["items that are not a list", '{"items": {}}'],
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
