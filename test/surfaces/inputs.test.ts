/** I-1 at every door: a frame that is not what the program declares is refused before anything runs, or warned about when asked for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../adapters/engine/system-clock.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { runBatch } from "../../vm/batch.ts";
import { createHost } from "../../vm/host.ts";
import { inputCheckOf, inputShapeOf } from "../../vm/inputs/check-inputs.ts";
import { documentOf, wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { type OpenedServer, openServer } from "../mcp/opened.ts";
import { type JobServing, servingJobs } from "../service/jobs/serving-jobs.ts";

const CODE = "D Line sku:S qty:I\n# frame: n!: number, lines: A[Line]\nL1:\n  X m mul n 2\n  J m\n";
const WRONG = {
  n: "x",
  lines: [
    { sku: "a", qty: 1 },
    { sku: 5, qty: 1 },
  ],
};
const TYPES = [
  { path: "/frame/n", code: "input_type", message: "expected number, found text" },
  { path: "/frame/lines/1/sku", code: "input_type", message: "expected text, found number" },
];
const MISSING = [{ path: "/frame/n", code: "input_missing", message: "expected number, found nothing" }];
const UNKNOWN = "input_unknown: the program does not declare 'line'; did you mean lines?";

let service: JobServing;
let server: OpenedServer;
beforeAll(async () => {
  service = await servingJobs();
  server = await openServer();
});
afterAll(async () => {
  await service.stop();
  await server.close();
});

type Refusal = { readonly error?: unknown; readonly issues?: unknown; readonly status?: number };

const DOORS: Readonly<Record<string, (frame: JsonObject) => Promise<Refusal>>> = {
  "POST /run": async (frame) => {
    const { status, body } = await service.run({ code: CODE, frame });
    return { status, ...body };
  },
  "POST /run with IR": async (frame) => {
    const { ir } = service.services.gateway.host.compile(CODE);
    const { status, body } = await service.run({ ir, frame });
    return { status, ...body };
  },
  "POST /enqueue": async (frame) => {
    const { status, body } = await service.call("POST", "/enqueue", { code: CODE, frame });
    return { status, ...body };
  },
  wf_run: async (frame) => (await server.call("wf_run", { code: CODE, frame })).payload,
  "the library": async (frame) => {
    const host = hostOf();
    const { ir } = host.compile(CODE);
    return host.run({ ir: ir as never, frame }).then(
      () => ({ error: null, issues: [] }),
      (cause) => ({ error: cause.code, issues: cause.issues }),
    );
  },
  "wf run": async (frame) => {
    const result = await wf(["run", "-", "--json", "--frame", JSON.stringify(frame)], { stdin: CODE });
    expect(result.code).toBe(2);
    return documentOf(result);
  },
  "wf run --plan": async (frame) => {
    const result = await wf(["run", "-", "--plan", "--json", "--frame", JSON.stringify(frame)], { stdin: CODE });
    expect(result.code).toBe(2);
    return documentOf(result);
  },
};

function hostOf() {
  return createHost({
    clock: systemClock,
    facts: { uuid: () => "0".repeat(32), env: () => undefined },
    catalog: builtinCatalog,
    adapters: new Map(),
    traceId: () => "0".repeat(32),
  });
}

describe.each(Object.entries(DOORS))("I-1, I-2: %s", (_name, through) => {
  it.each<[string, JsonObject, object]>([
    ["values of another type", WRONG, TYPES],
    ["a missing required input", { lines: [] }, MISSING],
  ])("refuses %s", async (_what, frame, issues) => {
    const { error, issues: told, status = 422 } = await through(frame);
    expect({ error, status, issues: told }).toEqual({ error: "input_invalid", status: 422, issues });
  });
});

it("I-1: a request that is not strict runs with warnings", async () => {
  const frame = { n: 1, lines: 5, line: 1 };
  const warnings = ["input_type: /frame/lines: expected list, found number", UNKNOWN];
  const run = (await service.run({ code: CODE, frame, strict: false })).body;
  expect(run).toMatchObject({ ok: true, out: 2, warnings });
  const queued = (await service.call("POST", "/enqueue", { code: CODE, frame, strict: false })).body;
  expect(queued.warnings).toEqual(warnings);
  expect((await service.over(queued.job_id)).body).toMatchObject({ status: "succeeded" });
  const { payload } = await server.call("wf_run", { code: CODE, frame, strict: false });
  expect(payload).toMatchObject({ ok: true, warnings });
  const loose = await wf(["run", "-", "--json", "--loose", "--frame", JSON.stringify(frame)], { stdin: CODE });
  expect([loose.code, documentOf(loose).warnings]).toEqual([0, warnings]);
  const host = hostOf();
  const { ir } = host.compile(CODE);
  expect((await host.run({ ir: ir as never, frame, inputs: "loose" })).warnings).toEqual(warnings);
});

it("I-1: many frames for jobs are refused as a whole, with the place", async () => {
  const { status, body } = await service.call("POST", "/enqueue", { code: CODE, frames: [{ n: 1 }, { n: "2" }] });
  expect([status, body.error, body.issues[0].path]).toEqual([422, "input_invalid", "/frames/1/n"]);
  expect((await service.call("GET", "/jobs?status=queued")).body.jobs).toEqual([]);
});

it("I-1: a frame of a batch that is not as declared fails alone", async () => {
  const frames = [{ n: 1 }, { n: "2" }, { n: 3, m: 1 }];
  const { body } = await service.call("POST", "/batch", { code: CODE, frames, order: "input" });
  const expected = [
    { index: 0, ok: true, out: 2 },
    { index: 1, ok: false, error: "input_invalid", message: "input /n: expected number, found text" },
    { index: 2, ok: true, out: 6, warnings: ["input_unknown: the program does not declare 'm'"] },
  ];
  expect(body.results).toMatchObject(expected);
  const host = hostOf();
  const { ir } = host.compile(CODE);
  const results = [];
  for await (const result of runBatch(ir as never, frames, { host, ordered: true })) results.push(result);
  expect(results).toMatchObject(expected);
});

it("I-1: wf batch reads the cells of CSV as the types that the program declares", async () => {
  const folder = folderWith({ "p.wf": CODE, "rows.csv": 'n,lines\n2,"[{""sku"":""a"",""qty"":1}]"\nx,[]\n' });
  const argv = ["batch", "p.wf", "--frames-csv", "rows.csv", "--rows", "full", "--ordered", "--out", "out.ndjson"];
  expect((await wf(argv, { cwd: folder })).code).toBe(1);
  const lines = readFileSync(join(folder, "out.ndjson"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { ok: true, out: 4 },
    { ok: false, error: "input_invalid" },
  ]);
});

it("I-3: a refused frame moves no meter, and programs that declare nothing have no check", async () => {
  const ran = async () => (await service.call("GET", "/metrics", undefined, { accept: "application/json" })).body;
  const before = await ran();
  const code = CODE.replace("L1:\n", "L1:\n  R ext.Echo n ->e\n");
  const calls = service.made.length;
  expect((await service.run({ code, frame: WRONG })).body).toMatchObject({ ok: false, error: "input_invalid" });
  const after = await ran();
  expect([after.adapter_calls_total, service.made.length]).toEqual([before.adapter_calls_total, calls]);
  const bare = compile("L1:\n  J n\n", { strict: false });
  const ir = bare.ir as NonNullable<typeof bare.ir>;
  expect([inputCheckOf(ir, "1"), inputShapeOf(ir, "1", new Map())]).toEqual([null, null]);
});

it("I-4: inspect, OpenAPI and MCP's hints tell the same types and needs", async () => {
  const code =
    "# frame: n!: number\n# frame: lines: A[Line]\nD Line sku:S qty:I\nE /orders POST ->L1 ->data\nL1:\n  Set data [n, lines]\n  J data\n";
  const inspected = documentOf(await wf(["inspect", "-", "--json"], { stdin: code }));
  expect(inspected.inputs).toEqual([
    { name: "n", type: "number", required: true },
    { name: "lines", type: "A[Line]" },
  ]);
  const api = JSON.parse((await wf(["compile", "-", "--format", "openapi"], { stdin: code })).stdout);
  expect(api.paths["/orders"].post.requestBody.content["application/json"].schema).toMatchObject({
    required: ["n"],
    properties: { n: { type: "number" }, lines: { type: "array" } },
  });
  const { payload } = await server.call("wf_validate", { code });
  expect(payload.frame_hints).toEqual([
    { name: "n", type: "number", required: true, source: "comment" },
    { name: "lines", type: "A[Line]", source: "comment" },
  ]);
});
