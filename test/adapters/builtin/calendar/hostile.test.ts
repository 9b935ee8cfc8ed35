/** Servers that refuse, break off, hang, lie and attack; and what must never be seen of the account. */
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpService } from "../../../../adapters/guard/http/service.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { socketServer, type TestServer, webServer } from "../http/servers.ts";
import { icsOf, PASSWORD, USER } from "./caldav-world.ts";
import { type Call, calendarBench, failureOf } from "./calendar-bench.ts";

const bench = calendarBench();
const WEEK = ["2027-03-01", "2027-03-08"] as const;
const EVENT = { title: "canary of a title", start: "2027-03-01T09:00:00Z", end: "2027-03-01T10:00:00Z" };

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const answer =
  (status: number, body = "canary of the server", headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end(body);
  };

const NAMESPACES = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"';
const multistatus = (...responses: readonly string[]) =>
  `<d:multistatus ${NAMESPACES}>${responses.join("")}</d:multistatus>`;
const resource = (href: string, prop: string, status = "HTTP/1.1 200 OK") =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${prop}</d:prop><d:status>${status}</d:status></d:propstat></d:response>`;
const OBJECT = resource(
  "/dav/cal/ada/work/one.ics",
  `<c:calendar-data>${icsOf("UID:1", "DTSTART:20270301T080000Z")}</c:calendar-data>`,
);

describe("a server that refuses", () => {
  it.each<[number, string, boolean, Readonly<Record<string, string>>?]>([
    [401, "ADAPTER_NOT_CONFIGURED", false],
    [403, "ADAPTER_NOT_CONFIGURED", false],
    [404, "ADAPTER_NOT_FOUND", false],
    [409, "ADAPTER_CONFLICT", false],
    [413, "ADAPTER_TOO_LARGE", false],
    [418, "ADAPTER_HTTP_STATUS", false],
    [429, "ADAPTER_RATE_LIMITED", true, { "retry-after": "7" }],
    [500, "ADAPTER_UNAVAILABLE", true],
    [503, "ADAPTER_UNAVAILABLE", true, { "retry-after": "7" }],
    [507, "ADAPTER_QUOTA", false],
  ])("with %i", async (status, code, retryable, headers) => {
    const adapter = await bench.open();
    await adapter.call("calendars");
    const calls: readonly (readonly [string, Call])[] = [
      ["REPORT", ["list", ...WEEK]],
      ["PUT", ["create", EVENT]],
    ];
    for (const [method, call] of calls) {
      bench.world.fail(method, answer(status, "canary of the server", headers));
      const failure = await failureOf(adapter.call(...call));
      expect([failure.code, failure.retryable, failure.data]).toEqual([code, retryable, { status }]);
      expect(failure.retryAfterMs).toBe(headers === undefined ? null : 7_000);
      expect(failure.message).not.toContain("canary");
    }
  });

  it("does not let the account in without its password", async () => {
    const wrong = await bench.open({}, { secrets: { CALENDAR_PASSWORD: "wrong" } });
    expect(await failureOf(wrong.call("calendars"))).toMatchObject({
      code: "ADAPTER_NOT_CONFIGURED",
      data: { status: 401 },
    });
    const none = await bench.open({}, { secrets: {} });
    expect(await none.code("calendars")).toBe("ADAPTER_NOT_CONFIGURED");
    expect(bench.world.seen()).toHaveLength(1);
  });

  it("to give some of the events fails, and says which", async () => {
    const broken =
      "<d:response><d:href>/dav/cal/ada/work/two.ics</d:href><d:status>HTTP/1.1 500 Error</d:status></d:response>";
    const gone = broken.replace("two", "three").replace("500 Error", "404 Not Found");
    const adapter = await bench.open();
    bench.world.fail("REPORT", answer(207, multistatus(OBJECT, broken, gone)));
    const failure = await failureOf(adapter.call("list", ...WEEK));
    expect([failure.code, failure.data]).toEqual(["ADAPTER_FAILED", { failures: [{ object: "two", status: 500 }] }]);
    bench.world.fail("REPORT", answer(207, multistatus(OBJECT, gone)));
    expect(await adapter.call("list", ...WEEK)).toHaveLength(1);
  });
});

describe("an answer", () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${"bcdefghij"
    .split("")
    .map((name, at) => `<!ENTITY ${name} "${`&${"abcdefghi"[at]};`.repeat(10)}">`)
    .join("")}]>`;
  it.each([
    ["that is not XML", "canary { not xml", "ADAPTER_BAD_DATA"],
    ["that is broken off", multistatus(OBJECT).slice(0, -20), "ADAPTER_BAD_DATA"],
    ["that is a page", "<html><body>canary</body></html>", "ADAPTER_BAD_DATA"],
    [
      "of resources without address",
      multistatus("<d:response><d:status>HTTP/1.1 200 OK</d:status></d:response>"),
      "ADAPTER_BAD_DATA",
    ],
    ["without the events", multistatus(resource("/dav/cal/ada/work/one.ics", "<d:getetag/>")), "ADAPTER_BAD_DATA"],
    [
      "with entities that grow",
      `<?xml version="1.0"?>${bomb}${multistatus(resource("/x", "<c:calendar-data>&j;</c:calendar-data>"))}`,
      "ADAPTER_BAD_DATA",
    ],
    [
      "with an entity from a file",
      `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${multistatus(OBJECT)}`,
      "ADAPTER_BAD_DATA",
    ],
    ["that is nested without end", `${"<a>".repeat(100_000)}${"</a>".repeat(100_000)}`, "ADAPTER_BAD_DATA"],
    ["with millions of tags", multistatus("<d:x/>".repeat(600_000)), "ADAPTER_TOO_LARGE"],
    ["above 8 MiB", multistatus(`<!--${"x".repeat(8 * 1024 * 1024)}-->`), "ADAPTER_TOO_LARGE"],
    [
      "of two events that have too many lines together",
      multistatus(
        ...["one", "two"].map((name) =>
          resource(
            `/dav/cal/ada/work/${name}.ics`,
            `<c:calendar-data>${icsOf("UID:1", "DTSTART:20270301T080000Z", "X:\n".repeat(130_000))}</c:calendar-data>`,
          ),
        ),
      ),
      "ADAPTER_TOO_LARGE",
    ],
    [
      "about another server",
      multistatus(resource("https://evil.example/one.ics", "<c:calendar-data>x</c:calendar-data>")),
      "ADAPTER_BAD_DATA",
    ],
  ])("%s", async (_, body, code) => {
    const adapter = await bench.open();
    await adapter.call("calendars");
    bench.world.fail("REPORT", answer(207, body));
    const failure = await failureOf(adapter.call("list", ...WEEK));
    expect(failure.code).toBe(code);
    expect(failure.message).not.toContain("canary");
  });

  it("keeps undeclared entities as they are written", async () => {
    const ics = icsOf("UID:1", "SUMMARY:&xxe; &amp; &#65;", "DTSTART:20270301T080000Z");
    const adapter = await bench.open();
    await adapter.call("calendars");
    bench.world.fail(
      "REPORT",
      answer(207, multistatus(resource("/dav/cal/ada/work/one.ics", `<c:calendar-data>${ics}</c:calendar-data>`))),
    );
    expect(await adapter.call("list", ...WEEK)).toMatchObject([{ title: "&xxe; & A" }]);
  });

  it.each<[string, (response: ServerResponse) => void, string]>([
    ["that does not come", (response) => response.socket?.destroy(), "ADAPTER_TRANSPORT"],
    [
      "that is shorter than it says",
      (response) => {
        response.writeHead(207, { "content-length": "1000" }).write("x", () => response.destroy());
      },
      "ADAPTER_TRANSPORT",
    ],
    ["that never ends", (response) => response.writeHead(207).write("<d:multistatus>"), "ADAPTER_TIMEOUT"],
    ["that is waited for in vain", () => {}, "ADAPTER_TIMEOUT"],
    ["that says it is compressed and is not", answer(207, "plain", { "content-encoding": "gzip" }), "ADAPTER_BAD_DATA"],
  ])("%s", async (_, respond, code) => {
    const adapter = await bench.open({ timeout_s: 0.5 });
    await adapter.call("calendars");
    bench.world.fail("REPORT", respond);
    const failure = await failureOf(adapter.call("list", ...WEEK));
    expect([failure.code, failure.retryable]).toEqual([code, code !== "ADAPTER_BAD_DATA"]);
  });

  it("that is awaited ends with the run", async () => {
    const adapter = await bench.open();
    await adapter.call("calendars");
    const controller = new AbortController();
    bench.world.fail("REPORT", () => controller.abort());
    const failure = await failureOf(adapter.callUnder(controller.signal, "list", ...WEEK));
    expect(failure.code).toBe("ADAPTER_CANCELLED");
  });
});

describe("an address", () => {
  const calendarAt = (href: string): string =>
    multistatus(resource(href, "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"));

  it.each([
    ["/dav/cal/ada/w%20k/", "w k"],
    ["/dav/cal/ada/w%zz//", "w%zz"],
    // Looked at again from each of them, it would take minutes.
    [`/dav/${"/".repeat(400_000)}work`, "work"],
    [`/dav/work${"/".repeat(400_000)}`, "work"],
  ])("names a calendar without a title", async (href, name) => {
    const adapter = await bench.open();
    bench.world.fail("PROPFIND", answer(207, calendarAt(href)));
    expect(await adapter.call("calendars")).toMatchObject([{ name }]);
  });
});

describe("the password", () => {
  it("goes to the server of the account alone", async () => {
    const other = await webServer((_request, response) => response.writeHead(207).end(multistatus()));
    servers.push(other);
    const hrefs = [`${other.base}/home/`, `http://${USER}@127.0.0.1:${other.port}/`, `//127.0.0.1:${other.port}/home/`];
    for (const href of hrefs) {
      const adapter = await bench.open();
      const home = resource("/dav/", `<c:calendar-home-set><d:href>${href}</d:href></c:calendar-home-set>`);
      bench.world.fail("PROPFIND", answer(207, multistatus(home)));
      expect(await adapter.code("calendars")).toBe("ADAPTER_BAD_DATA");
    }
    expect(other.requests).toEqual([]);
  });

  it.each([
    "http://169.254.169.254/latest/",
    "http://10.0.0.1/",
    "http://[::ffff:7f00:1]:1/",
    "http://2130706433:1/",
    "file:///etc/passwd",
  ])("is not taken along to %s, nor is anything asked there", async (location) => {
    const adapter = await bench.open();
    bench.world.fail("PROPFIND", answer(302, "", { location }));
    expect(await adapter.code("calendars")).toMatch(/^ADAPTER_(HOST_BLOCKED|BAD_URL)$/);
    expect(bench.world.seen()).toHaveLength(1);
  });

  it("stays out of errors, results and log, and so do texts of events", async () => {
    const logged: string[] = [];
    const adapter = await bench.open({}, { log: (event, fields) => logged.push(JSON.stringify([event, fields])) });
    const said: unknown[] = [await adapter.call("calendars"), await adapter.call("list", ...WEEK)];
    for (const status of [401, 409, 500]) {
      bench.world.fail("PUT", answer(status, PASSWORD));
      const { message, data } = await failureOf(adapter.call("create", EVENT));
      expect(message).not.toContain("canary");
      said.push(message, data);
    }
    const header = Buffer.from(`${USER}:${PASSWORD}`).toString("base64");
    for (const text of [PASSWORD, header]) expect(JSON.stringify([said, logged])).not.toContain(text);
  });

  it("is not sent where it can be read on the way", async () => {
    const account = { ...bench.world.account, url: "http://calendar.example/" };
    expect((await failureOf(bench.open({ accounts: { default: account } }))).code).toBe("ADAPTER_BAD_SETTINGS");
  });
});

it("a name that leads into the own network is refused", async () => {
  const http = createHttpService({ resolve: async () => ["10.0.0.7"] });
  const adapter = await bench.open(
    {
      accounts: { default: { ...bench.world.account, url: "https://calendar.example/" } },
      feeds: { team: "https://feed.example/a.ics" },
    },
    { services: { http } },
  );
  expect(await adapter.code("calendars")).toBe("ADAPTER_ADDRESS_BLOCKED");
  expect(await adapter.code("list", ...WEEK, { calendar: "team" })).toBe("ADAPTER_ADDRESS_BLOCKED");
  await http.close();
});

it("a server that does not speak HTTP is not a calendar", async () => {
  const server = await socketServer((socket) => socket.end("220 smtp ready\r\n"));
  servers.push(server);
  const account: JsonObject = { ...bench.world.account, url: server.base };
  expect(await (await bench.open({ accounts: { default: account } })).code("calendars")).toMatch(
    /^ADAPTER_(TRANSPORT|BAD_DATA)$/,
  );
});
