/** Models asked by whole programs, through a service: usage, figures, grants, records, and what is known before a run. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../../compiler/catalog/builtin.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { securityReport } from "../../../../compiler/policy/report.ts";
import { folderWith } from "../../../cli/folders.ts";
import { type JobServing, type JobServingOptions, servingJobs } from "../../../service/jobs/serving-jobs.ts";
import { compiled } from "../../../support/world.ts";
import { KEY, KEY_SECRET, type ModelWorld, modelWorld, send } from "./world.ts";

const ASK = 'L1:\n  R llm.chat q {"max_tokens": 20} ->a\n  J a.text\n';
const GRANT = { allowed_adapters: ["llm", "core"] };

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function started(
  settings: JsonObject = {},
  variables: Readonly<Record<string, string>> = {},
  operator: JsonObject = { enable: ["llm"] },
  more: JobServingOptions = {},
): Promise<{ readonly service: JobServing; readonly world: ModelWorld }> {
  const world = await modelWorld();
  const file = join(folderWith({}), "adapters.json");
  writeFileSync(file, JSON.stringify({ ...operator, llm: { ...world.settings(), ...settings } }));
  const service = await servingJobs({
    ...more,
    variables: { WF_ADAPTERS_CONFIG: file, [`WF_SECRET_${KEY_SECRET}`]: KEY, ...variables },
  });
  open.push(
    () => service.stop(),
    () => world.server.close(),
  );
  return { service, world };
}

describe("a run", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["on the thread of the service", {}],
    ["in a thread of its own", { WF_ISOLATION: "worker", WF_WORKER_THREADS: "1" }],
  ])("%s says what its models used", async (_where, variables) => {
    const { service } = await started({}, variables);
    const { body } = await service.run({ code: ASK, frame: { q: "Say hello." }, ...GRANT });
    const figures = { calls: 1, input_tokens: 5, output_tokens: 1, cost: 0.000_007 };
    expect(body).toMatchObject({ ok: true, out: "Hello.", usage: { llm: { ...figures, models: { small: figures } } } });
    const metrics = await service.call("GET", "/metrics");
    expect(metrics.body.llm).toEqual({ ...figures, models: { small: figures } });
    const { text } = await service.call("GET", "/metrics?format=prometheus", undefined, { accept: "text/plain" });
    expect(text).toContain('wf_llm_calls_total{model="small"} 1');
    expect(text).toContain('wf_llm_tokens_total{model="small",direction="input"} 5');
    expect(text).toContain('wf_llm_cost_total{model="small"} 0.000007');
  });

  it("that asks no model says nothing of any", async () => {
    const { service } = await started();
    expect((await service.run({ code: "L1:\n  J 1\n" })).body.usage).not.toHaveProperty("llm");
  });

  it("that fails says what its models used until then", async () => {
    const { service } = await started({ max_calls: 1 });
    const { body } = await service.run({
      code: ASK.replace("  J", '  R llm.chat "more" ->b\n  J'),
      frame: { q: "x" },
      ...GRANT,
    });
    expect(body).toMatchObject({
      ok: false,
      error_structured: { data: { adapter_code: "ADAPTER_QUOTA", details: { budget: "max_calls" } } },
      usage: { llm: { calls: 1 } },
    });
  });

  it("counts every attempt of Retry, and waits as long as the provider asks", async () => {
    const { service, world } = await started();
    world.fail((response) => response.writeHead(429, { "retry-after": "0.01" }).end());
    const { body } = await service.run({ code: ASK.replace("  J", "  Retry 2 1\n  J"), frame: { q: "x" }, ...GRANT });
    expect(body).toMatchObject({ ok: true, usage: { llm: { calls: 2 } } });
  });

  it("as a job, and the frames of a batch, have budgets and usage of their own", async () => {
    const { service } = await started({ max_calls: 1 });
    const id = await service.queued({ code: ASK, frame: { q: "x" }, ...GRANT });
    expect((await service.over(id)).body.result).toMatchObject({ ok: true, usage: { llm: { calls: 1 } } });
    const { body } = await service.call("POST", "/batch", { code: ASK, frames: [{ q: "a" }, { q: "b" }], ...GRANT });
    expect(body.results).toMatchObject([{ usage: { llm: { calls: 1 } } }, { usage: { llm: { calls: 1 } } }]);
    expect((await service.call("GET", "/metrics")).body.llm).toMatchObject({ calls: 3 });
  });
});

it("a durable job has the budgets of one run over all of its calls", async () => {
  const { service, world } = await started({ max_calls: 1 }, {}, { enable: ["llm"] }, { stateDir: folderWith({}) });
  const code = ASK.replace("  J", '  R llm.chat "more" ->b\n  J');
  const { result } = (await service.over(await service.queued({ code, frame: { q: "x" }, durable: true, ...GRANT })))
    .body;
  expect(result).toMatchObject({
    error_structured: { data: { adapter_code: "ADAPTER_QUOTA" } },
    usage: { llm: { calls: 1 } },
  });
  expect(world.server.requests).toHaveLength(1);
});

it("branches ask at the same time", async () => {
  const { service, world } = await started();
  const open: (() => void)[] = [];
  // The first requests are answered when all of them are there.
  for (let n = 0; n < 4; n++)
    world.fail((response) => {
      open.push(() => send(response, { model: "small", choices: [{ message: { content: "Hi." } }] }));
      if (open.length === 4) for (const answer of open) answer();
    });
  const code = "L1:\n  Each all qs q ->L_ask\n  J all\nL_ask:\n  R llm.chat q ->a\n  J a.text\n";
  const { body } = await service.run({ code, frame: { qs: ["a", "b", "c", "d"] }, ...GRANT });
  expect(body.out).toEqual(["Hi.", "Hi.", "Hi.", "Hi."]);
});

it("a replay asks nothing, and a record and the log hold no key", async () => {
  const { service, world } = await started();
  const { body } = await service.run({ code: ASK, frame: { q: "x" }, record_calls: true, trace: true, ...GRANT });
  const asked = world.server.requests.length;
  const again = await service.run({ code: ASK, frame: { q: "x" }, replay_log: body.record, ...GRANT });
  expect(again.body).toMatchObject({ ok: true, out: "Hello." });
  expect(again.body.usage).not.toHaveProperty("llm");
  expect(world.server.requests).toHaveLength(asked);
  expect(JSON.stringify([body, service.lines])).not.toContain(KEY);
});

describe("a caller", () => {
  const asking = (llm: JsonObject) => ({
    code: ASK,
    frame: { q: "x" },
    allowed_adapters: ["llm", "core"],
    adapters: { llm },
  });

  it.each<[string, JsonObject, string]>([
    ["fewer calls", { max_calls: 0 }, "ADAPTER_QUOTA"],
    ["less money", { max_cost: 0 }, "ADAPTER_QUOTA"],
    ["no models", { allow_models: [] }, "ADAPTER_NOT_CONFIGURED"],
    ["other models", { allow_models: ["large"] }, "ADAPTER_NOT_CONFIGURED"],
  ])("can ask for %s", async (_what, llm, code) => {
    const { service, world } = await started();
    const { body } = await service.run(asking(llm));
    expect(body.error_structured.data.adapter_code).toBe(code);
    expect(world.server.requests).toHaveLength(0);
  });

  it("cannot ask for more calls, or for models that the operator left out", async () => {
    const { service } = await started({ max_calls: 0, allow_models: [] });
    const { body } = await service.run(asking({ max_calls: 1000, allow_models: ["small"] }));
    expect(body.error_structured.data.adapter_code).toMatch(/QUOTA|NOT_CONFIGURED|NOT_ALLOWED/);
  });

  it.each(["providers", "default_model"])("cannot set %s", async (setting) => {
    const { service } = await started();
    const { status, body } = await service.run(asking({ [setting]: setting === "providers" ? {} : "small" }));
    expect([status, body.error]).toEqual([422, "adapter_config_error"]);
  });

  it.each<[string, JsonObject, object, string]>([
    ["the operator did not enable it", { enable: [] }, GRANT, "adapter_not_available"],
    ["the allowlist leaves it out", { enable: ["llm"] }, { allowed_adapters: ["core"] }, "adapter_not_allowed"],
  ])("cannot use the adapter when %s", async (_what, operator, grant, error) => {
    const { service } = await started({}, {}, operator);
    const { body } = await service.run({ code: ASK, frame: { q: "x" }, ...grant });
    expect(body).toMatchObject({ ok: false, error });
  });
});

describe("before a run", () => {
  const reportOf = (source: string) => {
    const { ir } = compiled(source);
    if (ir === null) throw new Error("the program compiles");
    return securityReport(ir, builtinCatalog);
  };

  it.each<[string, string, readonly object[]]>([
    ["one call", 'R llm.chat "x" {"model": "a"} ->r', [{ model: "a", max_calls: 1 }]],
    ["a call under Retry", 'R llm.chat "x" {"model": "a"} ->r\n  Retry 3 1', [{ model: "a", max_calls: 4 }]],
    ["the operator's default", 'R llm.chat "x" ->r', [{ model: "default", max_calls: 1 }]],
    ["the default next to options", 'R llm.chat "x" {"max_tokens": 3} ->r', [{ model: "default", max_calls: 1 }]],
    ["a computed model", 'R llm.chat "x" {"model": m} ->r', [{ model: null, max_calls: 1 }]],
    ["computed options", 'R llm.chat "x" m ->r', [{ model: null, max_calls: 1 }]],
    [
      "two models",
      'R llm.classify "x" ["a", "b"] {"model": "b"} ->r\n  R llm.embed ["x"] {"model": "v"} ->e',
      [
        { model: "b", max_calls: 1 },
        { model: "v", max_calls: 1 },
      ],
    ],
    ["no model", "R core.ADD 1 2 ->r", []],
  ])("the report names the models and how often at most: %s", (_what, step, models) => {
    const { summary } = reportOf(`# frame: m: any\nL1:\n  ${step}\n  J r\n`);
    expect(summary.models).toEqual(models);
  });

  it("a loop over a known list is counted", () => {
    const source = 'L1:\n  Loop [1, 2, 3] x ->L2 ->L3\nL2:\n  R llm.chat "x" {"model": "a"} ->r\n  J r\nL3:\n  J 1\n';
    expect(reportOf(source).summary.models).toEqual([{ model: "a", max_calls: 3 }]);
  });

  it("what is not named is listed among the unknown, and the least grant then lists no models", () => {
    const named = reportOf('L1:\n  R llm.chat "x" {"model": "a"} ->r\n  J r\n');
    expect(named.summary.unknown.filter(({ what }) => what === "models")).toEqual([]);
    expect(named.least_privilege_grant.adapter_constraints).toMatchObject({ llm: { allow_models: ["a"] } });
    const open = reportOf('L1:\n  R llm.chat "x" ->r\n  J r\n');
    expect(open.summary.unknown).toContainEqual(
      expect.objectContaining({ what: "models", reason: "llm.chat names no model, so the operator's default holds" }),
    );
    expect(open.least_privilege_grant.adapter_constraints["llm"]).toBeUndefined();
  });
});
