/** Requests that go past the framework are answered, told and counted as those that go through it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { verifies } from "../support/requirements.ts";
import { type LogEvent, type Reply, type Serving, serving } from "./serving.ts";

const ADD = "L1:\n  R core.ADD 2 3 ->x\n  J x\n";
/** Plain requests take the shortcut; with this they do not, and ask for the same. */
const LONG_WAY = { accept: "application/json, */*" };

let service: Serving;
const taken: boolean[] = [];
beforeEach(() => {
  taken.length = 0;
});
beforeAll(async () => {
  service = await serving();
  const { shortcuts } = service.app;
  const take = shortcuts.take.bind(shortcuts);
  vi.spyOn(shortcuts, "take").mockImplementation((incoming, outgoing) => {
    const was = take(incoming, outgoing);
    taken.push(was);
    return was;
  });
});
afterAll(() => service.stop());

/** Ids, times and whether the compile cache knew the program may differ. */
function plain(text: string): string {
  return text
    .replace(/00-[0-9a-f]{32}-[0-9a-f]{16}-00/g, "traceparent")
    .replace(/sha256:[0-9a-f]{64}/g, "sum")
    .replace(/[0-9a-f]{32}/g, "id")
    .replace(/"(\w+_ms|ts|core|bytes_out)":(?:[0-9.]+|"[^"]*")/g, '"$1":0')
    .replace(/"cache_hit":\w+/, "");
}

function shownOf({ status, headers, text }: Reply) {
  const { date: _date, "content-length": _length, ...rest } = headers;
  return { status, headers: JSON.parse(plain(JSON.stringify(rest))), text: plain(text) };
}

/** What the log tells of a request. */
async function toldOf({ headers }: Reply) {
  const isOf = (event: LogEvent): boolean => event["trace_id"] === headers["x-trace-id"];
  // The last of them.
  await service.logged("http_request", isOf);
  return JSON.parse(plain(JSON.stringify(service.log.filter(isOf))));
}

const PROGRAMS: readonly (readonly [string, string, unknown, Record<string, string>?])[] = [
  ["a run", "/run", { code: ADD }],
  [
    "a run with a frame, a trace and a record",
    "/run",
    { code: "# frame: a: number\nL1:\n  J a\n", frame: { a: [1] }, trace: true, record_calls: true },
  ],
  ["a failing run", "/run", { code: "L1:\n  X a idiv 1 0\n  J a\n" }],
  ["a failure under Prefer", "/run", { code: "L1:\n  X a idiv 1 0\n  J a\n" }, { prefer: "failure-status" }],
  ["a run that waits", "/run", { code: "L1:\n  R core.SLEEP 1\n  J 1\n" }],
  ["a compile error", "/run", { code: "L1:\n  Foo\n" }],
  ["an unknown label", "/run", { code: ADD, label: "L9" }],
  ["a policy violation", "/run", { code: ADD, policy: { forbidden_adapters: ["core"] } }],
  ["a body that is no JSON", "/run", "{"],
  ["a body that is no object", "/run", []],
  ["unknown members", "/run", { code: ADD, cod: 1 }],
  ["an empty body", "/run", ""],
  [
    "a request id and a caller's trace",
    "/run",
    { code: ADD },
    { "x-request-id": "r-1", traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` },
  ],
  ["another origin", "/run", { code: ADD }, { origin: "http://elsewhere.example" }],
  ["another host", "/run", { code: ADD }, { host: "elsewhere.example" }],
  ["a batch", "/batch", { code: "# frame: a: number\nL1:\n  X b idiv 6 a\n  J b\n", frames: [{ a: 1 }, { a: 0 }] }],
  ["a batch without frames", "/batch", { code: ADD }],
  ["a batch with a key", "/batch", { code: ADD, frames: [] }, { "idempotency-key": "k" }],
];

describe("the shortcut", () => {
  it.for(PROGRAMS)("answers %s as the framework does", async ([, path, body, headers = {}]) => {
    verifies("http.run.200", "service.compile-then-execute");
    const type = { "content-type": "application/json" };
    // Once before: what a program costs the first time is not compared.
    await service.call("POST", path, body, { ...type, ...headers });
    taken.length = 0;
    const short = await service.call("POST", path, body, { ...type, ...headers });
    const long = await service.call("POST", path, body, { ...type, ...headers, ...LONG_WAY });
    expect(taken).toEqual([true, false]);
    expect(shownOf(short)).toEqual(shownOf(long));
    expect(await toldOf(short)).toEqual(await toldOf(long));
  });

  it("is not for what the framework alone knows", async () => {
    const type = { "content-type": "application/json" };
    await service.call("GET", "/run");
    await service.call("POST", "/run?x=1", { code: ADD }, type);
    await service.call("POST", "/nowhere", { code: ADD }, type);
    await service.call("POST", "/run", { code: ADD }, { "content-type": "application/json; charset=utf-8" });
    await service.call("POST", "/batch", { code: ADD, frames: [] }, { ...type, accept: "application/x-ndjson" });
    expect(taken).toEqual([false, false, false, false, false]);
  });
});

it("rates are limited by the framework, which knows who asks", async () => {
  const limited = await serving({ variables: { WF_RATE_LIMIT: "1/60s" } });
  const take = vi.spyOn(limited.app.shortcuts, "take");
  const type = { "content-type": "application/json" };
  expect((await limited.run({ code: ADD }, type)).status).toBe(200);
  expect((await limited.run({ code: ADD }, type)).status).toBe(429);
  expect(take.mock.results.map(({ value }) => value)).toEqual([false, false]);
  await limited.stop();
});

it("nothing is begun through it while the service drains", async () => {
  const leaving = await serving();
  leaving.services.readiness.drain();
  const { status, headers, body } = await leaving.run({ code: ADD }, { "content-type": "application/json" });
  expect({ status, error: body.error, connection: headers.connection }).toEqual({
    status: 503,
    error: "draining",
    connection: "close",
  });
  await leaving.stop();
});
