/** Deployments over HTTP: deploy, read, roll back, change, remove, run by name. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";

const DOUBLE = "# frame: a: number\nE /double P ->L1 ->x\nL1:\n  R core.MUL a 2 ->x\n  J x\n";
const TRIPLE = DOUBLE.replace("MUL a 2", "MUL a 3");
const FETCH = "L1:\n  R http.Get https://api.example.com/x ->x\n  J x\n";

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(() => service.stop());

let names = 0;
const fresh = (): string => `prog-${++names}`;
const put = (name: string, body: object, headers = {}) => service.call("PUT", `/programs/${name}`, body, headers);

describe("PUT /programs/{name}", () => {
  it("answers 201 with version 1, 200 with the next one, and the same version for the same content (P-1, P-2)", async () => {
    const name = fresh();
    const first = await put(name, { code: DOUBLE });
    expect([first.status, first.body.version, first.body.difference, first.headers.etag]).toEqual([
      201,
      1,
      null,
      '"1"',
    ]);
    expect(first.body.endpoints).toEqual([
      { method: "POST", path: "/double", url: `/app/${name}/double`, label: "L1", mode: "run" },
    ]);
    expect(first.body.report.adapters).toMatchObject({ core: { verbs: ["MUL"] } });
    expect(first.body.report.bounds).toMatchObject({ max_steps: 2 });
    const same = await put(name, { code: DOUBLE });
    expect([same.status, same.body.version, same.body.unchanged]).toEqual([200, 1, true]);
    const next = await put(name, { code: TRIPLE });
    expect([next.status, next.body.version, next.body.unchanged]).toEqual([200, 2, false]);
    expect(next.body.difference).toMatchObject({ from: 1, same: false, newly_reaches: [], settings: [] });
  });

  it("says what a new version may newly reach first, and changes nothing with dry_run (P-2)", async () => {
    const name = fresh();
    await put(name, { code: DOUBLE });
    const dry = await service.call("PUT", `/programs/${name}?dry_run=1`, {
      code: FETCH,
      adapters: { enable: ["http"] },
    });
    expect([dry.status, dry.body.dry_run, dry.body.version]).toEqual([200, true, 2]);
    expect(Object.keys(dry.body.difference).slice(0, 2)).toEqual(["from", "newly_reaches"]);
    const reached = dry.body.difference.newly_reaches.map(
      ({ kind, value }: Record<string, string>) => `${kind} ${value}`,
    );
    expect(reached).toContain("host api.example.com");
    expect(dry.body.difference.settings).toEqual(["adapters"]);
    expect((await service.call("GET", `/programs/${name}`)).body.version).toBe(1);
    expect((await service.call("PUT", `/programs/${fresh()}?dry_run=1`, { code: DOUBLE })).status).toBe(200);
  });

  it("says what changed by the lines of functions in Python, also in its other files", async () => {
    const name = fresh();
    const files = (factor: number, more: number) => ({
      main: "main.py",
      files: {
        "main.py": `from rates import rate\n\n\ndef main(n: int):\n    return rate(n) + ${more}\n`,
        "rates.py": `def rate(n: int):\n    return n * ${factor}\n`,
      },
    });
    await put(name, files(2, 1));
    const { functions } = (await put(name, files(3, 4))).body.difference;
    const change = (line: number, before: string, after: string) => [
      { change: "changed", before: { line, text: before }, after: { line, text: after } },
    ];
    expect(functions.map(({ lines }: { lines: object }) => lines)).toEqual(
      expect.arrayContaining([
        change(5, "return rate(n) + 1", "return rate(n) + 4"),
        change(2, "return n * 2", "return n * 3"),
      ]),
    );
    const opcodes = await put(fresh(), { code: DOUBLE });
    expect(opcodes.body.difference).toBeNull();
  });

  it.each([
    ["no program", { tags: {} }, 400, "invalid_request"],
    ["two programs", { code: DOUBLE, ir: {} }, 400, "invalid_request"],
    ["an error", { code: "L1:\n  J ghost\n" }, 422, "compile_error"],
    ["a forbidden adapter", { code: FETCH, policy: { forbidden_adapters: ["http"] } }, 403, "policy_violation"],
    ["an unknown label", { code: DOUBLE, label: "L9" }, 422, "unknown_label"],
    ["invalid IR", { ir: { nodes: 1 } }, 422, "invalid_ir"],
    [
      "an unknown setting",
      { code: FETCH, adapters: { enable: ["http"], http: { nope: 1 } } },
      422,
      "adapter_config_error",
    ],
    ["an unknown limit", { code: DOUBLE, limits: { max_stepz: 1 } }, 400, "invalid_request"],
  ])("refuses %s as POST /run does, and changes nothing (P-1)", async (_what, body, status, error) => {
    const name = fresh();
    const refused = await put(name, body);
    expect([refused.status, refused.body.error]).toEqual([status, error]);
    if (!("tags" in body) && !("ir" in body && "code" in body)) {
      const run = await service.run(body);
      expect([run.status, run.body.error, run.body.message]).toEqual([status, error, refused.body.message]);
    }
    expect((await service.call("GET", `/programs/${name}`)).body.error).toBe("program_not_found");
  });

  it.each([
    ["a template that does not parse", "E /a/{b G ->L1\nL1:\n  J 1\n", "path_template"],
    ["a parameter that is part of a segment", "E /a-{b} G ->L1\nL1:\n  J 1\n", "path_template"],
    ["two endpoints with one path", "E /a/{b} G ->L1\nE /a/{c} G ->L1\nL1:\n  J 1\n", "duplicate_endpoint"],
    ["a method that is not served", "E /a TRACE ->L1\nL1:\n  J 1\n", "method"],
    ["the path of the document", "E /openapi.json G ->L1\nL1:\n  J 1\n", "reserved_path"],
  ])("refuses %s", async (_what, code, issue) => {
    const refused = await put(fresh(), { code });
    expect([refused.status, refused.body.error]).toEqual([422, "endpoint_invalid"]);
    expect(refused.body.issues[0]).toMatchObject({ code: issue });
  });

  it("refuses settings of an endpoint that the program does not declare", async () => {
    const refused = await put(fresh(), { code: DOUBLE, endpoints: { "/triple": { mode: "job" } } });
    expect(refused.body.issues).toEqual([
      { path: "/endpoints/~1triple", code: "unknown_endpoint", message: "the program declares no such endpoint" },
    ]);
  });

  it("reads includes from the files of the deployment and from nowhere else", async () => {
    const name = fresh();
    const files = {
      "main.wf": "include modules/check.wf as chk\nL1:\n  Call chk/ENTRY ->x\n  J x\n",
      "modules/check.wf": "LENTRY:\n  R core.ADD 1 1 ->n\n  Call LEXIT_OK ->r\n  J r\nLEXIT_OK:\n  J n\n",
    };
    const deployed = await put(name, { files, main: "main.wf" });
    expect([deployed.status, deployed.text]).toEqual([201, expect.stringContaining('"version":1')]);
    const run = await service.run({ program: name });
    expect(run.body.out).toBe(2);
    const version = await service.call("GET", `/programs/${name}/versions/1`);
    expect(version.body).toMatchObject({ files, main: "main.wf", semantics: 1 });
  });

  it("imports Python files of the deployment, and names the file of a mistake", async () => {
    const name = fresh();
    const files = {
      "flows/main.py": "from lib.text import loud\n\ndef main(n: int):\n    return loud(n)\n",
      "flows/lib/text.py": "def loud(n):\n    return f'{n}!'\n",
    };
    expect((await put(name, { files, main: "flows/main.py" })).status).toBe(201);
    expect((await service.run({ program: name, frame: { n: 2 } })).body).toMatchObject({ out: "2!" });
    const wrong = { ...files, "flows/lib/text.py": "def loud(n):\n    return m\n" };
    const { status, body } = await put(name, { files: wrong, main: "flows/main.py" });
    expect([status, body.diagnostics]).toEqual([
      422,
      [expect.objectContaining({ code: "WF6001", span: expect.objectContaining({ file: "lib/text.py", line: 2 }) })],
    ]);
    const missing = await put(name, {
      files: { ...files, "lib/text.py": "", "flows/lib/text.py": "" },
      main: "flows/main.py",
    });
    expect(missing.text).toContain("lib.text has no member 'loud'");
  });

  it("compiles a large Python file with those that it imports", async () => {
    const functions = Array.from(
      { length: 700 },
      (_, at) => `def f${at}(x):\n    return twice(x) + ${at} if x else [x]\n`,
    );
    const main = `from helpers import twice\n\ndef main(n: int):\n    return f1(n)\n\n${functions.join("\n")}`;
    const name = fresh();
    const files = { "main.py": main, "helpers.py": "def twice(n):\n    return n * 2\n" };
    expect((await put(name, { files, main: "main.py" })).status).toBe(201);
    expect((await service.run({ program: name, frame: { n: 2 } })).body.out).toBe(5);
  });

  it.each([
    [
      "an include outside of the map",
      { "main.wf": "include ../x.wf as x\nL1:\n  J 1\n" },
      "main.wf",
      422,
      "compile_error",
    ],
    ["an absolute include", { "main.wf": "include /etc/passwd as x\nL1:\n  J 1\n" }, "main.wf", 422, "compile_error"],
    ["an include that is not there", { "main.wf": "include x.wf as x\nL1:\n  J 1\n" }, "main.wf", 422, "compile_error"],
    [
      "a cycle of includes",
      { "main.wf": "include a.wf as a\nL1:\n  J 1\n", "a.wf": "include main.wf as m\nLENTRY:\n  J 1\n" },
      "main.wf",
      422,
      "compile_error",
    ],
    ["a path that leaves the map", { "../main.wf": "L1:\n  J 1\n" }, "../main.wf", 400, "invalid_request"],
    ["an absolute path", { "/main.wf": "L1:\n  J 1\n" }, "/main.wf", 400, "invalid_request"],
    ["a main file that is not there", { "a.wf": "L1:\n  J 1\n" }, "b.wf", 400, "invalid_request"],
  ])("refuses %s", async (_what, files, main, status, error) => {
    const refused = await put(fresh(), { files, main });
    expect([refused.status, refused.body.error]).toEqual([status, error]);
  });

  it.each([["UPPER"], ["-a"], ["a_b"], ["a".repeat(64)], ["a.b"]])("refuses the name %s (P-4)", async (name) => {
    const refused = await put(name, { code: DOUBLE });
    expect([refused.status, refused.body.issues[0].path]).toEqual([400, "/name"]);
  });

  it.each([
    ["nine tags", { tags: Object.fromEntries(Array.from("123456789", (one) => [one, ""])) }],
    ["a tag that is too long", { tags: { a: "x".repeat(129) } }],
    ["a tag whose key has a colon", { tags: { "a:b": "" } }],
    ["an unknown member", { lable: "L1" }],
    ["an unknown kind of signature", { endpoints: { "/double": { verify: { kind: "md5", secrets: "x" } } } }],
  ])("refuses %s", async (_what, members) => {
    expect((await put(fresh(), { code: DOUBLE, ...members })).status).toBe(400);
  });

  it("refuses to replace another version than If-Match names (P-3)", async () => {
    const name = fresh();
    await put(name, { code: DOUBLE });
    const refused = await put(name, { code: TRIPLE }, { "if-match": '"7"' });
    expect([refused.status, refused.body.error]).toEqual([412, "version_conflict"]);
    expect((await put(name, { code: TRIPLE }, { "if-match": '"1"' })).body.version).toBe(2);
    expect((await put(fresh(), { code: TRIPLE }, { "if-match": '"1"' })).status).toBe(412);
    expect((await put(name, { code: TRIPLE }, { "if-match": "soon" })).status).toBe(400);
  });

  it("warns where deployments end with the process (P-8)", async () => {
    const { warnings } = (await put(fresh(), { code: DOUBLE })).body;
    expect(warnings).toEqual([expect.stringContaining("not_durable: ")]);
  });
});

describe("deployments", () => {
  it("go back to an older version, and run what that version was (P-5)", async () => {
    const name = fresh();
    await put(name, { code: DOUBLE });
    await put(name, { code: TRIPLE });
    const run = async (program: string) => (await service.run({ program, frame: { a: 2 } })).body.out;
    expect(await run(name)).toBe(6);
    expect(await run(`${name}@1`)).toBe(4);
    const back = await service.call("POST", `/programs/${name}/rollback`, { version: 1 });
    expect([back.status, back.body.version]).toEqual([200, 1]);
    expect(await run(name)).toBe(4);
    const missing = await service.call("POST", `/programs/${name}/rollback`, { version: 9 });
    expect([missing.status, missing.body.error]).toEqual([404, "program_not_found"]);
    const versions = await service.call("GET", `/programs/${name}/versions`);
    expect(versions.body.versions.map((one: { current: boolean }) => one.current)).toEqual([false, true]);
  });

  it("keep source, settings and compiler with each version, and never compile again (P-5)", async () => {
    const name = fresh();
    await put(name, { code: DOUBLE, limits: { max_steps: 7 }, frame: { a: 5 } });
    const version = (await service.call("GET", `/programs/${name}/versions/1`)).body;
    expect(version).toMatchObject({
      code: DOUBLE,
      settings: { limits: { max_steps: 7 }, frame: { a: 5 } },
      compiler: "1.0.0",
      ir: { ir_version: "1.0" },
    });
    const before = (await service.call("GET", "/metrics", undefined, { accept: "application/json" })).body;
    expect((await service.run({ program: name })).body.out).toBe(10);
    const after = (await service.call("GET", "/metrics", undefined, { accept: "application/json" })).body;
    expect(after.compile_cache_misses + after.compile_cache_hits).toBe(
      before.compile_cache_misses + before.compile_cache_hits,
    );
  });

  it("are narrowed by a request, and never widened", async () => {
    const name = fresh();
    await put(name, {
      code: DOUBLE,
      limits: { max_steps: 10, max_time_ms: 1000 },
      allowed_adapters: ["core"],
      frame: { a: 1 },
    });
    const limits = async (asked: object) => (await service.run({ program: name, ...asked })).body.limits;
    expect(await limits({})).toMatchObject({ max_steps: 10, max_time_ms: 1000 });
    expect(await limits({ limits: { max_steps: 99, max_time_ms: 500 } })).toMatchObject({
      max_steps: 10,
      max_time_ms: 500,
    });
    const refused = await service.run({ program: name, policy: { forbidden_adapters: ["core"] } });
    expect([refused.status, refused.body.error]).toEqual([403, "policy_violation"]);
    const widened = await service.run({
      program: name,
      allowed_adapters: ["core", "http"],
      adapters: { enable: ["http"] },
    });
    expect(widened.body.warnings.join("\n")).toContain("adapter 'http' is not enabled by the deployment");
  });

  it("run in a batch and as jobs, which name them", async () => {
    const name = fresh();
    await put(name, { code: DOUBLE, frame: { a: 4 } });
    const batch = await service.call("POST", "/batch", { program: name, frames: [{ a: 1 }, {}], order: "input" });
    expect(batch.body.results.map(({ out }: { out: number }) => out)).toEqual([2, 8]);
    const lines = await service.call("POST", "/batch", `${JSON.stringify({ program: name })}\n{}\n`, {
      "content-type": "application/x-ndjson",
      accept: "application/json",
    });
    expect(lines.text).toContain('"out":8');
    const id = await service.queued({ program: `${name}@1` });
    const over = await service.over(id);
    expect(over.body).toMatchObject({ program: name, version: 1, status: "succeeded", result: { out: 8 } });
    const many = await service.call("POST", "/enqueue", { program: name, frames: [{ a: 3 }, {}] });
    const results = await Promise.all(many.body.job_ids.map((one: string) => service.over(one)));
    expect(results.map(({ body }) => body.result.out)).toEqual([6, 8]);
  });

  it.each([
    ["/run", { program: "nosuch" }],
    ["/run", { program: "nosuch@1" }],
    ["/enqueue", { program: "Not A Name" }],
    ["/run", { program: "a@b" }],
    ["/batch", { program: "nosuch", frames: [] }],
  ])("that do not exist are 404 at %s", async (path, body) => {
    const refused = await service.call("POST", path, body);
    expect([refused.status, refused.body.error]).toEqual([404, "program_not_found"]);
  });

  it("can be disabled, tagged, described and found", async () => {
    const name = fresh();
    await put(name, { code: DOUBLE, tags: { team: "ops" } });
    const changed = await service.call("PATCH", `/programs/${name}`, {
      enabled: false,
      tags: { team: "web", kind: "x" },
      description: "Doubles",
    });
    expect(changed.body).toMatchObject({ enabled: false, tags: { team: "web", kind: "x" }, description: "Doubles" });
    const found = await service.call("GET", "/programs?tag=team:web&q=doub");
    expect(found.body.programs.map((one: { name: string }) => one.name)).toContain(name);
    const page = await service.call("GET", "/programs?limit=1");
    const next = await service.call("GET", `/programs?limit=1&cursor=${page.body.next_cursor}`);
    expect(next.body.programs[0].name > page.body.programs[0].name).toBe(true);
    expect((await service.call("GET", "/programs?cursor=x")).status).toBe(400);
  });

  it.each(["0", "1"])("have a next fire in lists, and a last job unless WF_JOBS_LIST is 0 (%s)", async (lists) => {
    const own = await servingJobs({ variables: { WF_JOBS_LIST: lists } });
    try {
      await own.call("PUT", "/programs/daily", { code: "Cr L1 0 2 * * *\nL1:\n  J 1\n" });
      const job_id = await own.queued({ program: "daily" });
      const { finished_at, queued_at } = (await own.over(job_id)).body;
      const { next_at } = (await own.call("GET", "/schedules")).body.schedules[0];
      const daily = (await own.call("GET", "/programs")).body.programs[0];
      const last = { job_id, status: "succeeded", queued_at, finished_at };
      expect([daily.last_job, daily.next_fire_at]).toEqual([lists === "0" ? null : last, next_at]);
      await own.call("PATCH", "/programs/daily", { enabled: false });
      expect((await own.call("GET", "/programs")).body.programs[0].next_fire_at).toBe(null);
    } finally {
      await own.stop();
    }
  });

  it("are gone from lists when they are removed, and their jobs continue", async () => {
    const name = fresh();
    await put(name, { code: 'L1:\n  R ext.Hold "job" ->x\n  J x\n' });
    const id = await service.queued({ program: name });
    const held = await service.held();
    expect((await service.call("DELETE", `/programs/${name}`)).body).toEqual({ ok: true, name });
    expect((await service.call("GET", `/programs/${name}`)).status).toBe(404);
    expect((await service.call("GET", `/programs?q=${name}`)).body.programs).toEqual([]);
    held.release(1);
    expect((await service.over(id)).body).toMatchObject({ program: name, result: { out: 1 } });
    expect((await service.call("GET", `/programs/${name}/versions/1`)).status).toBe(200);
    expect((await service.call("DELETE", `/programs/${name}`)).status).toBe(404);
  });

  it("are not changed where WF_DEPLOY is off, which is the default beyond the loopback address (P-6)", async () => {
    const closed = await servingJobs({ variables: { WF_HOST: "0.0.0.0" } });
    const open = await servingJobs({ variables: { WF_HOST: "0.0.0.0", WF_DEPLOY: "on" } });
    try {
      const refused = await closed.call("PUT", "/programs/a", { code: DOUBLE });
      expect([refused.status, refused.body.error]).toEqual([403, "deploy_disabled"]);
      expect(refused.body.message).toContain("WF_DEPLOY");
      for (const [method, path, body] of [
        ["PATCH", "/programs/a", {}],
        ["DELETE", "/programs/a", undefined],
        ["POST", "/programs/a/rollback", { version: 1 }],
      ] as const)
        expect((await closed.call(method, path, body)).status).toBe(403);
      expect((await closed.call("GET", "/programs")).status).toBe(200);
      expect((await open.call("PUT", "/programs/a", { code: DOUBLE })).status).toBe(201);
    } finally {
      await closed.stop();
      await open.stop();
    }
  });

  it("are bounded in number (P-4)", async () => {
    const small = await servingJobs({ variables: { WF_PROGRAMS_MAX: "1" } });
    try {
      await small.call("PUT", "/programs/a", { code: DOUBLE });
      const refused = await small.call("PUT", "/programs/b", { code: DOUBLE });
      expect([refused.status, refused.body.error]).toEqual([409, "programs_full"]);
    } finally {
      await small.stop();
    }
  });

  it("have together as many schedules as there may be, by the zone data that /capabilities names (K-6)", async () => {
    const small = await servingJobs({ variables: { WF_SCHEDULES_MAX: "2" } });
    const daily = (count: number) => ({
      code: "L1:\n  J 1\n",
      schedules: Array.from({ length: count }, () => ({ cron: "@daily" })),
    });
    try {
      expect((await small.call("PUT", "/programs/a", daily(2))).status).toBe(201);
      for (const [name, count] of [
        ["b", 1],
        ["a", 3],
      ] as const) {
        const refused = await small.call("PUT", `/programs/${name}`, daily(count));
        expect([refused.status, refused.body.error]).toEqual([409, "schedules_full"]);
      }
      expect((await small.call("PUT", "/programs/a", daily(1))).status).toBe(200);
      expect((await small.call("PUT", "/programs/b", daily(1))).status).toBe(201);
      const back = await small.call("POST", "/programs/a/rollback", { version: 1 });
      expect([back.status, back.body.error]).toEqual([409, "schedules_full"]);
      expect((await small.call("GET", "/capabilities")).body.time_zone_data).toBe(process.versions["tz"]);
    } finally {
      await small.stop();
    }
  });
});
