/** Feeds of every format, with the same two videos as far as the format can say. */

export const RSS = `<?xml version="1.0"?>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
<channel><title>Main &amp; more</title><link>https://video.example/main</link>
<item><guid isPermaLink="false">v-1</guid><title><![CDATA[First <steps> &amp; on]]></title><link>https://video.example/v-1</link>
  <pubDate>Tue, 14 Jan 2020 10:00:00 GMT</pubDate><description>How it begins &#8211; &#x41;</description>
  <itunes:duration>1:02:03</itunes:duration><itunes:image href="https://video.example/v-1.jpg"/></item>
<item><guid>v-2</guid><title>Second</title><link>javascript:alert(1)</link><pubDate>not a date</pubDate></item>
</channel></rss>`;

export const ATOM = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">Main</title>
<link rel="self" href="https://video.example/feed"/><link rel="alternate" href="https://video.example/main"/>
<entry><id>v-1</id><title>First</title><link href="https://video.example/v-1"/><published>2020-01-14T10:00:00+01:00</published>
  <updated>2020-01-14T11:00:00Z</updated><summary>How it begins</summary></entry>
<entry><id>v-2</id><title>Second</title><updated>2020-01-13T00:00:00Z</updated></entry></feed>`;

export function mediaRss(views: number, likes = 3): string {
  return `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>Main</title>
<entry><id>v-1</id><published>2020-01-14T10:00:00Z</published><link rel="alternate" href="https://video.example/v-1"/>
<media:group><media:title>First</media:title><media:content url="https://video.example/v-1.mp4" duration="95"/>
<media:thumbnail url="https://video.example/v-1.jpg" width="10"/><media:description>How it begins</media:description>
<media:community><media:starRating count="${likes}" average="5.00"/><media:statistics views="${views}"/></media:community>
</media:group></entry></feed>`;
}

export const JSON_FEED = JSON.stringify({
  version: "https://jsonfeed.org/version/1.1",
  title: "Main",
  home_page_url: "https://video.example/main",
  items: [
    {
      id: "v-1",
      title: "First",
      url: "https://video.example/v-1",
      content_text: "How it begins",
      date_published: "2020-01-14T10:00:00Z",
      date_modified: "2020-01-14T11:00:00Z",
      image: "https://video.example/v-1.jpg",
      attachments: [{ url: "https://video.example/v-1.mp4", mime_type: "video/mp4", duration_in_seconds: 95 }],
    },
    { id: 2, title: "Second" },
  ],
});

export function rssOf(items: string): string {
  return `<rss version="2.0"><channel><title>T</title>${items}</channel></rss>`;
}

/** Doubles at every level: the end would be a gigabyte. */
export const ENTITY_BOMB = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "xxxxxxxxxx">${Array.from(
  { length: 26 },
  (_, at) => `<!ENTITY a${at} "${at === 0 ? "&a;&a;" : `&a${at - 1};&a${at - 1};`}">`,
).join("")}]>${rssOf("<item><guid>1</guid><title>&a25;</title></item>")}`;
