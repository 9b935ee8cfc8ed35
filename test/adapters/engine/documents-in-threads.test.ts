/** Which documents of others the adapters have parsed in a thread: all but small ones, and many small ones too. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { videomonAdapter } from "../../../adapters/builtin/videomon/definition.ts";
import { createDocumentParsers, type DocumentParsers } from "../../../adapters/content/document-parsers.ts";
import { createHttpService } from "../../../adapters/guard/http/service.ts";
import { NO_PLACES, openBench } from "../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { icsOf } from "../builtin/calendar/caldav-world.ts";
import { calendarBench } from "../builtin/calendar/calendar-bench.ts";
import { type WebServer, webServer } from "../builtin/http/servers.ts";
import { socialBench } from "../builtin/social/social-bench.ts";
import { wallClock } from "../builtin/svc/wall-clock.ts";
import { RSS, rssOf } from "../builtin/videomon/feeds.ts";

const folder = mkdtempSync(join(tmpdir(), "weft-documents-"));
const http = createHttpService();
const sqlite = inProcessSqlite();
const threads = createDocumentParsers();
const kinds: string[] = [];
/** Real ones that tell what they were given. */
const parsers: DocumentParsers = {
  parse(kind, source, signal) {
    kinds.push(kind);
    return threads.parse(kind, source, signal);
  },
  close: () => threads.close(),
};
const services = { places: NO_PLACES, http, sqlite, parsers };
const servers: WebServer[] = [];

afterEach(async () => {
  kinds.length = 0;
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(async () => {
  await Promise.all([http.close(), sqlite.close(), threads.close()]);
  rmSync(folder, { recursive: true });
});

async function serverOf(text: string): Promise<WebServer> {
  const server = await webServer((_request, response) => response.end(text));
  servers.push(server);
  return server;
}

const LARGE_RSS = rssOf(`<item><guid>1</guid><description>${"x".repeat(9_000)}</description></item>`);

describe("a feed", () => {
  it.each([
    ["small", RSS, []],
    ["large", LARGE_RSS, ["feed"]],
  ])("that is polled, %s", async (size, text, expected) => {
    const { base } = await serverOf(text);
    const settings = { db_path: join(folder, `${size}.db`), channels: { main: { feed: base } } };
    const bench = await openBench(videomonAdapter, { services, clock: wallClock(), settings });
    expect(await bench.call("poll", "main")).toMatchObject([{ error: null }]);
    expect(kinds).toEqual(expected);
    await bench.end();
  });

  const bench = socialBench();
  it("that is read as posts", async () => {
    const { base } = await serverOf(LARGE_RSS);
    const adapter = await bench.open({ accounts: { log: { provider: "rss", base_url: base } } }, { services });
    expect(await adapter.call("timeline")).toHaveLength(1);
    expect(kinds).toEqual(["feed"]);
  });
});

describe("a calendar", () => {
  const bench = calendarBench();
  const WEEK = ["2027-03-01", "2027-03-08"] as const;
  const event = (uid: string, more = "") => icsOf(`UID:${uid}`, "DTSTART:20270301T080000Z", `DESCRIPTION:${more}`);
  const multistatus = (events: readonly string[]): string =>
    `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${events
      .map(
        (text, at) =>
          `<d:response><d:href>/dav/cal/ada/work/${at}.ics</d:href><d:propstat><d:prop><c:calendar-data>${text}</c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
      )
      .join("")}</d:multistatus>`;

  it.each([
    ["of one event", [event("1")], []],
    ["of a large event", [event("1", "x".repeat(9_000))], ["multistatus", "calendars"]],
    ["of many events", Array.from({ length: 100 }, (_, at) => event(String(at))), ["multistatus", "calendars"]],
  ])("%s", async (_, events, expected) => {
    const adapter = await bench.open({}, { services });
    await adapter.call("calendars");
    kinds.length = 0;
    bench.world.fail("REPORT", (response) => response.writeHead(207).end(multistatus(events)));
    expect(await adapter.call("list", ...WEEK)).toHaveLength(events.length);
    expect(kinds).toEqual(expected);
  });

  it("that is a feed", async () => {
    const { base } = await serverOf(event("1", "x".repeat(9_000)));
    const adapter = await bench.open({ accounts: {}, feeds: { team: base } }, { services });
    expect(await adapter.call("list", ...WEEK)).toHaveLength(1);
    expect(kinds).toEqual(["calendars"]);
  });
});
