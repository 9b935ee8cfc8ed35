/** The example plugin, used as its README says: loaded by name, enabled, called by a program; and tested as its author would. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AdapterDefinition } from "../../adapter.ts";
import { CONFORMANCE, runSuite } from "../../adapter-testing.ts";
import { documentOf, wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { realClock } from "../support/adapter-bench.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = "examples/plugins/weather";

type World = {
  readonly settings: { readonly base_url: string };
  readonly secrets: { readonly WEATHER_KEY: string };
  stop(): Promise<void>;
};
const { start } = (await import(join(ROOT, FOLDER, "fixture.js"))) as { start(): Promise<World> };

async function service(): Promise<World> {
  const world = await start();
  onTestFinished(() => world.stop());
  return world;
}

const python = spawnSync("python3", ["--version"]).status === 0;

describe("an adapter class of the predecessor", () => {
  const flags = ["--strict", "--json", "--adapters-config", "examples/plugins/predecessor/adapters.json"];
  const options = { cwd: ROOT, clock: realClock, environment: { PATH: process.env["PATH"] ?? "" } };
  const run = async (program: string, frame: object) =>
    documentOf(await wf(["run", program, "--frame", JSON.stringify(frame), ...flags], options));

  it.skipIf(!python).each([
    [2, { ordered: 2, left: 1 }],
    [9, { ordered: 0, left: 3 }],
  ])(python ? "serves a program that takes %i" : "python3 is not installed on this machine", async (wanted, out) => {
    expect(await run("examples/plugins/predecessor/order.wf", { wanted })).toMatchObject({ ok: true, out });
  });

  it.skipIf(!python)("fails with the text of its exception, and continues", async () => {
    const cwd = folderWith({ "p.wf": 'L1:\n  R stock.take "pen" 9 ->a\n  Err ->L2\n  J a\nL2:\n  J _error\n' });
    expect(await run(`${cwd}/p.wf`, {})).toMatchObject({
      ok: true,
      out: expect.stringContaining("ValueError: not enough of pen"),
    });
  });
});

describe("the plugin weather", () => {
  it.each([
    ["Oslo", true],
    ["Rome", false],
    ["Downtown", "no data"],
  ])("answers a program about %s", async (city, out) => {
    const { settings, secrets } = await service();
    const flags = ["--enable-adapter", "weather", "--set", `weather.base_url=${JSON.stringify(settings.base_url)}`];
    const answer = await wf(
      ["run", `${FOLDER}/umbrella.wf`, "--strict", "--json", "--frame", JSON.stringify({ city }), ...flags],
      {
        cwd: ROOT,
        clock: realClock,
        environment: { WF_ADAPTERS: `./${FOLDER}/index.js`, WF_SECRET_WEATHER_KEY: secrets.WEATHER_KEY },
      },
    );
    expect(documentOf(answer)).toMatchObject({ ok: true, out });
    expect(answer.stdout + answer.stderr).not.toContain(secrets.WEATHER_KEY);
  });

  it("is not there for who does not name it, and does nothing before it is enabled", async () => {
    const program = ["run", `${FOLDER}/umbrella.wf`, "--json", "--frame", '{"city": "Oslo"}'];
    expect(documentOf(await wf(program, { cwd: ROOT, clock: realClock }))).toMatchObject({
      error: "compile_error",
      diagnostics: [{ code: "WF6001", message: "nothing defines 'weather'" }],
    });
    const environment = { WF_ADAPTERS: `./${FOLDER}/index.js` };
    expect(documentOf(await wf(program, { cwd: ROOT, clock: realClock, environment }))).toMatchObject({
      out: "no data",
      warnings: [expect.stringContaining("'weather'")],
    });
  });

  it("is as its page says", async () => {
    const page = await wf(["adapter", "docs", FOLDER, "--fill", `${FOLDER}/README.md`, "--check"], { cwd: ROOT });
    expect(page).toMatchObject({ code: 0 });
  });
});

describe("the suite as a library", () => {
  const definitionOf = async (): Promise<AdapterDefinition> =>
    ((await import(join(ROOT, FOLDER, "index.js"))) as { readonly default: AdapterDefinition }).default;

  it("reports points and cases one by one", async () => {
    const cases = [{ title: "rain", source: 'R weather.current "Rome" ->w', result: { city: "Rome" } }];
    const reports = [];
    for await (const report of runSuite(await definitionOf(), { start, cases })) reports.push(report);
    expect(reports.map(({ number }) => number)).toEqual([...CONFORMANCE.map(({ number }) => number), null]);
    expect(reports.filter(({ findings }) => findings.length > 0)).toEqual([
      { number: null, title: "rain", findings: ['gave {"city":"Rome","degrees":16.5,"sky":"sun"}'] },
    ]);
  });
});
