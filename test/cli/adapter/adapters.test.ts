/** Adapters on the command line: enabling, settings by flag, file and variable, dry runs, and what is said before a run. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realClock } from "../../support/adapter-bench.ts";
import { verifies } from "../../support/requirements.ts";
import { type ConsoleOptions, documentOf, wf as wfWith } from "../console.ts";
import { folderWith } from "../folders.ts";

/** Real adapters take real time. */
const wf = (argv: string[], options: ConsoleOptions = {}): ReturnType<typeof wfWith> =>
  wfWith(argv, { clock: realClock, ...options });

const WRITE = 'L1:\n  R fs.write "a.txt" "hi" ->w\n  R fs.read "a.txt" ->t\n  J t\n';
const REMEMBER = 'L1:\n  R memory.put "ops" "k" "id" {"n": 1} ->p\n  J p.created\n';
const QUERY = 'L1:\n  R sqlite.query "select 1 as n" ->r\n  J r\n';

describe("settings of adapters", () => {
  it("given by a flag enable the adapter, with a note", async () => {
    const cwd = folderWith({ "w.wf": WRITE });
    const result = await wf(["run", "w.wf", "--fs-root", "data"], { cwd });
    expect(result).toMatchObject({ code: 0, stdout: "hi\n", stderr: "note adapter fs is enabled by its settings\n" });
    expect(readFileSync(join(cwd, "data/a.txt"), "utf8")).toBe("hi");
    const named = await wf(["run", "w.wf", "--fs-root", "data", "--enable-adapter", "fs"], { cwd });
    expect(named).toMatchObject({ code: 0, stderr: "" });
  });

  it("come from the operator file and its list", async () => {
    const cwd = folderWith({ "w.wf": WRITE });
    const root = join(cwd, "files");
    writeFileSync(join(cwd, "adapters.json"), JSON.stringify({ enable: ["fs"], fs: { sandbox_root: root } }));
    expect(await wf(["run", "w.wf", "--adapters-config", "adapters.json"], { cwd })).toMatchObject({ code: 0 });
    const environment = { WF_ADAPTERS_CONFIG: join(cwd, "adapters.json") };
    expect(await wf(["run", "w.wf"], { cwd, environment })).toMatchObject({ code: 0, stdout: "hi\n" });
    const deeper = await wf(["run", "w.wf", "--fs-root", "files/deeper"], { cwd, environment });
    expect(deeper.code).toBe(0);
    expect(existsSync(join(root, "deeper/a.txt"))).toBe(true);
  });

  it("come from operator files relative to --cwd", async () => {
    const cwd = folderWith({ "in/w.wf": WRITE });
    const root = join(cwd, "files");
    writeFileSync(join(cwd, "in/adapters.json"), JSON.stringify({ enable: ["fs"], fs: { sandbox_root: root } }));
    writeFileSync(join(cwd, "in/profiles.json"), JSON.stringify([{ name: "own", description: "mine" }]));
    const environment = { WF_ADAPTERS_CONFIG: "adapters.json", WF_PROFILES_FILE: "profiles.json" };
    const options = { cwd, environment, clock: realClock };
    expect(await wf(["run", "w.wf", "--cwd", "in"], options)).toMatchObject({ code: 0, stdout: "hi\n" });
    expect(await wf(["run", "w.wf", "--cwd", "in", "--profile", "own"], options)).toMatchObject({ code: 0 });
    const elsewhere = await wf(["run", "in/w.wf", "--json"], options);
    expect(documentOf(elsewhere)).toMatchObject({ error: "invalid_configuration" });
  });

  it("that exclude each other stop the run", async () => {
    const cwd = folderWith({ "w.wf": WRITE });
    verifies("grant.settings-are-constraints");
    writeFileSync(join(cwd, "adapters.json"), JSON.stringify({ fs: { sandbox_root: join(cwd, "one") } }));
    const result = await wf(["run", "w.wf", "--json", "--adapters-config", "adapters.json", "--fs-root", "two"], {
      cwd,
    });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({
      error: "adapter_config_error",
      issues: [{ path: "/adapters/fs/sandbox_root", code: "conflict" }],
    });
  });

  it("are read by --set, and checked", async () => {
    const cwd = folderWith({ "w.wf": WRITE });
    const refused = await wf(["run", "w.wf", "--fs-root", "d", "--set", "fs.max_write_bytes=1", "--json"], { cwd });
    expect(documentOf(refused)).toMatchObject({
      error: "adapter_error",
      error_structured: { data: { adapter_code: "ADAPTER_TOO_LARGE" } },
    });
    for (const [flag, said] of [
      ["fs.nothing=1", "--set fs.nothing"],
      ["nosuch.x=1", "unknown adapter 'nosuch'"],
      ["fs.allow_write=yes", "is not JSON"],
      ["fs.allow_write", "needs ADAPTER.KEY=JSON"],
      ["fs.allow_write=1", "--set fs.allow_write"],
    ] as const) {
      const result = await wf(["run", "w.wf", "--set", flag], { cwd });
      expect(result.code).toBe(2);
      expect(result.stderr).toContain(said);
    }
    const number = await wf(["run", "w.wf", "--fs-max-read-bytes", "many"], { cwd });
    expect(number).toMatchObject({ code: 2 });
    expect(number.stderr).toContain("--fs-max-read-bytes needs a number");
  });

  it("keep state between runs in the file of the flag", async () => {
    const cwd = folderWith({ "m.wf": REMEMBER });
    const run = (): ReturnType<typeof wf> => wf(["run", "m.wf", "--memory-db", "state/m.db"], { cwd });
    mkdirSync(join(cwd, "state"));
    expect((await run()).stdout).toBe("true\n");
    expect((await run()).stdout).toBe("false\n");
  });
});

describe("an adapter that is not enabled", () => {
  it("is mentioned before the run, and the failure names the flags", async () => {
    const cwd = folderWith({ "q.wf": QUERY });
    const result = await wf(["run", "q.wf"], { cwd });
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/^warning adapter_not_enabled: .*'sqlite'/);
    expect(result.stderr).toContain("= help: add --enable-adapter sqlite");
    const json = await wf(["run", "q.wf", "--json"], { cwd });
    expect(documentOf(json)).toMatchObject({
      error: "adapter_not_available",
      error_structured: { data: { suggested_adapters: { enable: ["sqlite"] } } },
    });
    expect(await wf(["run", "q.wf", "--enable-adapter", "sqlite"], { cwd })).toMatchObject({ code: 0 });
  });

  it("does not prevent a replay", async () => {
    const cwd = folderWith({ "q.wf": QUERY });
    await wf(["run", "q.wf", "--enable-adapter", "sqlite", "--record", "q.record.json"], { cwd });
    expect(await wf(["replay", "q.wf", "q.record.json"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("before a run", () => {
  it("literals outside an allowlist are reported", async () => {
    const cwd = folderWith({ "w.wf": WRITE });
    const flags = ["--fs-root", "d", "--fs-allow-ext", ".json"];
    const result = await wf(["run", "w.wf", "--json", ...flags], { cwd });
    expect(documentOf(result)).toMatchObject({
      error: "adapter_error",
      error_structured: { data: { adapter_code: "ADAPTER_EXTENSION_BLOCKED" } },
      warnings: expect.arrayContaining([expect.stringMatching(/^setting_would_refuse: L1 n1 .*allow_extensions/)]),
    });
  });

  it("a dry run writes nothing and reports it", async () => {
    const cwd = folderWith({ "w.wf": 'L1:\n  R fs.write "a.txt" "hi" ->w\n  J w\n' });
    const result = await wf(["run", "w.wf", "--fs-root", "d", "--dry-run", "--json"], { cwd });
    expect(documentOf(result)).toMatchObject({
      out: { dry_run: true },
      warnings: [expect.stringMatching(/^dry_run: /)],
    });
    expect(existsSync(join(cwd, "d/a.txt"))).toBe(false);
  });

  it.each([
    ["email", 'email.accounts={"default":{"from":"me@x.test","smtp":{"host":"mail.x.test"}}}'],
    ["calendar", 'calendar.feeds={"team":"https://x.test/team.ics"}'],
    ["social", 'social.accounts={"default":{"provider":"rss","base_url":"https://x.test/feed"}}'],
    ["db", 'db.path=":memory:"'],
  ])("%s is not ready without configuration", async (name, given) => {
    const show = ["capabilities", name, "-v", "--json", "--enable-adapter", name];
    const missing = expect.stringMatching(`^${name} is not configured: the operator must set ${name}[.]`);
    expect(documentOf(await wf(show))).toMatchObject({ adapters: { [name]: { state: { missing } } } });
    const ready = { adapters: { [name]: { state: { missing: null } } } };
    expect(documentOf(await wf([...show, "--set", given]))).toMatchObject(ready);
  });

  it("a dry run without configuration fails like the run", async () => {
    const cwd = folderWith({ "m.wf": 'L1:\n  R email.send "a@x.test" "Hi" "b" ->m\n  J m\n' });
    for (const flags of [["--dry-run"], []]) {
      const result = await wf(["run", "m.wf", "--enable-adapter", "email", "--json", ...flags], { cwd });
      expect(documentOf(result)).toMatchObject({
        ok: false,
        error_structured: { data: { adapter_code: "ADAPTER_NOT_CONFIGURED" } },
      });
    }
  });

  it("variables that are not valid end with 2 and show no value", async () => {
    const result = await wf(["run", "-"], { stdin: "L1:\n  J 1\n", environment: { WF_MEMORY_DB: "relative/secret" } });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("WF_MEMORY_DB must be an absolute path");
    expect(result.stderr).not.toContain("secret");
  });
});

describe("an adapter that lacks a setting", () => {
  it("is refused with the flag that gives it", async () => {
    const result = await wf(["run", "-", "--enable-adapter", "fs"], { stdin: "L1:\n  J 1\n" });
    expect(result).toMatchObject({
      code: 2,
      stdout: "",
      stderr:
        "error adapter_config_error  fs needs sandbox_root, or a data root of the operator\n= help: add --fs-root\n",
    });
  });
});

describe("wf capabilities --check and wf profiles --grant", () => {
  it("report why an adapter cannot be used", async () => {
    const cwd = folderWith({});
    const result = await wf(["capabilities", "--check", "--json", "--fs-root", "d"], { cwd });
    expect(result.code).toBe(0);
    expect(documentOf(result)).toMatchObject({
      adapters: {
        fs: { state: { enabled: true, allowed: true, missing: null, health: { ok: true } } },
        sqlite: { state: { enabled: false, health: null } },
      },
    });
    const broken = await wf(["capabilities", "--check", "--enable-adapter", "fs"], { cwd });
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain("fs needs sandbox_root");
  });

  it("print the source of each value", async () => {
    const result = await wf(["profiles", "--grant", "--profile", "local_minimal", "--json"]);
    expect(documentOf(result)).toMatchObject({
      grant: { allowed_adapters: ["core"], limits: { max_steps: 500 } },
      sources: {
        allowed_adapters: ["profile:local_minimal"],
        enabled: { core: "default" },
        forbidden_destructive: [],
        limits: { max_steps: ["profile:local_minimal"] },
      },
    });
    const variables = { WF_ENABLE_ADAPTERS: "fs", WF_HOST_ADAPTER_ALLOWLIST: "core,fs" };
    const text = (await wf(["profiles", "--grant"], { environment: variables })).stdout;
    expect(text).toMatch(/^allowed adapters +core fs +server\nenabled adapters +core fs +server\n/);
    expect((await wf(["profiles", "--grant"])).stdout).toMatch(/max_steps +500,000 +default/);
  });
});
