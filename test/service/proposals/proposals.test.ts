/** Proposals over HTTP: what waits for a person, what the person sees, and what comes of the word (T.A-1). */
import { afterAll, describe, expect, it } from "vitest";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../jobs/serving-jobs.ts";
import { realClock } from "../serving.ts";

const DOUBLE = '# with: {"a": 21}\n# result: 42\ndef main(a: int):\n    return a * 2\n';
const TRIPLE = DOUBLE.replace("a * 2", "a * 3");
const FETCH = 'def main(path: str):\n    return http.get("https://api.example.com/" + path)["status"]\n';
const HTTP = { adapters: { enable: ["http"] } };

const opened: JobServing[] = [];
afterAll(() => Promise.all(opened.map((one) => one.stop())));
const serving = async (
  variables: Record<string, string> = {},
  options: JobServingOptions = {},
): Promise<JobServing> => {
  const service = await servingJobs({ ...options, variables });
  opened.push(service);
  return service;
};
const BEHIND_PROXY = { WF_DEPLOY: "proposals", WF_USER_HEADER: "X-User", WF_TRUST_PROXY: "1" };
const as = (user: string) => ({ "x-user": user, "x-forwarded-for": "10.0.0.7" });
const UNNAMED = { "x-forwarded-for": "10.0.0.7" };

const propose = (service: JobServing, name: string, body: object, headers = {}) =>
  service.call("PUT", `/programs/${name}?propose=1`, body, headers);
const accept = (
  service: JobServing,
  { id, checksum, base }: { id: string; checksum: string; base: number | null },
  headers = {},
) => service.call("POST", `/proposals/${id}/accept`, { checksum, base, comment: "looks right" }, headers);

describe("a proposal", () => {
  it("changes nothing that runs, and becomes current with the word of a person", async () => {
    const service = await serving();
    const made = await propose(service, "doubler", { code: DOUBLE, comment: "first" });
    expect([made.status, made.body.state, made.body.base, made.body.version]).toEqual([202, "open", null, null]);
    expect((await service.call("GET", "/programs/doubler")).status).toBe(404);
    expect((await service.run({ program: "doubler", frame: { a: 1 } })).status).toBe(404);
    const done = await accept(service, made.body);
    expect([done.status, done.body.state, done.body.version]).toEqual([200, "accepted", 1]);
    expect((await service.run({ program: "doubler", frame: { a: 1 } })).body.out).toBe(2);
    const { body } = await service.call("GET", "/programs/doubler/versions/1");
    expect(body.accepted).toMatchObject({ by: null, via: "api", comment: "looks right", proposal: made.body.id });
    expect((await service.call("GET", "/programs/doubler")).body.accepted.proposal).toBe(made.body.id);
  });

  it("says what it newly reaches, which settings change and what the source changes", async () => {
    const service = await serving();
    await service.call("PUT", "/programs/reader", { code: DOUBLE });
    const { body } = await propose(service, "reader", { code: FETCH, ...HTTP, limits: { max_steps: 400 } });
    expect(body.base).toBe(1);
    expect(body.newly_reaches.map(({ kind, value }: Record<string, string>) => `${kind} ${value}`)).toContain(
      "privilege network",
    );
    expect(body.settings_changes).toEqual([
      { name: "adapters", before: null, after: { enable: ["http"] } },
      { name: "limits", before: null, after: { max_steps: 400 } },
    ]);
    expect(body.source_difference).toContain("-    return a * 2\n");
    expect(body.source_difference).toContain('+    return http.get("https://api.example.com/" + path)["status"]\n');
    expect(body.report.bounds).toBeDefined();
  });

  it("warns of an adapter that is not enabled here, until it is accepted", async () => {
    const service = await serving();
    const { body } = await propose(service, "lacks", { code: FETCH });
    const lacks = (warnings: readonly string[]): boolean =>
      warnings.some((one) => one.startsWith("adapter_not_enabled: the program uses adapter 'http'"));
    const done = await accept(service, body);
    expect([body, done.body].map(({ warnings }) => lacks(warnings))).toEqual([true, false]);
  });

  it("has the results of its tests, which run with mocks alone", async () => {
    const service = await serving();
    const get = { result: { status: 204, body: "" } };
    const test = { frame: { path: "x" }, mocks: { "http.Get": get } };
    const { body } = await propose(service, "tested", {
      code: FETCH,
      ...HTTP,
      tests: [
        { name: "answers", ...test, expect: { result: 204 } },
        { name: "differs", ...test, expect: { result: 200 } },
        { name: "no mock", frame: { path: "x" }, expect: { result: 200 } },
        { name: "bad mock", frame: { path: "x" }, mocks: { nope: get }, expect: { result: 200 } },
        { name: "bad input", frame: { path: 7 }, expect: { error: "input_invalid" } },
      ],
    });
    expect(body.tests).toMatchObject({ total: 5, passed: 2, fault: null });
    const problems = Object.fromEntries(
      body.tests.results.map(({ name, problems: found }: { name: string; problems: string[] }) => [name, found]),
    );
    expect(problems).toMatchObject({
      answers: [],
      differs: ["result: expected 200, and it was 204"],
      "bad input": [],
    });
    expect(problems["no mock"][0]).toBe("http.Get was called and has no mock");
    expect(problems["bad mock"][0]).toContain("not the name of an adapter and its verb");
    expect(service.made).toEqual([]);
  });

  it("tests the comments of the program, under limits that end a loop", async () => {
    const service = await serving();
    const right = await propose(service, "a", { code: DOUBLE });
    const wrong = await propose(service, "b", { code: TRIPLE });
    const endless = "# result: 1\ndef main():\n    while True:\n        pass\n";
    const never = await propose(service, "c", { code: endless });
    expect([right, wrong, never].map(({ body }) => body.tests.passed)).toEqual([1, 0, 0]);
    expect(wrong.body.tests.results[0].problems).toEqual(["result: expected 42, and it was 63"]);
    expect(never.body.tests.results[0].problems[0]).toContain("RUNTIME_MAX_LOOP_ITERS");
  });

  it("is the same proposal when the same content is proposed again", async () => {
    const service = await serving();
    const first = await propose(service, "same", { code: DOUBLE });
    const again = await propose(service, "same", { code: DOUBLE });
    expect([again.status, again.body.id]).toEqual([202, first.body.id]);
    expect((await service.call("GET", "/proposals")).body.proposals).toHaveLength(1);
  });

  it("is refused as a deployment would be, and keeps nothing then", async () => {
    const service = await serving();
    const refused = await propose(service, "bad", { code: "def main(:\n" });
    expect([refused.status, refused.body.error]).toEqual([422, "compile_error"]);
    const both = await service.call("PUT", "/programs/bad?propose=1&dry_run=1", { code: DOUBLE });
    expect([both.status, both.body.issues[0].path]).toEqual([400, "/dry_run"]);
    const direct = await service.call("PUT", "/programs/bad", { code: DOUBLE, comment: "x", tests: [] });
    expect(direct.body.issues.map(({ path }: { path: string }) => path)).toEqual(["/comment", "/tests"]);
    const wrongTest = await propose(service, "bad", { code: DOUBLE, tests: [{ expect: { reslt: 1 } }] });
    expect([wrongTest.status, wrongTest.body.error]).toEqual([400, "invalid_request"]);
    const comment = await propose(service, "bad", { code: `# expect: {oops\n${DOUBLE}` });
    expect([comment.status, comment.body.issues[0].path]).toEqual([400, "/code"]);
    expect((await service.call("GET", "/proposals?state=all")).body.proposals).toEqual([]);
  });
});

describe("a person", () => {
  it("declines with a word, and nothing else can be decided after that", async () => {
    const service = await serving();
    const { body } = await propose(service, "no", { code: DOUBLE });
    const silent = await service.call("POST", `/proposals/${body.id}/decline`, {});
    expect([silent.status, silent.body.issues[0].path]).toEqual([400, "/comment"]);
    const done = await service.call("POST", `/proposals/${body.id}/decline`, { comment: "it is wrong" });
    expect(done.body).toMatchObject({ state: "declined", version: null, decision: { comment: "it is wrong" } });
    const late = await accept(service, body);
    expect([late.status, late.body.error]).toEqual([409, "proposal_not_open"]);
    expect((await service.call("GET", "/programs/no")).status).toBe(404);
  });

  it("does not accept what was made against a version that is not current any more", async () => {
    const service = await serving();
    const { body } = await propose(service, "moved", { code: DOUBLE });
    await service.call("PUT", "/programs/moved", { code: TRIPLE });
    const shown = await service.call("GET", `/proposals/${body.id}`);
    expect([shown.body.stale, shown.body.base, shown.body.current]).toEqual([true, null, 1]);
    const stale = await accept(service, body);
    expect([stale.status, stale.body.error]).toEqual([412, "proposal_stale"]);
    expect(stale.body.message).toContain("version 1 is current now; propose it again");
  });

  it("names what was looked at: another checksum or base is not accepted", async () => {
    const service = await serving();
    const { body } = await propose(service, "named", { code: DOUBLE });
    for (const other of [{ checksum: "sha256:other" }, { base: 3 }]) {
      const refused = await accept(service, { ...body, ...other });
      expect([refused.status, refused.body.error]).toEqual([412, "proposal_stale"]);
    }
    expect((await service.call("POST", `/proposals/${"0".repeat(32)}/decline`, { comment: "x" })).status).toBe(404);
    expect((await service.call("GET", "/proposals/__proto__")).status).toBe(404);
  });

  it("finds them by state and program, page by page", async () => {
    const service = await serving();
    for (const name of ["a", "b", "c"]) await propose(service, name, { code: DOUBLE });
    const [first] = (await service.call("GET", "/proposals?program=b")).body.proposals;
    await service.call("POST", `/proposals/${first.id}/decline`, { comment: "no" });
    const names = async (query: string) =>
      (await service.call("GET", `/proposals?${query}`)).body.proposals
        .map(({ name }: { name: string }) => name)
        .sort();
    expect(await names("state=declined")).toEqual(["b"]);
    expect(await names("state=all")).toEqual(["a", "b", "c"]);
    const page = await service.call("GET", "/proposals?limit=1");
    const rest = await service.call("GET", `/proposals?limit=5&cursor=${page.body.next_cursor}`);
    expect([...page.body.proposals, ...rest.body.proposals].map(({ name }) => name).sort()).toEqual(["a", "c"]);
    expect((await service.call("GET", "/proposals?cursor=x")).status).toBe(400);
  });
});

describe("with WF_DEPLOY=proposals", () => {
  it("a proposal is the only way to another version", async () => {
    const service = await serving(BEHIND_PROXY);
    const direct = await service.call("PUT", "/programs/p", { code: DOUBLE }, as("ann"));
    expect([direct.status, direct.body.error]).toEqual([403, "proposals_only"]);
    expect((await service.call("PUT", "/programs/p?dry_run=1", { code: DOUBLE }, as("ann"))).status).toBe(200);
    const first = await propose(service, "p", { code: DOUBLE }, as("agent"));
    const own = await accept(service, first.body, as("agent"));
    expect([own.status, own.body.error, own.body.message]).toEqual([
      403,
      "proposal_not_yours",
      "who proposed a version does not accept it",
    ]);
    const nameless = await accept(service, first.body, UNNAMED);
    expect([nameless.status, nameless.body.error]).toEqual([403, "proposal_not_yours"]);
    const done = await accept(service, first.body, as("ann"));
    expect(done.body).toMatchObject({ state: "accepted", proposed_by: "agent", decision: { by: "ann", via: "proxy" } });
    expect(await service.logged("proposal_accepted")).toMatchObject({ program: "p", version: 1, via: "proxy" });
  });

  it("two who come straight to the service count as one, and the operator accepts what came through the proxy", async () => {
    const service = await serving(BEHIND_PROXY);
    const straight = await propose(service, "q", { code: DOUBLE });
    expect((await accept(service, straight.body)).body.error).toBe("proposal_not_yours");
    const through = await propose(service, "r", { code: DOUBLE }, as("agent"));
    expect((await accept(service, through.body)).status).toBe(200);
  });

  it("closes the other ways: rollback to a version that was not accepted, settings, removal", async () => {
    const service = await serving(BEHIND_PROXY);
    for (const code of [DOUBLE, TRIPLE]) {
      const { body } = await propose(service, "s", { code }, as("agent"));
      await accept(service, body, as("ann"));
    }
    expect((await service.call("POST", "/programs/s/rollback", { version: 1 }, as("agent"))).status).toBe(200);
    const patched = await service.call("PATCH", "/programs/s", { tags: { tool: "yes" } }, UNNAMED);
    expect([patched.status, patched.body.error]).toEqual([403, "proposals_only"]);
    expect((await service.call("DELETE", "/programs/s", undefined, UNNAMED)).body.error).toBe("proposals_only");
    expect((await service.call("PATCH", "/programs/s", { enabled: false }, UNNAMED)).status).toBe(200);
    expect((await service.call("PATCH", "/programs/s", { enabled: true }, UNNAMED)).body.error).toBe("proposals_only");
    expect((await service.call("PATCH", "/programs/s", { enabled: true }, as("ann"))).status).toBe(200);
  });

  it("says that acceptance is not a control without names of people", async () => {
    const service = await serving({ WF_DEPLOY: "proposals" });
    const { body } = await service.call("GET", "/ready");
    expect(body.warnings.join()).toContain("proposals_anonymous");
  });
});

describe("with WF_CODE=deployed", () => {
  it("nothing runs that a request brings along, by any way", async () => {
    const service = await serving({ WF_CODE: "deployed" });
    expect((await service.call("PUT", "/programs/known", { code: DOUBLE })).status).toBe(201);
    const frames = [{ a: 1 }];
    for (const [path, body] of [
      ["/run", { code: DOUBLE, frame: { a: 1 } }],
      ["/run", { ir: { ir_version: "1.0" } }],
      ["/batch", { code: DOUBLE, frames }],
      ["/enqueue", { code: DOUBLE, frame: { a: 1 } }],
      ["/enqueue", { code: DOUBLE, frames }],
    ] as const) {
      const refused = await service.call("POST", path, body);
      expect([refused.status, refused.body.error], path).toEqual([403, "code_not_taken"]);
    }
    expect((await service.run({ program: "known", frame: { a: 2 } })).body.out).toBe(4);
    const id = await service.queued({ program: "known", frame: { a: 3 } });
    expect((await service.over(id)).body.status).toBe("succeeded");
  });

  it("retries jobs of deployed programs alone, and with their own program", async () => {
    const folder = await temporaryFolder();
    const fails = "def main():\n    return 1 // 0\n";
    const open = await serving({}, { stateDir: folder.path });
    const own = await open.queued({ code: fails });
    await open.over(own);
    await open.call("PUT", "/programs/fails", { code: fails });
    const named = await open.queued({ program: "fails" });
    await open.over(named);
    await open.stop();
    opened.splice(opened.indexOf(open), 1);
    const service = await serving({ WF_CODE: "deployed" }, { stateDir: folder.path });
    expect((await service.call("POST", `/result/${own}/retry`)).body.error).toBe("code_not_taken");
    expect((await service.call("POST", `/result/${named}/retry`, { from: { seq: 0 }, code: DOUBLE })).body.error).toBe(
      "code_not_taken",
    );
    expect((await service.call("POST", `/result/${named}/retry`)).status).toBe(202);
  });
});

describe("bounds", () => {
  it("at most WF_PROPOSALS_MAX wait", async () => {
    const service = await serving({ WF_PROPOSALS_MAX: "1" });
    await propose(service, "a", { code: DOUBLE });
    const full = await propose(service, "b", { code: DOUBLE });
    expect([full.status, full.body.error]).toEqual([409, "proposals_full"]);
  });

  it("one that is not decided ends after 30 days, and makes room", async () => {
    let passed = 0;
    const clock = { ...realClock, wall: () => Date.now() + passed };
    const service = await serving({ WF_PROPOSALS_MAX: "1" }, { clock });
    const { body } = await propose(service, "a", { code: DOUBLE });
    passed = 30 * 24 * 3_600_000;
    expect((await service.call("GET", `/proposals/${body.id}`)).body.state).toBe("expired");
    expect((await accept(service, body)).body.message).toContain("it is expired");
    expect((await propose(service, "b", { code: DOUBLE })).status).toBe(202);
  });

  it("nothing is proposed where WF_DEPLOY is off", async () => {
    const service = await serving({ WF_DEPLOY: "off" });
    expect((await propose(service, "a", { code: DOUBLE })).body.error).toBe("deploy_disabled");
  });
});
