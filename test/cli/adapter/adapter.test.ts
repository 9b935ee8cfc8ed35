/** `wf adapter`: the tools for authors, on the example plugin and on folders as authors leave them. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { realClock } from "../../support/adapter-bench.ts";
import { type ConsoleOptions, documentOf, wf as wfWith } from "../console.ts";
import { folderWith } from "../folders.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const WEATHER = join(ROOT, "examples/plugins/weather");

const wf = (argv: readonly string[], options: ConsoleOptions = {}): ReturnType<typeof wfWith> =>
  wfWith(["adapter", ...argv], { clock: realClock, cwd: ROOT, ...options });

/** A folder in which plugins find this package, as after npm install. */
function workshop(files: Readonly<Record<string, string>> = {}): string {
  const cwd = folderWith(files);
  mkdirSync(join(cwd, "node_modules"));
  symlinkSync(ROOT, join(cwd, "node_modules/weft-runner"));
  return cwd;
}

/** A plugin of one file; `facts` and `body` stand inside of its definition and of its verb. */
function plugin(facts: string, verb = "", before = ""): string {
  return `import { arg, defineAdapter, setting, verbsFor, z } from "weft-runner/adapter";
${before}
const verb = verbsFor();
export default defineAdapter({
  apiVersion: 1, name: "lamps", version: "1.0.0", summary: "Lamps.",
  ${facts}
  verbs: { turn: verb({ summary: "Turns one.", args: z.tuple([arg("room", z.string())]), result: z.boolean(), ${verb} run: () => true }) },
});
`;
}
const FACTS = `support: "extension_ecosystem", lane: "noncanonical", privilege: "local_state", sandboxSafe: true,
  networkFacing: false, durable: false, maturity: "beta", settings: {},`;
const VERB = `effect: "io-read", kind: "read", determinism: "state", examples: [{ source: 'R lamps.turn "hall" ->x', result: true }],`;

describe("wf adapter new", () => {
  it.each(["probe", "http_client", "key_value"])(
    "writes a %s that passes lint and its own tests",
    async (kind) => {
      const cwd = workshop();
      const made = await wf(["new", "lamps", "--kind", kind], { cwd });
      expect(made).toMatchObject({
        code: 0,
        stdout: "lamps/index.js\nlamps/fixture.js\nlamps/test.js\nlamps/README.md\nlamps/package.json\n",
      });
      expect(await wf(["lint", "lamps"], { cwd })).toMatchObject({
        code: 0,
        stdout: "",
        stderr: "note 0 errors, 0 warnings\n",
      });
      const tested = await wf(["test", "lamps", "--json"], { cwd });
      expect(documentOf(tested)).toMatchObject({ ok: true, adapter: "lamps", version: "0.1.0", failed: 0 });
      expect(tested.stdout).toContain(`"${kind}: every role is played by a verb or said to be lacking"`);
      const filled = await wf(["docs", "lamps", "--fill", "lamps/README.md"], { cwd });
      expect(filled).toMatchObject({ code: 0, stderr: "note lamps/README.md written\n" });
      expect(readFileSync(join(cwd, "lamps/README.md"), "utf8")).toContain("| `timeout_s`, `max_result_bytes` | min |");
    },
    60_000,
  );

  it("requires an unused name and an empty folder", async () => {
    const cwd = folderWith({ "taken/file": "" });
    for (const [name, said] of [
      ["http", "http is the name of a built-in adapter"],
      ["Lamps", "NAME must be"],
      ["../lamps", "NAME must be"],
      ["taken", "the folder taken is not empty"],
    ] as const) {
      const refused = await wf(["new", name], { cwd });
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain(said);
    }
    expect(await wf(["new"], { cwd })).toMatchObject({ code: 2 });
    expect(await wf(["new", "lamps", "--kind", "toaster"], { cwd })).toMatchObject({ code: 2 });
    expect(readdirSync(cwd)).toEqual(["taken"]);
  });
});

describe("wf adapter lint", () => {
  it("finds nothing to fix in the example", async () => {
    expect(await wf(["lint", WEATHER])).toMatchObject({ code: 0, stdout: "", stderr: "note 0 errors, 0 warnings\n" });
  });

  it("assumes the worst for missing facts, and reports it", async () => {
    const cwd = workshop({ "lamps.js": plugin("") });
    const { code, stdout } = await wf(["lint", "lamps.js"], { cwd });
    expect(code).toBe(1);
    for (const fact of ["privilege", "sandboxSafe", "networkFacing", "verbs/turn/effect", "verbs/turn/determinism"])
      expect(stdout).toContain(`/${fact} error missing-fact  is not stated, so the worst is assumed\n`);
    expect(stdout).toContain("/verbs/turn error example  has no example\n");
  });

  it("finds direct input and output in every file of the plugin", async () => {
    const cwd = workshop({
      "lamps/index.js": plugin(
        FACTS,
        VERB,
        'import { now } from "./clock.js";\n// import "node:net" is not meant\nnow();',
      ),
      "lamps/clock.js":
        'import { readFile } from "node:fs/promises";\nexport const now = () => Date.now();\nexport const text = "fetch(1)";\nexport const get = (url) => fetch(url);\nawait import("child_process");\nvoid readFile;\n',
    });
    const { code, stdout } = await wf(["lint", "lamps"], { cwd });
    expect(code).toBe(1);
    expect(stdout.split("\n").slice(0, -1)).toEqual([
      "clock.js:1 error direct-io  node:fs/promises: use the services of the host",
      "clock.js:2 warning impure  the clock: use ctx.now()",
      "clock.js:4 error direct-io  fetch: use host.http",
      "clock.js:5 error direct-io  child_process: use the services of the host",
    ]);
    const allowed = await wf(["lint", "lamps", "--allow-direct-io"], { cwd });
    expect(allowed.stdout).toContain("/notes error direct-io  is missing");
    writeFileSync(
      join(cwd, "lamps/noted.js"),
      plugin(`${FACTS} notes: "Lamps hang on a serial line.",`, VERB, 'import "./clock.js";'),
    );
    expect(await wf(["lint", "lamps/noted.js", "--allow-direct-io", "--json"], { cwd })).toMatchObject({ code: 0 });
  });

  it("checks names, settings and rules of the definition", async () => {
    const settings =
      'settings: { hub_url: z.string().default("x").meta({ merge: "min" }), allow_all: setting.list() }, name: "http",';
    const cwd = workshop({ "lamps.js": plugin(FACTS + settings, VERB.replaceAll("lamps", "http")) });
    const findings = documentOf(await wf(["lint", "lamps.js", "--json"], { cwd }))["findings"];
    expect(findings).toEqual(
      expect.arrayContaining([expect.objectContaining({ rule: "definition", place: "/settings/hub_url" })]),
    );
    const named = workshop({
      "lamps.js": plugin(`${FACTS} name: "http", settings: { hub_url: setting.list() },`, VERB),
    });
    const { stdout } = await wf(["lint", "lamps.js"], { cwd: named });
    expect(stdout).toContain("/settings/hub_url error setting  names a place or a credential");
    expect(stdout).toContain("/settings/hub_url warning meaning  says nothing of itself");
    expect(stdout).toContain("/name error name  http is the name of a built-in adapter");
  });

  it("reports what cannot be loaded", async () => {
    const cwd = folderWith({ "lamps.js": plugin(FACTS), "empty.js": "export const one = 1;\n", "folder/x.txt": "" });
    for (const [path, said] of [
      ["nowhere", "nowhere does not exist"],
      ["folder", "folder: its module does not exist"],
      ["empty.js", "exports no definition"],
      ["http.js", "http.js does not exist"],
    ] as const) {
      const refused = await wf(["lint", path], { cwd });
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(said);
    }
    expect((await wf(["lint", "memory"], { cwd })).stderr).toContain("memory is built in");
    expect((await wf(["lint"], { cwd })).stderr).toContain("missing PATH");
    expect((await wf(["lint", "a", "b"], { cwd })).stderr).toContain("too many operands");
  });
});

describe("docs/adapters/writing.md", () => {
  const page = readFileSync(join(ROOT, "docs/adapters/writing.md"), "utf8");
  const blocks = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text = ""]) => text);

  it("has a definition without findings, a fixture and cases that pass", async () => {
    const [definition = "", fixture = "", cases = ""] = blocks;
    const cwd = workshop({ "lamps/index.js": definition, "lamps/fixture.js": fixture, "lamps/test.js": cases });
    expect(await wf(["lint", "lamps"], { cwd })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "note 0 errors, 0 warnings\n",
    });
    const { code, stdout } = await wf(["test", "lamps"], { cwd });
    expect(stdout).not.toContain("FAIL");
    expect(stdout).toMatch(/^ok +a room outside /m);
    expect(code).toBe(0);
  });
});

describe("wf adapter test", () => {
  it("runs the suite and the cases of the example", async () => {
    const { code, stdout } = await wf(["test", WEATHER]);
    expect(stdout).not.toContain("FAIL");
    expect(stdout).toMatch(/^ok +2 {2}every example works and gives what it says {2}[\d.]+ m?s$/m);
    expect(stdout).toMatch(/^skip +10 {2}repeated calls have one effect, dry runs none {2}no verb writes$/m);
    expect(stdout).toMatch(/^ok +an unknown city/m);
    expect(stdout).toMatch(/^ok +http_client: a redirect leads to no host that is not allowed/m);
    expect(stdout).toMatch(/^skip +http_client: no other host is asked, .* {2}no get_other: the operator says/m);
    expect(stdout).toMatch(/^weather 1\.0\.0: \d+ passed, 0 failed, 3 skipped$/m);
    expect(code).toBe(0);
  });

  it("shows what failed", async () => {
    const verb = VERB.replace("result: true", "result: false");
    const cwd = workshop({
      "lamps/index.js": plugin(FACTS, verb),
      "lamps/test.js":
        "export const cases = [{ title: 'dark', source: 'R lamps.turn \"attic\" ->x', error: 'ADAPTER_NOT_FOUND' }];\n",
    });
    const only = await wf(["test", "lamps", "--only", "1,2"], { cwd });
    expect(only).toMatchObject({ code: 1 });
    expect(only.stdout).toContain("FAIL   2  every example works and gives what it says");
    expect(only.stdout).toContain('          R lamps.turn "hall" ->x: gave true\n');
    expect(only.stdout).toContain("lamps 1.0.0: 1 passed, 1 failed, 0 skipped\n");
    const tap = await wf(["test", "lamps", "--format", "tap"], { cwd });
    expect(tap.stdout).toContain("not ok 2 - 2 every example works and gives what it says\n# R lamps.turn");
    expect(tap.stdout).toContain("not ok 13 - dark\n# ADAPTER_NOT_FOUND was expected: it works\n1..13\n");
    const json = documentOf(await wf(["test", "lamps", "--json", "--only", "2"], { cwd }));
    expect(json).toMatchObject({
      ok: false,
      passed: 0,
      failed: 1,
      reports: [{ number: 2, findings: [expect.any(String)] }],
    });
  });

  it("a fixture that cannot start is a finding, and wrong flags are usage errors", async () => {
    const cwd = workshop({
      "lamps/index.js": plugin(FACTS, VERB),
      "lamps/fixture.js": "export function start() { throw new Error('no port is free'); }\n",
    });
    const failed = await wf(["test", "lamps", "--only", "2"], { cwd });
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stdout).toContain("no port is free");
    expect(await wf(["test", "lamps", "--only", "13"], { cwd })).toMatchObject({ code: 2 });
    expect(await wf(["test", "lamps", "--only", "two"], { cwd })).toMatchObject({ code: 2 });
    expect(await wf(["test", "lamps", "--format", "xml"], { cwd })).toMatchObject({ code: 2 });
    writeFileSync(join(cwd, "lamps/test.js"), "export const casses = [];\n");
    const misspelt = await wf(["test", "lamps"], { cwd });
    expect(misspelt.code).toBe(2);
    expect(misspelt.stderr).toContain("casses");
  });

  it("requires a known kind, and shows the unmapped roles", async () => {
    const kind = (text: string) => `export const kind = ${text};\n`;
    const unknown = workshop({
      "lamps/index.js": plugin(FACTS, VERB),
      "lamps/test.js": kind("{ name: 'toaster', verbs: {} }"),
    });
    const refused = await wf(["test", "lamps"], { cwd: unknown });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("fixture.js, test.js: /kind/name");
    const cwd = workshop({
      "lamps/index.js": plugin(FACTS, VERB),
      "lamps/test.js": kind("{ name: 'probe', verbs: { up: { verb: 'turn', args: () => ['hall'] } } }"),
    });
    const { code, stdout } = await wf(["test", "lamps"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("          probe needs a verb for down\n");
    expect(stdout).toContain("          ill has neither a verb nor, in lacks, a reason\n");
    expect(stdout).toMatch(/^ok +probe: a target that is well is said to be/m);
  });
});

describe("wf adapter call", () => {
  it.each([
    [["core.DIV", "1", "0"], "ADAPTER_DIVISION_BY_ZERO"],
    [["core.mul", "1e300", "1e300"], "ADAPTER_NUMERIC_RANGE"],
    [["core.RANGE", "1e9"], "ADAPTER_TOO_LARGE"],
    [["core.ADD", "1"], "ADAPTER_BAD_ARGS"],
    [["core.parse", JSON.stringify("[".repeat(600))], "ADAPTER_BAD_ARGS"],
  ])("reads failures of core as those of an adapter: %j", async (call, adapterCode) => {
    const { code, stdout } = await wf(["call", ...call, "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: "adapter_error",
      error_structured: {
        code: "RUNTIME_ADAPTER_ERROR",
        data: { adapter: "core", adapter_code: adapterCode, retryable: false },
      },
    });
    expect((await wf(["call", ...call])).stderr).toContain(`error ${adapterCode}  `);
  });

  it("makes one call and prints its result", async () => {
    expect(await wf(["call", "core.ADD", "2", "3"])).toMatchObject({ code: 0, stdout: "5\n", stderr: "" });
    const cwd = folderWith({ "data/a.txt": "hi" });
    expect(await wf(["call", "fs.read", '"a.txt"', "--fs-root", "data"], { cwd })).toMatchObject({
      code: 0,
      stdout: "hi\n",
    });
    const settings = JSON.stringify({ sandbox_root: join(cwd, "data"), allow_extensions: [".txt"] });
    writeFileSync(join(cwd, "s.json"), settings);
    for (const given of [settings, "@s.json"]) {
      const called = await wf(["call", "fs.list", "--settings", given, "--json"], { cwd });
      expect(documentOf(called)).toMatchObject({
        ok: true,
        adapter: "fs",
        verb: "list",
        result: ["a.txt"],
        warnings: [],
      });
    }
    const dry = await wf(["call", "fs.write", '"b.txt"', '"x"', "--fs-root", "data", "--dry-run"], { cwd });
    expect(dry).toMatchObject({ code: 0, stdout: '{\n  "dry_run": true\n}\n' });
    expect(readdirSync(join(cwd, "data"))).toEqual(["a.txt"]);
  });

  it("applies policy, settings and the argument check", async () => {
    const cwd = folderWith({});
    const refused = await wf(["call", "memory.get", "1"], { cwd });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("error ADAPTER_BAD_ARGS  argument /1: expected an argument, got nothing\n{\n");
    const json = documentOf(await wf(["call", "fs.read", '"../x"', "--fs-root", ".", "--json"], { cwd }));
    expect(json).toMatchObject({
      ok: false,
      error: "adapter_error",
      error_structured: { data: { adapter_code: "ADAPTER_PATH_ESCAPE" } },
    });
    expect(await wf(["call", "fs.read", '"x"', "--fs-root", ".", "--forbid-adapter", "fs"], { cwd })).toMatchObject({
      code: 3,
    });
    expect(await wf(["call", "fs.read", '"x"'], { cwd })).toMatchObject({ code: 2 });
  });

  it.each([
    [["call"], "missing NAME.VERB"],
    [["call", "core"], "found 'core'"],
    [["call", "memory.gt"], "memory has no verb 'gt'; did you mean get?"],
    [["call", "memry.get"], "unknown adapter 'memry'; did you mean memory?"],
    [["call", "core.ADD", "two"], "argument 1 is not JSON (a text needs quotes"],
    [["call", "core.ADD", "1", "2", "--settings", "{"], "option --settings: the value is not JSON"],
    [["call", "core.ADD", "1", "2", "--settings", "[]"], "needs one JSON object"],
    [["call", "fs.list", "--settings", '{"nothing": 1}'], "nothing"],
    [["call", "lamps.turn", "1", "--plugin", "nowhere"], "nowhere does not exist"],
    [["docs", "memory", "--check"], "option --check goes with --fill"],
    [["paint"], "needs one of new, lint, test"],
    [[], "missing ACTION"],
  ] as const)("%j is wrong usage", async (argv, said) => {
    const refused = await wf(argv);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(said);
    expect(documentOf(await wf([...argv, "--json"]))).toMatchObject({ ok: false });
  });

  it("loads plugins named by --plugin", async () => {
    const cwd = workshop({ "lamps/index.js": plugin(FACTS, VERB) });
    const called = await wf(["call", "lamps.turn", '"hall"', "--plugin", "lamps"], { cwd });
    expect(called).toMatchObject({ code: 0, stdout: "true\n" });
  });

  it.each(["check", "lint", "run"])("knows them in wf %s by the operator file that a flag names", async (command) => {
    const file = JSON.stringify({ enable: ["lamps"], plugins: ["./lamps.js"] });
    const cwd = workshop({ "lamps.js": plugin(FACTS, VERB), "a.json": file });
    const argv = [command, "-", "--adapters-config", "a.json"];
    const options = { cwd, clock: realClock, stdin: 'L1:\n  R lamps.turn "hall" ->x\n  Err ->L2\n  J x\nL2:\n  J 0\n' };
    const stdout = command === "run" ? "true\n" : "ok  1 file\n";
    expect(await wfWith(argv, options)).toMatchObject({ code: 0, stdout });
  });
});

describe("a plugin that cannot be imported", () => {
  it.each(["test", "docs", "lint", "schema"])(
    "is named by wf adapter %s from the working directory on",
    async (action) => {
      const cwd = workshop({ "mine/bad.js": 'import "../gone.js";\nexport default {};\n' });
      const { code, stderr } = await wf([action, "mine/bad.js"], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain("mine/bad.js");
      expect(stderr).not.toContain(cwd);
      const outside = await wf([action, join(cwd, "mine/bad.js")], { cwd: join(cwd, "node_modules") });
      expect(outside.stderr).toContain(join(cwd, "mine/bad.js"));
    },
  );
});

describe("wf adapter docs and schema", () => {
  it("describe adapters by name and by path", async () => {
    const page = await wf(["docs", "memory"]);
    expect(page).toMatchObject({ code: 0, stderr: "" });
    expect(page.stdout).toContain("# memory\n\nDurable records");
    expect((await wf(["docs", WEATHER])).stdout).toContain("| `WEATHER_KEY` | yes |");
    expect(JSON.parse((await wf(["schema", "memory"])).stdout)).toMatchObject({ name: "memory" });
    expect(documentOf(await wf(["schema", WEATHER, "--json"]))).toMatchObject({
      name: "weather",
      verbs: { current: { args: { prefixItems: [{ param: "city" }] } } },
    });
    expect((await wf(["docs", "core"])).stderr).toContain("core is part of the machine");
    const cwd = workshop({ "lamps.js": plugin(FACTS, VERB) });
    const environment = { WF_ADAPTERS: "./lamps.js" };
    expect(documentOf(await wf(["schema", "lamps", "--json"], { cwd, environment }))).toMatchObject({ name: "lamps" });
    const near = await wf(["docs", "memry"]);
    expect(near).toMatchObject({ code: 2 });
    expect(near.stderr).toContain("did you mean the adapter memory?");
  });

  it("fill the tables of a page, or report that they are out of date", async () => {
    const cwd = folderWith({});
    copyFileSync(join(WEATHER, "README.md"), join(cwd, "page.md"));
    expect(await wf(["docs", WEATHER, "--fill", "page.md", "--check"], { cwd })).toMatchObject({ code: 0 });
    const fresh = readFileSync(join(cwd, "page.md"), "utf8");
    writeFileSync(join(cwd, "page.md"), fresh.replace("| `max_days` |", "| `most_days` |"));
    const old = await wf(["docs", WEATHER, "--fill", "page.md", "--check"], { cwd });
    expect(old).toMatchObject({ code: 1, stderr: "note page.md is out of date\n" });
    expect(await wf(["docs", WEATHER, "--fill", "page.md"], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "page.md"), "utf8")).toBe(fresh);
    writeFileSync(join(cwd, "page.md"), "# nothing\n");
    expect((await wf(["docs", WEATHER, "--fill", "page.md"], { cwd })).stderr).toContain("has no place for");
  });
});

describe("wf adapter lock", () => {
  it("pins the plugins of the file, and later changes are refused", async () => {
    const cwd = workshop({ "lamps.js": plugin(FACTS, VERB) });
    const file = join(cwd, "adapters.json");
    const written = { enable: ["core", "lamps"], plugins: ["./lamps.js"], memory: { max_entries: 5 } };
    writeFileSync(file, JSON.stringify(written));
    const flags = ["--adapters-config", "adapters.json"];
    expect(await wf(["lock", ...flags, "--check"], { cwd })).toMatchObject({ code: 1 });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(written);
    const locked = await wf(["lock", ...flags], { cwd });
    expect(locked.code).toBe(0);
    expect(locked.stdout).toMatch(/^[0-9a-f]{64} {2}new {2}\.\/lamps\.js\n$/);
    const sha256 = locked.stdout.slice(0, 64);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ...written, plugins: [{ module: "./lamps.js", sha256 }] });
    expect(await wf(["lock", ...flags, "--check"], { cwd })).toMatchObject({ code: 0 });
    writeFileSync(join(cwd, "lamps.js"), `${plugin(FACTS, VERB)}// changed\n`);
    const refused = await wfWith(["run", "-", ...flags], { cwd, stdin: "L1:\n  J 1\n", clock: realClock });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("its content is not the pinned one");
    expect(documentOf(await wf(["lock", ...flags, "--json"], { cwd }))).toMatchObject({
      ok: true,
      plugins: [{ plugin: "./lamps.js", changed: true }],
    });
  });

  it.each([
    ["no file", {}, [], "missing operator file"],
    ["no JSON", { "a.json": "{" }, ["--adapters-config", "a.json"], "a.json is not JSON"],
    ["a list", { "a.json": "[]" }, ["--adapters-config", "a.json"], "must hold one JSON object"],
    [
      "a plugin that is gone",
      { "a.json": '{"plugins": ["./x.js"]}' },
      ["--adapters-config", "a.json"],
      "the file does not exist",
    ],
    ["a wrong entry", { "a.json": '{"plugins": [1]}' }, ["--adapters-config", "a.json"], "/plugins/0"],
  ] as const)("%s is wrong usage", async (_what, files, flags, said) => {
    const refused = await wf(["lock", ...flags], { cwd: folderWith(files) });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(said);
  });
});

describe("wf capabilities --compare", () => {
  it("lists what was added, removed and changed", async () => {
    const cwd = folderWith({});
    const now = (await wfWith(["capabilities", "--json"])).stdout;
    writeFileSync(join(cwd, "now.json"), now);
    expect(await wfWith(["capabilities", "--compare", "now.json"], { cwd })).toMatchObject({
      code: 0,
      stderr: "note no difference to now.json\n",
    });
    const saved = JSON.parse(now);
    saved.adapters.lamps = {};
    saved.adapters.http.verbs = ["Get", "Trace", ...saved.adapters.http.verbs.slice(1, -1)];
    saved.adapters.fs.destructive = false;
    delete saved.adapters.memory;
    saved.runtime_version = "0.9.0";
    writeFileSync(join(cwd, "saved.json"), JSON.stringify(saved));
    const differing = await wfWith(["capabilities", "--compare", "saved.json"], { cwd });
    expect(differing.code).toBe(1);
    expect(differing.stdout.split("\n").map((line) => line.replaceAll(/ +/g, " "))).toEqual([
      "path saved this build",
      "/adapters/fs/destructive false true",
      "/adapters/http/verbs Trace -",
      "/adapters/http/verbs - Options",
      "/adapters/lamps present -",
      "/adapters/memory - present",
      "",
    ]);
    expect(documentOf(await wfWith(["capabilities", "--compare", "saved.json", "--json"], { cwd }))).toMatchObject({
      ok: false,
      differences: { length: 5 },
    });
    writeFileSync(join(cwd, "no.json"), "[]");
    expect(await wfWith(["capabilities", "--compare", "no.json"], { cwd })).toMatchObject({ code: 2 });
  });
});
