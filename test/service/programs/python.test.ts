/** Programs in Python that live in the service: endpoints and schedules of their decorators, inputs of their parameters. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";
import { exchange } from "../serving.ts";

const SHOP = `# surface: python
"""A shop."""
from typing import Literal, TypedDict

from weft import api, cron

SEEN = []
RATE = 0.5

class Line(TypedDict):
    sku: str
    qty: int

def priced(lines):
    return sum(line["qty"] for line in lines) * RATE

@api("/orders/{id}", method="GET")
def one(id: int, kind: Literal["new", "old"] = "new", q=None):
    """One order.

    By its number."""
    SEEN.append(id)
    return {"id": id, "kind": kind, "q": q, "seen": SEEN}

@api("/orders")
def add(lines: list[Line], **others):
    return {"price": priced(lines), "others": others}

@api("/later", mode="job")
def later(text: str):
    return text.upper()

@api("/hook")
def hook(body):
    return body

@cron("0 8 * * *", tz="Europe/Vienna", frame={"day": "today"})
def digest(day: str, _due_at=None, _schedule=None):
    return [day, _due_at is None, _schedule]
`;

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs({});
});
afterAll(() => service.stop());

const put = (name: string, code: string, more: object = {}) =>
  service.call("PUT", `/programs/${name}`, { code, ...more });
const app = (method: string, path: string, body?: unknown) => exchange(service.port, method, `/app/shop/${path}`, body);

it("is deployed with its endpoints, schedules and description", async () => {
  const { status, body } = await put("shop", SHOP);
  expect([
    status,
    body.endpoints.map(({ method, path, label, mode }: Record<string, string>) => [method, path, label, mode]),
  ]).toEqual([
    201,
    [
      ["GET", "/orders/{id}", "one", "run"],
      ["POST", "/orders", "add", "run"],
      ["POST", "/later", "later", "job"],
      ["POST", "/hook", "hook", "run"],
    ],
  ]);
  expect(body.schedules).toMatchObject([
    { id: "shop/digest", cron: "0 8 * * *", tz: "Europe/Vienna", label: "digest" },
  ]);
  expect((await service.call("GET", "/programs/shop")).body).toMatchObject({ description: "A shop." });
});

it("answers an endpoint with the inputs of its function, and begins each run anew", async () => {
  const out = { id: 7, kind: "new", q: null, seen: [7] };
  for (const _ of [1, 2]) expect(await app("GET", "orders/7")).toMatchObject({ status: 200, body: out });
  expect((await app("GET", "orders/7?kind=old&q=x")).body).toEqual({ ...out, kind: "old", q: "x" });
});

it.each([
  ["GET", "orders/x", undefined, "/id"],
  ["GET", "orders/7?kind=other", undefined, "/kind"],
  ["POST", "orders", {}, "/lines"],
  ["POST", "orders", { lines: [{ sku: "a" }] }, "/lines/0/qty"],
  ["POST", "later", { text: null }, "/text"],
])("refuses %s %s with %j before it runs", async (method, path, body, at) => {
  const reply = await app(method, path, body);
  expect([reply.status, reply.body.error, reply.body.issues?.[0]?.path]).toEqual([422, "input_invalid", at]);
});

it("gives other members to a function that takes them, and a whole body to one that has no other input", async () => {
  const lines = [{ sku: "a", qty: 3 }];
  expect((await app("POST", "orders?page=2", { lines, note: "x" })).body).toEqual({
    price: 1.5,
    others: { page: "2", note: "x" },
  });
  expect((await app("POST", "hook", { a: 1 })).body).toEqual({ a: 1 });
});

it("queues a job where its decorator says so", async () => {
  const { status, body } = await app("POST", "later", { text: "abc" });
  expect(status).toBe(202);
  expect((await service.over(body.job_id)).body).toMatchObject({ status: "succeeded", result: { out: "ABC" } });
});

it("runs a schedule with its frame and what schedules set", async () => {
  const { status, body } = await service.call("POST", "/schedules/shop/digest/run");
  expect(status).toBe(202);
  expect((await service.over(body.job_id)).body).toMatchObject({ result: { out: ["today", false, "shop/digest"] } });
});

it("says in its OpenAPI document what its endpoints take", async () => {
  const { body } = await exchange(service.port, "GET", "/app/shop/openapi.json");
  expect(body.info.description).toBe("A shop.");
  const one = body.paths["/orders/{id}"].get;
  expect([one.summary, one.description]).toEqual(["One order.", "One order.\n\nBy its number."]);
  expect(one.parameters).toMatchObject([
    { name: "id", in: "path", required: true, schema: { type: "integer" } },
    { name: "kind", in: "query", schema: { enum: ["new", "old"] } },
    { name: "q", in: "query" },
  ]);
  expect(body.paths["/orders"].post.requestBody.content["application/json"].schema).toMatchObject({
    properties: { lines: { type: "array", items: { $ref: "#/components/schemas/Line" } } },
    required: ["lines"],
    additionalProperties: true,
  });
});

describe("a run with files", () => {
  const code =
    "import helpers\nfrom lib.models import Order\n\ndef main(o: Order):\n    return helpers.twice(o['n'])\n";
  const files = {
    "helpers.py": "def twice(n):\n    return 2 * n\n",
    "lib/models.py": "from typing import TypedDict\n\nclass Order(TypedDict):\n    n: int\n",
  };
  const run = (body: object) => service.call("POST", "/run", { code, frame: { o: { n: 4 } }, ...body });

  it("imports them, checks their types, and keeps them out of jobs", async () => {
    expect((await run({ files })).body).toMatchObject({ ok: true, out: 8 });
    expect((await run({ files, frame: { o: { n: "4" } } })).body).toMatchObject({ error: "input_invalid" });
    const queued = await service.call("POST", "/enqueue", { code, files, frame: { o: { n: 5 } } });
    expect((await service.over(queued.body.job_id)).body).toMatchObject({ result: { out: 10 } });
    const lines = (await service.call("POST", "/batch", { code, files, frames: [{ o: { n: 1 } }] })).text;
    expect(lines).toContain('"out":2');
  });

  it("says which file is wrong", async () => {
    const { body } = await run({ files: { ...files, "helpers.py": "def twice(n):\n    return nn\n" } });
    expect([body.error, body.diagnostics[0].span.file]).toEqual(["compile_error", "helpers.py"]);
  });

  it.each([
    ["without one of them", {}, "compile_error", undefined],
    ["at a path that leaves the folder", { files: { "../a.py": "" } }, "invalid_request", "/files/..~1a.py"],
    ["that are not texts", { files: { "a.py": 1 } }, "invalid_request", "/files/a.py"],
    ["for a deployment", { files, code: null, program: "shop" }, "invalid_request", "/files"],
  ])("is refused %s", async (_what, more, error, path) => {
    const { body } = await run(more);
    expect([body.error, body.issues?.[0].path]).toEqual([error, path]);
  });
});

it("is refused with a schedule whose frame lacks an input", async () => {
  const { status, body } = await put(
    "bad",
    '# surface: python\n@cron("0 8 * * *")\ndef main(day: str):\n    return day\n',
  );
  expect([status, body.error, body.issues[0].message]).toEqual([
    422,
    "schedule_invalid",
    "schedule bad/main: input day: expected text, found nothing",
  ]);
});

it.each([
  ['@api("/a/x{id}")', "endpoint_invalid", "a parameter is a whole segment"],
  ['@api("/a", dedupe="x-id")', "endpoint_invalid", "dedupe needs mode"],
])("is refused with %s", async (decorator, error, message) => {
  const { status, body } = await put("bad", `# surface: python\n${decorator}\ndef main():\n    return 1\n`);
  expect([status, body.error]).toEqual([422, error]);
  expect(body.issues[0].message).toContain(message);
});

it("is refused with a time zone that does not exist", async () => {
  const code = '# surface: python\n@cron("0 8 * * *", tz="Europe/Viena")\ndef main():\n    return 1\n';
  const { status, body } = await put("bad", code);
  expect([status, body.error, body.diagnostics?.[0]?.code]).toEqual([422, "compile_error", "WF6041"]);
});

it("lets settings of the deployment go before those of the program", async () => {
  const code =
    '# surface: python\n@cron("0 8 * * *", tz="Europe/Vienna")\n@api("/a", mode="job")\ndef main():\n    return 1\n';
  const { body } = await put("settings", code, {
    endpoints: { "/a": { mode: "run" } },
    schedules: [{ label: "main", cron: "0 9 * * *" }],
  });
  expect(body.endpoints).toMatchObject([{ mode: "run" }]);
  expect(body.schedules).toMatchObject([{ cron: "0 9 * * *", tz: "Europe/Vienna" }]);
});

it("checks inputs at POST /run and of jobs, and notes those that are surplus", async () => {
  const code = "# surface: python\ndef main(a: int, b=2):\n    return a + b\n";
  expect((await service.call("POST", "/run", { code, frame: {} })).body).toMatchObject({ error: "input_invalid" });
  expect((await service.call("POST", "/enqueue", { code, frame: { a: "1" } })).body).toMatchObject({
    error: "input_invalid",
  });
  const { body } = await service.call("POST", "/run", { code, frame: { a: 1, c: 3 } });
  expect(body).toMatchObject({ out: 3, warnings: ["input_unknown: the program does not declare 'c'"] });
});
