/** wf.config.json: where it is looked for, what it says, when it widens and when it only tightens, and what flags change of it. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realClock } from "../../support/adapter-bench.ts";
import { type ConsoleOptions, documentOf, wf as wfWith } from "../console.ts";
import { folderWith } from "../folders.ts";

const wf = (argv: readonly string[], options: ConsoleOptions) => wfWith(argv, { clock: realClock, ...options });
const json = (value: unknown): string => JSON.stringify(value);
const COUNT = "L1:\n  Set n 0\n  While n < 9 ->L2 ->L3\nL2:\n  X n add n 1\n  J null\nL3:\n  J n\n";
const READ = 'L1:\n  R fs.read "note.txt" ->text\n  J text\n';

/** A repository with a configuration at its root and another one next to one of its programs. */
const repository = (root: unknown, own?: unknown): string =>
  folderWith({
    ".git/HEAD": "ref: refs/heads/main\n",
    "wf.config.json": json(root),
    "data/note.txt": "from the root",
    "flows/data/note.txt": "from flows",
    "flows/read.wf": READ,
    "flows/count.wf": COUNT,
    ...(own === undefined ? {} : { "flows/wf.config.json": json(own) }),
  });

describe("wf.config.json in the program's own folder", () => {
  it("enables adapters, gives settings with paths of its own folder, and says so", async () => {
    const cwd = repository({}, { adapters: { fs: { sandbox_root: "data" } } });
    expect(await wf(["run", "flows/read.wf"], { cwd })).toMatchObject({
      code: 0,
      stdout: "from flows\n",
      stderr: "note adapter fs is enabled by flows/wf.config.json\n",
    });
    expect(await wf(["run", "flows/read.wf", "--fs-root", "data"], { cwd })).toMatchObject({
      code: 0,
      stdout: "from the root\n",
    });
  });

  it("replaces default limits, and flags replace it", async () => {
    const cwd = repository({}, { limits: { max_steps: 10, max_depth: 1000 } });
    const limits = async (...flags: string[]) =>
      documentOf(await wf(["run", "flows/count.wf", "--json", ...flags], { cwd }))["limits"];
    expect(await limits()).toMatchObject({ max_steps: 10, max_depth: 1000, max_adapter_calls: 50_000 });
    expect(await limits("--max-steps", "77")).toMatchObject({ max_steps: 77, max_depth: 1000 });
    expect(await limits("--max-steps", "0")).toMatchObject({ max_steps: 10 });
  });

  it("names profile, mode, include roots and policy", async () => {
    const cwd = folderWith({
      "wf.config.json": json({ profile: "local_minimal", strict: true, include_roots: ["shared"] }),
      "shared/one.wf": "LENTRY:\n  J 1\nLEXIT_end:\n  J 2\n",
      "use.wf": 'include "one.wf" as one\nL1:\n  Call one/ENTRY ->x\n  J x\n',
      "loose.wf": "L1:\n  J nothing_sets_it\n",
      "cache.wf": 'L1:\n  R http.Get "https://example.com/" ->x\n  J x\n',
    });
    expect(await wf(["run", "use.wf"], { cwd })).toMatchObject({ code: 0, stdout: "1\n" });
    expect((await wf(["run", "loose.wf"], { cwd })).code).toBe(1);
    expect((await wf(["run", "cache.wf"], { cwd })).code).toBe(3);
    expect((await wf(["check", "cache.wf"], { cwd })).code).toBe(3);
  });

  it("holds for calls by hand and capabilities in its folder", async () => {
    const cwd = folderWith({
      "data/note.txt": "hello",
      "wf.config.json": json({ adapters: { fs: { sandbox_root: "data" } } }),
    });
    expect((await wf(["adapter", "call", "fs.read", '"note.txt"'], { cwd })).stdout).toBe("hello\n");
    expect((await wf(["capabilities", "--adapter", "fs", "-v"], { cwd })).stdout).toContain("ready");
  });

  it("makes check loose where it says so, and wf test show coverage", async () => {
    const cwd = folderWith({
      "wf.config.json": json({ strict: false, test: { coverage: true } }),
      "a.wf": "L1:\n  J maybe\n",
      "a.expected.json": json({ strict: false, expect: { result: "maybe" } }),
    });
    expect((await wf(["check", "a.wf"], { cwd })).code).toBe(0);
    expect((await wf(["check", "a.wf", "--strict"], { cwd })).code).toBe(1);
    expect((await wf(["test"], { cwd })).stdout).toContain("coverage: labels 1/1");
  });
});

describe("wf.config.json further up", () => {
  it("only tightens: limits and policy hold, nothing is enabled", async () => {
    const cwd = repository({
      limits: { max_steps: 10, max_depth: 1000 },
      policy: { forbidden_adapters: ["cache"] },
      adapters: { enable: ["http"], fs: { sandbox_root: "data" } },
      include_roots: ["shared"],
      strict: false,
    });
    const run = await wf(["run", "flows/count.wf", "--max-steps", "77", "--json"], { cwd });
    expect(documentOf(run)).toMatchObject({ ok: false, limits: { max_steps: 10, max_depth: 500 } });
    expect(run.stderr).toContain("note wf.config.json is not in the program's folder, so it only tightens");
    expect((await wf(["run", "flows/read.wf"], { cwd })).code).toBe(1);
    // A root inside the one it names is granted by a flag, another one is not.
    expect(await wf(["run", "flows/read.wf", "--fs-root", "data"], { cwd })).toMatchObject({
      stdout: "from the root\n",
    });
    expect((await wf(["run", "flows/read.wf", "--fs-root", "flows/data"], { cwd })).code).toBe(2);
  });

  it("is named by a flag to speak for the user", async () => {
    const cwd = repository({ adapters: { fs: { sandbox_root: "data" } } });
    expect(await wf(["run", "flows/read.wf", "--config", "wf.config.json"], { cwd })).toMatchObject({
      code: 0,
      stdout: "from the root\n",
    });
  });

  it("is not looked for outside a repository, nor for a program from standard input", async () => {
    const cwd = folderWith({ "wf.config.json": json({ limits: { max_steps: 3 } }), "flows/count.wf": COUNT });
    expect((await wf(["run", "flows/count.wf"], { cwd })).code).toBe(0);
    const piped = await wf(["run", "-", "--json"], { cwd, stdin: READ });
    expect(documentOf(piped)).toMatchObject({ limits: { max_steps: 3 } });
  });
});

describe("a configuration that is not valid", () => {
  it.each([
    ["{", "wf.config.json: it is not JSON at line 1, column 2"],
    [
      json({ profil: "local_minimal" }),
      "wf.config.json: /profil: unknown member of the configuration 'profil'; did you mean profile?",
    ],
    [json({ strict: "yes" }), "wf.config.json: /strict: expected true or false"],
    [json({ include_roots: "x" }), "wf.config.json: /include_roots: expected a list of folders"],
    [
      json({ test: { coverag: true } }),
      "wf.config.json: /test/coverag: unknown member 'coverag'; did you mean coverage?",
    ],
    [json({ limits: { max_step: 3 } }), "wf.config.json: /limits/max_step: unknown limit"],
    [json({ policy: { forbidden: [] } }), "wf.config.json: /policy/forbidden: unknown policy member"],
    [
      json({ adapters: { enable: ["htp"] } }),
      "wf.config.json: /adapters/enable/0: no adapter is called 'htp'; did you mean http?",
    ],
    [json({ adapters: { http: { allow_host: [] } } }), "wf.config.json: /adapters/http/allow_host: unknown setting"],
    [json({ profile: "local_minima" }), "local_minimal"],
  ])("%s", async (text, message) => {
    const cwd = folderWith({ "wf.config.json": text, "a.wf": "L1:\n  J 1\n" });
    const result = await wf(["run", "a.wf"], { cwd });
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain(message);
  });

  it("is missing where a flag names it", async () => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 1\n" });
    const result = await wf(["run", "a.wf", "--config", "other.json"], { cwd });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("other.json does not exist");
  });
});

describe("wf profiles --grant", () => {
  it("tells what came from the configuration", async () => {
    const cwd = folderWith({
      "wf.config.json": json({
        limits: { max_steps: 10 },
        policy: { forbidden_adapters: ["http"] },
        adapters: { fs: { sandbox_root: "d" } },
      }),
    });
    const document = documentOf(await wf(["profiles", "--grant", "--json"], { cwd }));
    expect(document).toMatchObject({
      grant: { limits: { max_steps: 10 }, adapter_constraints: { fs: { sandbox_root: join(cwd, "d") } } },
      sources: {
        limits: { max_steps: ["default", "config"] },
        rules: { "forbidden_adapters http": ["config"] },
        settings: { fs: ["config"] },
      },
    });
    expect(document["enabled"]).toContain("fs");
    expect(document).toMatchObject({ sources: { enabled: { fs: "config", cache: "default" }, allowed_adapters: [] } });
  });
});

describe("include roots of a configuration further up", () => {
  const module = "LENTRY:\n  J 9\nLEXIT_ok:\n  J 1\n";
  const program = 'include "m.wf" as m\nL1:\n  Call ->m/ENTRY ->v\n  J v\n';
  const files = { "wf.config.json": json({ include_roots: ["lib"] }), "lib/m.wf": module, "sub/deep/p.wf": program };

  it.each([
    ["from the root of the repository", ".", "sub/deep/p.wf"],
    ["from the program's folder", "sub/deep", "p.wf"],
  ])("hold for programs in subfolders, %s", async (_, folder, file) => {
    const root = folderWith(files);
    mkdirSync(join(root, ".git"));
    expect(await wf(["run", file], { cwd: join(root, folder) })).toMatchObject({ code: 0, stdout: "9\n" });
    expect((await wf(["check", file], { cwd: join(root, folder) })).code).toBe(0);
  });

  it("hold below the working folder outside a repository, but those of folders further up do not", async () => {
    const root = folderWith(files);
    expect(await wf(["run", "sub/deep/p.wf"], { cwd: root })).toMatchObject({ code: 0, stdout: "9\n" });
    expect((await wf(["check", "deep/p.wf"], { cwd: join(root, "sub") })).stdout).toContain("WF3012");
  });

  it.each([
    ["compile", ["compile", "sub/deep/p.wf"]],
    ["inspect", ["inspect", "sub/deep/p.wf"]],
    ["disasm", ["disasm", "sub/deep/p.wf"]],
    ["diagram", ["diagram", "sub/deep/p.wf"]],
    ["diff", ["diff", "sub/deep/p.wf", "sub/deep/p.wf"]],
    ["policy-validate", ["policy-validate", "sub/deep/p.wf", "--profile", "local_minimal"]],
    ["security-report", ["security-report", "sub/deep/p.wf"]],
    // The program compiles, so that the only thing missing is a service.
    ["jobs submit", ["jobs", "submit", "sub/deep/p.wf", "--server", "http://127.0.0.1:1"], "no service answers"],
  ])("hold for wf %s", async (_, words, expected = "") => {
    const root = folderWith(files);
    mkdirSync(join(root, ".git"));
    const { code, stderr } = await wf(words, { cwd: root });
    expect(stderr).not.toContain("WF3012");
    expect(stderr).toContain(expected);
    expect(code).toBe(expected === "" ? 0 : 2);
  });

  it("reach nothing outside of its folder", async () => {
    const root = folderWith({
      "lib/m.wf": module,
      "app/wf.config.json": json({ include_roots: ["../lib"] }),
      "app/sub/p.wf": program,
    });
    mkdirSync(join(root, ".git"));
    expect((await wf(["check", "app/sub/p.wf"], { cwd: root })).stdout).toContain("WF3012");
  });
});
