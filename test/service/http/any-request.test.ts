/**
 * Whatever is asked of whichever route, the answer is one that the OpenAPI document describes: never a defect, never a shape of its own.
 * Requests are drawn from the schemas of the routes, several are under way at a time, and `call` holds each answer against the document.
 */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifies } from "../../support/requirements.ts";
import { type JsonSchema, type SchemaValues, valuesOf } from "../../support/schema-values.ts";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";

type Parameter = { readonly name: string; readonly in: string; readonly schema: JsonSchema };
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
};
type Request = {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

const AT_ONCE = 20;
const ROUNDS = 100;

const PROGRAMS = [
  "L1:\n  J 1\n",
  "# frame: a: any\nL1:\n  R core.ADD a 1 ->x\n  J x\n",
  'L1:\n  R ext.Echo "a" ->x\n  J x\nL2:\n  J 2\n',
  'L1:\n  R ext.Fail "no" ->x\n  J x\n',
  'L1:\n  R ext.Crash "no" ->x\n  J x\n',
  'L1:\n  R http.Get "https://api.example.com/" ->x\n  J x\n',
  "L1:\n  J ghost\n",
  "L1:\n  X y div 1 0\n  J y\n",
  "L1:\n  Set n 0\n  While true ->L2 ->L3\nL2:\n  J 1\nL3:\n  J 2\n",
  "include other.wf\nL1:\n  J 1\n",
  "L1:\n  Call L1\n",
];
const adapterNames = fc.constantFrom("core", "ext", "http", "fs", "nosuch");
const text = (...some: readonly string[]) => fc.constantFrom(...some);
/** Mostly the first. */
const mostly = (usual: string, ...odd: readonly string[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: text(...odd) });

let service: JobServing;
let document: Document;
let ids: readonly string[];
beforeAll(async () => {
  service = await servingJobs({ variables: { WF_LOG_LEVEL: "error", WF_QUEUE_MAX: "50", WF_QUEUE_WORKERS: "8" } });
  document = (await service.call("GET", "/openapi.json")).body;
  const done = await service.queued({ code: PROGRAMS[0] });
  const failed = await service.queued({ code: PROGRAMS[3], record_calls: true });
  for (const id of [done, failed]) await service.over(id);
  ids = [done, failed, randomUUID(), "nothing", "%00", "%zz", "a%2Fb"];
});
afterAll(() => service.stop());

function requests(): fc.Arbitrary<Request> {
  const values: SchemaValues = {
    resolve: (reference) => document.components.schemas[reference.split("/").at(-1) ?? ""] ?? {},
    wanted: ["code"],
    likely: {
      code: text(...PROGRAMS),
      // Next to code it is a separate fault.
      ir: fc.constant(null),
      files: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(null, { "other.wf": "LENTRY:\n  J 1\n" }) },
        { weight: 1, arbitrary: fc.constant({ "../x": "" }) },
      ),
      label: text("L1", "L2", "1", "->L1", "L9", "other/ENTRY"),
      frame: fc.oneof(fc.constant({ a: 1 }), fc.dictionary(text("a", "b", "constructor"), fc.jsonValue())),
      frames: fc.array(fc.record({ a: fc.jsonValue() }), { maxLength: 5 }),
      enable: fc.array(adapterNames, { maxLength: 3 }),
      allowed_adapters: fc.option(fc.array(adapterNames, { maxLength: 3 })),
      forbidden_adapters: fc.array(adapterNames, { maxLength: 2 }),
      forbidden_effects: fc.array(text("network", "ext"), { maxLength: 2 }),
      forbidden_effect_tiers: fc.array(text("io-read", "io-write"), { maxLength: 2 }),
      forbidden_privilege_tiers: fc.array(mostly("network", "netwrk"), { maxLength: 2 }),
      replay_log: fc.option(fc.constant([{ adapter: "ext", verb: "Echo", args: ["a"], result: 7 }])),
    },
  };
  const headers = fc.record(
    {
      accept: text("application/json", "application/problem+json", "application/x-ndjson", "text/plain", "*/*"),
      "content-type": mostly("application/json", "application/x-ndjson", "application/x+json", "text/plain"),
      "content-encoding": mostly("identity", "gzip"),
      prefer: text("failure-status", "respond-async"),
      "idempotency-key": mostly("k1", "k2", "k3", ""),
      "if-none-match": text("*", '"succeeded-1"', '"x"'),
      "last-event-id": text("1", "x", "99999"),
      origin: mostly("http://localhost", "https://evil.example"),
      host: mostly("localhost", "evil.example"),
      "x-request-id": text("r-1", "not plain"),
      traceparent: text("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "00-0"),
    },
    { requiredKeys: [] },
  );
  const plainly = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: headers });
  const raw = fc.oneof(
    fc.json(),
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: "binary" }),
    text("[".repeat(2000), '{"code":1e999}', ""),
  );
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // The answer of /jobs/events never ends (test/service/jobs/feed.test.ts).
      .filter(() => path !== "/jobs/events")
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const all = operations.map(({ path, method, operation }): fc.Arbitrary<Request> => {
    const query = (operation.parameters ?? []).filter((one) => one.in === "query");
    const members = query.map(({ name, schema }): [string, fc.Arbitrary<string>] => {
      const fitting = valuesOf(schema, values).map(String);
      const odd = text("", "0", "-1", "61", "failed,queued", "lost", "json");
      return [name, fc.oneof(fitting, odd)];
    });
    const asked = fc.record(Object.fromEntries(members), { requiredKeys: [] });
    const place = fc.tuple(fc.constantFrom(...ids), asked).map(([id, wanted]) => {
      const search = new URLSearchParams(wanted as Record<string, string>).toString();
      return `${path.replace("{id}", id)}${search === "" ? "" : `?${search}`}`;
    });
    const schema = operation.requestBody?.content["application/json"]?.schema;
    const body =
      schema === undefined
        ? fc.constant(undefined)
        : fc.oneof({ weight: 9, arbitrary: valuesOf(schema, values) }, { weight: 1, arbitrary: raw });
    const used = fc.oneof(
      { weight: 12, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: text("PUT", "GET", "HEAD") },
    );
    return fc.record({ method: used, path: place, body, headers: plainly });
  });
  const weight = (at: number): number => (operations[at]?.operation.requestBody === undefined ? 1 : 4);
  // Of the many members of a job, few drawn ones fit each other.
  const queued = fc.constant({ method: "POST", path: "/enqueue", body: { code: PROGRAMS[0] }, headers: {} });
  // Few of the drawn requests name the entity tag of what they ask for.
  const tagged = { "if-none-match": "*" };
  const unchanged = fc.constant({ method: "GET", path: "/capabilities", body: undefined, headers: tagged });
  const usual = [
    { weight: 6, arbitrary: queued },
    { weight: 1, arbitrary: unchanged },
  ];
  return fc.oneof(...usual, ...all.map((arbitrary, at) => ({ weight: weight(at), arbitrary })));
}

describe("any request", () => {
  it("to any route gets a documented answer", { timeout: 300_000 }, async () => {
    verifies("errors.one-shape", "errors.unknown-path", "errors.failed-run-200");
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(requests(), { minLength: AT_ONCE, maxLength: AT_ONCE }), async (some) => {
        const replies = await Promise.all(
          some.map(({ method, path, body, headers }) =>
            service.call(method, path, method === "GET" || method === "HEAD" ? undefined : body, headers),
          ),
        );
        for (const { status, headers, body } of replies) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
          expect(headers["x-trace-id"]).toMatch(/^[0-9a-f]{32}$/);
          if (body?.ok === false && headers["idempotent-replayed"] === undefined)
            expect(body.trace_id).toBe(headers["x-trace-id"]);
          if (status === 503) expect(body.error).toBe("queue_full");
          expect(status).not.toBe(500);
        }
      }),
      { numRuns: ROUNDS },
    );
    // The draw reaches successes and refusals of every kind.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 202, 304, 400, 403, 404, 405, 415, 422]));
    expect(service.log.filter(({ event }) => event === "defect")).toEqual([]);
  });
});
