/** Deployments from files: at the start, when a file changes, and when it no longer compiles. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { outcomeText } from "../../../cli/output/deployment.ts";
import { createPaint } from "../../../cli/output/terminal/colour.ts";
import { servedFiles, watchServed } from "../../../cli/serve/served-files.ts";
import { openJobStore } from "../../../service/jobs/open-store.ts";
import { jobTimes } from "../../../service/jobs/times.ts";
import { createJobsPart } from "../../../service/jobs-part.ts";
import { deployFiles, type FileOutcome } from "../../../service/programs/files/deploy-files.ts";
import type { ProgramStore } from "../../../service/programs/store.ts";
import { exchange, realClock, type Serving, serving } from "../serving.ts";

const greeting = (word: string): string => `E /hello G ->L1\nL1:\n  J "${word}"\n`;

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type World = {
  readonly service: Serving;
  readonly store: ProgramStore;
  readonly now: () => number;
  readonly folder: string;
};

async function world(stateDir: string | null = null, variables: Readonly<Record<string, string>> = {}): Promise<World> {
  const store = await openJobStore({
    stateDir,
    databaseUrl: null,
    clock: realClock,
    owner: `o${Math.random()}`,
    silentMs: 30_000,
  });
  const service = await serving({ variables, part: createJobsPart(store, realClock, jobTimes(30_000)) });
  closing.push(() => service.stop());
  const folder = mkdtempSync(join(tmpdir(), "weft-flows-"));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return { service, store: store.programs, now: store.now, folder };
}

/** Deploys the files of the folder; `next` resolves with the outcome that follows. */
async function started({ service, store, now, folder }: World, watched = false) {
  const outcomes: FileOutcome[] = [];
  const waiting: ((outcome: FileOutcome) => void)[] = [];
  const stop = await deployFiles(
    { services: service.services, store, now },
    {
      read: () => servedFiles(folder, ["."], realClock),
      ...(watched ? { watch: (changed: () => void) => watchServed(folder, ["."], realClock, changed) } : {}),
      report(outcome) {
        outcomes.push(outcome);
        waiting.shift()?.(outcome);
      },
    },
    false,
  );
  closing.push(stop);
  return { outcomes, next: () => new Promise<FileOutcome>((resolve) => waiting.push(resolve)) };
}

const hello = async ({ service }: World, name: string): Promise<unknown> =>
  (await exchange(service.port, "GET", `/app/${name}/hello`)).body;

describe("wf serve PATH", () => {
  it("deploys what the files hold, and refuses to change it over HTTP", async () => {
    const place = await world();
    writeFileSync(join(place.folder, "one.wf"), greeting("one"));
    writeFileSync(join(place.folder, "Two_b.wf"), greeting("two"));
    writeFileSync(join(place.folder, "bad.wf"), "L1:\n  J ghost\n");
    const { outcomes } = await started(place);
    expect(outcomes.map(({ name, state }) => `${name} ${state}`).sort()).toEqual([
      "bad refused",
      "one deployed",
      "two-b deployed",
    ]);
    expect([await hello(place, "one"), await hello(place, "two-b")]).toEqual(["one", "two"]);
    for (const [method, path, body] of [
      ["PUT", "/programs/one", { code: greeting("other") }],
      ["PATCH", "/programs/one", { enabled: false }],
      ["DELETE", "/programs/one", undefined],
      ["POST", "/programs/one/rollback", { version: 1 }],
    ] as const) {
      const refused = await place.service.call(method, path, body);
      expect([refused.status, refused.body.error]).toEqual([409, "managed_by_files"]);
    }
    expect((await place.service.call("GET", "/programs/one")).body.source).toBe("file");
    const { warnings } = (await place.service.call("GET", "/ready")).body;
    expect(warnings).toEqual([expect.stringContaining("program_stale: bad.wf: it is not deployed: line 2")]);
  });

  it("proposes what changed with WF_DEPLOY=proposals, at the start and while it watches (T.A-1)", async () => {
    const place = await world(null, { WF_DEPLOY: "proposals" });
    writeFileSync(join(place.folder, "one.wf"), greeting("one"));
    const { outcomes, next } = await started(place, true);
    expect(outcomes).toEqual([
      { name: "one", file: "one.wf", state: "proposed", proposal: expect.any(String), kept: null },
    ]);
    expect(outcomeText(outcomes[0] as FileOutcome, createPaint(false))).toContain(
      "it is not deployed until somebody accepts it",
    );
    const accept = async () => {
      const [{ id, checksum, base }] = (await place.service.call("GET", "/proposals")).body.proposals;
      const word = { checksum, base, comment: "right" };
      return place.service.call("POST", `/proposals/${id}/accept`, word);
    };
    expect((await accept()).body.version).toBe(1);
    expect(await hello(place, "one")).toBe("one");
    expect((await place.service.call("GET", "/programs/one")).body.source).toBe("file");
    const change = next();
    writeFileSync(join(place.folder, "one.wf"), greeting("two"));
    expect(await change).toMatchObject({ state: "proposed", kept: 1 });
    expect(await hello(place, "one")).toBe("one");
    expect((await accept()).body.version).toBe(2);
    expect(await hello(place, "one")).toBe("two");
    expect((await started(place)).outcomes).toMatchObject([{ state: "deployed", unchanged: true }]);
  });

  it("waits for no pipe, and follows no link that leads out of the folder", async () => {
    const place = await world();
    const outside = mkdtempSync(join(tmpdir(), "weft-outside-"));
    closing.push(() => rmSync(outside, { recursive: true, force: true }));
    const at = (name: string): string => join(place.folder, name);
    writeFileSync(at("one.wf"), greeting("one"));
    writeFileSync(join(outside, "secret.wf"), greeting("secret"));
    mkdirSync(at(".data"));
    writeFileSync(at(".data/kept.wf"), greeting("kept"));
    mkdirSync(at("piped"));
    writeFileSync(at("piped/two.wf"), greeting("two"));
    for (const pipe of ["pipe.wf", ".data/pipe", "piped/wf.config.json"]) execFileSync("mkfifo", [at(pipe)]);
    symlinkSync(".data/pipe", at("to-pipe.wf"));
    symlinkSync(".data/kept.wf", at("kept.wf"));
    symlinkSync(join(outside, "secret.wf"), at("out.wf"));
    symlinkSync(outside, at("way"));
    symlinkSync("way/secret.wf", at("out-by-folder.wf"));
    symlinkSync("nothing.wf", at("gone.wf"));
    symlinkSync("round.wf", at("round.wf"));
    const { outcomes } = await started(place);
    const told = outcomes.map((outcome) =>
      outcome.state === "refused" ? `${outcome.name}: ${outcome.message}` : `${outcome.name}: ${outcome.state}`,
    );
    const leadsOut = "is a link that leads out of .; put a copy there, or name the file itself as a PATH";
    expect(told).toEqual([
      expect.stringMatching(/^gone: gone.wf does not exist/),
      "kept: deployed",
      "one: deployed",
      `out-by-folder: out-by-folder.wf ${leadsOut}`,
      `out: out.wf ${leadsOut}`,
      "two: piped/wf.config.json is not a file",
      "round: round.wf cannot be read (ELOOP)",
      "to-pipe: to-pipe.wf is not a file",
    ]);
    expect([await hello(place, "one"), await hello(place, "kept")]).toEqual(["one", "kept"]);
  });

  it("lets other work run between files", async () => {
    const place = await world();
    const count = 30;
    for (let at = 0; at < count; at++) writeFileSync(join(place.folder, `p${at}.wf`), greeting(`${at}`));
    let time = 0;
    let turns = 0;
    let done = false;
    const other = (): void => {
      turns += 1;
      if (!done) setImmediate(other);
    };
    setImmediate(other);
    // By this clock, reading a file takes longer than other work may wait.
    const found = await servedFiles(place.folder, ["."], { ...realClock, now: () => (time += 10) });
    done = true;
    expect(found).toHaveLength(count);
    expect(turns).toBeGreaterThanOrEqual(count);
  });

  it("says which of two files with one name it takes", async () => {
    const place = await world();
    writeFileSync(join(place.folder, "a-b.wf"), greeting("dash"));
    writeFileSync(join(place.folder, "a_b.wf"), greeting("line"));
    const { outcomes } = await started(place);
    expect(outcomes.map(({ state }) => state)).toEqual(["deployed", "refused"]);
  });

  it("gives deployments whose files are gone back to callers, when it is started again", async () => {
    const stateDir = mkdtempSync(join(tmpdir(), "weft-state-"));
    closing.push(() => rmSync(stateDir, { recursive: true, force: true }));
    const first = await world(stateDir);
    writeFileSync(join(first.folder, "one.wf"), greeting("one"));
    await started(first);
    await first.service.stop();
    const second = await world(stateDir);
    await deployFiles(
      { services: second.service.services, store: second.store, now: second.now },
      { read: () => Promise.resolve([]), report: () => {} },
      false,
    );
    expect(await hello(second, "one")).toBe("one");
    expect((await second.service.call("PUT", "/programs/one", { code: greeting("two") })).body.version).toBe(2);
  });
});

describe("wf serve PATH --watch", () => {
  it("deploys a file again when it changes, with the difference, and keeps the last good version of a broken one", async () => {
    const place = await world();
    const file = join(place.folder, "one.wf");
    writeFileSync(file, greeting("one"));
    const { next } = await started(place, true);
    let outcome = next();
    writeFileSync(file, greeting("two"));
    expect(await outcome).toMatchObject({ state: "deployed", version: 2, difference: { from: 1 } });
    expect(await hello(place, "one")).toBe("two");

    outcome = next();
    writeFileSync(file, "E /hello G ->L1\nL1:\n  J ");
    expect(await outcome).toMatchObject({ state: "refused", kept: 2 });
    expect(await hello(place, "one")).toBe("two");
    expect((await place.service.call("GET", "/ready")).body.warnings[0]).toContain("version 2 stays");
    await place.service.logged("program_refused", (one) => one["program"] === "one");

    outcome = next();
    writeFileSync(file, greeting("three"));
    expect(await outcome).toMatchObject({ state: "deployed", version: 3 });
    expect(await hello(place, "one")).toBe("three");
    expect((await place.service.call("GET", "/ready")).body.warnings).toBeUndefined();
  });

  it("sees a file that another one is moved over, as editors write it, every time", async () => {
    const place = await world();
    const file = join(place.folder, "one.wf");
    writeFileSync(file, greeting("0"));
    const { next } = await started(place, true);
    for (const word of ["1", "2", "3"]) {
      const outcome = next();
      writeFileSync(`${file}~`, greeting(word));
      renameSync(`${file}~`, file);
      expect(await outcome).toMatchObject({ state: "deployed", version: Number(word) + 1 });
    }
  });

  it("reports only the file that changed, and gives the deployment of a file that is gone to callers", async () => {
    const place = await world();
    const file = (name: string): string => join(place.folder, `${name}.wf`);
    for (const name of ["one", "two"]) writeFileSync(file(name), greeting(name));
    writeFileSync(file("bad"), "L1:\n  J ghost\n");
    const { outcomes, next } = await started(place, true);
    expect(outcomes[1]).toMatchObject({ name: "one", endpoints: [{ method: "GET", url: "/app/one/hello" }] });
    let outcome = next();
    rmSync(file("one"));
    expect(await outcome).toEqual({ name: "one", file: "", state: "released" });
    expect((await place.service.call("DELETE", "/programs/one")).status).toBe(200);
    rmSync(file("bad"));
    await expect.poll(async () => (await place.service.call("GET", "/ready")).body.warnings).toBeUndefined();
    outcome = next();
    writeFileSync(file("two"), greeting("2"));
    expect(await outcome).toMatchObject({ name: "two", version: 2 });
    expect(outcomes.slice(3).map(({ name, state }) => `${name} ${state}`)).toEqual(["one released", "two deployed"]);
  });
});

describe("a program that cannot work here", () => {
  const HOOK = "E /hook P ->L1\nL1:\n  R http.Get https://api.example.com/x ->x\n  J x\n";
  const SETTINGS = { programs: { hook: { endpoints: { "/hook": { verify: { kind: "github", secrets: "GH" } } } } } };
  const NEEDS = [
    expect.stringMatching(/^adapter_not_enabled: .*'http'.*--enable-adapter http enables it$/),
    "secret_missing: endpoint /hook verifies with secret GH, which is not set (WF_SECRET_GH)",
  ];
  const placed = ({ folder }: World): void => {
    writeFileSync(join(folder, "hook.wf"), HOOK);
    writeFileSync(join(folder, "wf.config.json"), JSON.stringify(SETTINGS));
  };

  it("is deployed with a warning in its outcome, on the terminal, in /ready and with the program", async () => {
    const here = await world();
    placed(here);
    const { outcomes } = await started(here);
    expect(outcomes).toMatchObject([{ name: "hook", state: "deployed", needs: NEEDS }]);
    const text = outcomeText(outcomes[0] as FileOutcome, createPaint(false));
    expect(text).toMatch(/warning +hook: adapter_not_enabled: .*\nwarning +hook: secret_missing: /);
    const { port } = here.service;
    const ready = await exchange(port, "GET", "/ready");
    expect(ready.body.warnings).toContainEqual(expect.stringMatching(/^program_incomplete: hook: adapter_not_enabled/));
    const shown = await exchange(port, "GET", "/programs/hook");
    expect(JSON.stringify(shown.body)).toContain("secret_missing: endpoint /hook");
    const again = await exchange(port, "PUT", "/programs/other", { code: HOOK });
    expect(again.body.warnings).toContainEqual(NEEDS[0]);
  });

  it("is shown with what was noticed about it besides, such as waits that outlast its jobs (D2.Q-2)", async () => {
    const here = await world();
    placed(here);
    const { outcomes } = await started(here);
    const [outcome] = outcomes as [FileOutcome & { readonly state: "deployed" }];
    expect(outcome.warnings).toEqual([]);
    const warnings = ["wait_longer_than_job: timer.sleep at line 5 takes 60d, and the job lives for 30d"];
    expect(outcomeText({ ...outcome, warnings }, createPaint(false))).toContain(`hook: ${warnings[0]}\n`);
  });

  it("is deployed without a word when all is there", async () => {
    const here = await world(null, { WF_SECRET_GH: "0123456789abcdef", WF_ENABLE_ADAPTERS: "http" });
    placed(here);
    const { outcomes } = await started(here);
    expect(outcomes).toMatchObject([{ state: "deployed", needs: [] }]);
    expect((await exchange(here.service.port, "GET", "/ready")).body.warnings ?? []).toEqual([]);
  });

  it("is refused where the operator takes only programs that can work", async () => {
    const here = await world(null, { WF_DEPLOY_STRICT: "on" });
    placed(here);
    const { outcomes } = await started(here);
    expect(outcomes).toMatchObject([{ state: "refused", kept: null, message: expect.stringContaining("'http'") }]);
    const refused = await exchange(here.service.port, "PUT", "/programs/other", { code: HOOK });
    expect([refused.status, refused.body.error]).toEqual([422, "program_cannot_run"]);
    expect(refused.body.issues).toMatchObject([{ code: "adapter_not_enabled" }]);
  });
});
