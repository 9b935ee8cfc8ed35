/** Loading a plugin: what is accepted, and that everything else stops the start with a message that says what to fix. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { StartFault } from "../../../adapters/operator/start-fault.ts";
import { hashOf, type PluginEntry, readPluginEntries } from "../../../adapters/plugins/entries.ts";
import { type LoadedPlugin, loadPlugin } from "../../../adapters/plugins/load.ts";
import type { LoadDeps } from "../../../adapters/plugins/loading.ts";
import { folderWith, pluginModule, WEATHER } from "./plugin-files.ts";

function depsIn(baseFolder: string, changed: Partial<LoadDeps> = {}): LoadDeps {
  return { baseFolder, environment: { PATH: process.env["PATH"] }, log: () => {}, ...changed };
}

function entryOf(written: unknown): PluginEntry {
  const [entry] = readPluginEntries([written], "WF_ADAPTERS");
  if (entry === undefined) throw new Error("no entry");
  return entry;
}

function load(written: unknown, folder: string, changed?: Partial<LoadDeps>): Promise<LoadedPlugin> {
  return loadPlugin(entryOf(written), depsIn(folder, changed));
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  const thrown: unknown = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(thrown).toBeInstanceOf(StartFault);
  return (thrown as Error).message;
}

describe("a plugin is loaded", () => {
  it("from a file, with version and hash", async () => {
    const folder = folderWith({ "plugins/weather.mjs": WEATHER });
    const plugin = await load("./plugins/weather.mjs", folder);
    expect(plugin).toMatchObject({ origin: "./plugins/weather.mjs", version: "1.2.0", isolation: "in_process" });
    expect(plugin.definition.name).toBe("weather");
    expect(plugin.sha256).toBe(createHash("sha256").update(WEATHER).digest("hex"));
    expect(plugin.assumed).toEqual([]);
  });

  it.each([
    ["exports", { exports: { ".": { import: "./lib/main.mjs" } } }, "@acme/weather", "lib/main.mjs"],
    ["exports of a subpath", { exports: { "./now": { node: "./now.mjs" } } }, "@acme/weather/now", "now.mjs"],
    ["main", { main: "main.mjs" }, "@acme/weather", "main.mjs"],
    ["a short exports", { exports: "./m.mjs" }, "@acme/weather", "m.mjs"],
  ])("from a package with %s", async (_title, members, name, file) => {
    const at = "node_modules/@acme/weather";
    const folder = folderWith({
      [`${at}/package.json`]: JSON.stringify({ name: "@acme/weather", ...members }),
      [`${at}/${file}`]: WEATHER,
    });
    expect((await load(name, folder)).definition.name).toBe("weather");
  });

  it.each([
    ["the default export", "export const other = weather({ name: 'other' }); export default weather();"],
    ["the only export", "export const adapter = weather(); export const helper = 1;"],
  ])("by %s", async (_title, text) => {
    const folder = folderWith({ "p.mjs": pluginModule(text) });
    expect((await load("./p.mjs", folder)).definition.name).toBe("weather");
  });

  it("when its content is the pinned one", async () => {
    const folder = folderWith({ "p.mjs": WEATHER });
    const sha256 = createHash("sha256").update(WEATHER).digest("hex").toUpperCase();
    expect((await load({ module: "./p.mjs", sha256 }, folder)).definition.name).toBe("weather");
  });
});

describe("facts that are not declared", () => {
  it("are taken at their worst and told", async () => {
    const text = `export default { apiVersion: 1, name: "bare", version: "1.0.0", summary: "bare", verbs: { go: { run: () => 1 } } };`;
    const { definition, assumed } = await load("./p.mjs", folderWith({ "p.mjs": pluginModule(text) }));
    expect(definition).toMatchObject({
      privilege: "operator_sensitive",
      networkFacing: true,
      sandboxSafe: false,
      durable: true,
      support: "extension_ecosystem",
      lane: "noncanonical",
    });
    expect(definition.verbs["go"]).toMatchObject({ effect: "io-write", determinism: "external", kind: "unknown" });
    expect(assumed).toEqual([
      "/privilege",
      "/sandboxSafe",
      "/networkFacing",
      "/durable",
      "/verbs/go/effect",
      "/verbs/go/determinism",
    ]);
  });

  it("raise what is declared: an adapter that may use the network is not local", async () => {
    const text = `export default weather({ privilege: "local_state", networkFacing: undefined });`;
    const { definition } = await load("./p.mjs", folderWith({ "p.mjs": pluginModule(text) }));
    expect(definition).toMatchObject({ privilege: "network", networkFacing: true });
  });

  it("do not hide that arguments have no names", async () => {
    const text = `export default weather({}, { args: z.tuple([z.string(), z.number().optional()]) });`;
    const { definition } = await load("./p.mjs", folderWith({ "p.mjs": pluginModule(text) }));
    const items = definition.verbs["current"]?.args.def.items ?? [];
    expect(items.map((one) => (one as unknown as { meta(): object }).meta())).toEqual([
      { param: "arg1" },
      { param: "arg2" },
    ]);
  });
});

describe("the start stops for a plugin", () => {
  it.each([
    ["that throws at import", `throw new Error("no luck");`, "cannot be imported: Error: no luck"],
    ["with a syntax error", "export default {", "cannot be imported: "],
    ["that imports what is not there", `import "./none.mjs";`, "cannot be imported: Error: Cannot find module"],
    ["that finds no weft-runner", `import "weft-runner/adapter";`, "own node_modules: npm install weft-runner"],
    ["that exports nothing of the kind", "export default 7;", "exports no definition"],
    [
      "with two definitions",
      "export const a = weather(); export const b = weather();",
      "exports several definitions (a, b)",
    ],
    [
      "of another version",
      "export default weather({ apiVersion: 2 });",
      "is written for apiVersion 2; this build knows apiVersion 1",
    ],
    ["of no version", "export default weather({ apiVersion: undefined });", "is written for no apiVersion"],
    [
      "with the name of a built-in adapter",
      `export default weather({ name: "http" });`,
      "its name http is that of a built-in adapter",
    ],
    ["with an invalid name", `export default weather({ name: "We ther" });`, "is not valid: /name"],
    ["without verbs", "export default weather({ verbs: {} });", "an adapter has at least one verb"],
    [
      "with weaker facts than its verbs",
      "export default weather({ networkFacing: false });",
      "/networkFacing is false",
    ],
    [
      "with an unknown member",
      "export default weather({ allowEverything: true });",
      `Unrecognized key: "allowEverything"`,
    ],
    [
      "with a setting that could widen",
      `export default weather({ settings: { allow_cities: z.number().optional().meta({ merge: "min" }) } });`,
      "/settings/allow_cities permits",
    ],
    [
      "with an example that is not a program",
      `export default weather({}, { examples: [{ source: 'R weather.current "Oslo', result: { city: "a", degrees: 1, units: "si" } }] });`,
      "is not Weft",
    ],
    [
      "that is never loaded",
      "await new Promise(() => setInterval(() => {}, 1000).unref());",
      "is not loaded after 0.2 s",
    ],
  ])("%s", async (_title, text, message) => {
    const folder = folderWith({ "p.mjs": pluginModule(text) });
    const said = await faultOf(load("./p.mjs", folder, { timeoutMs: 200 }));
    expect(said).toContain("plugin ./p.mjs: ");
    expect(said).toContain(message);
    expect(said).not.toContain(folder);
  });

  it.each([
    ["a file that is not there", "./none.mjs", "the file does not exist"],
    ["a package that is not installed", "@acme/none", "the package is not installed"],
    ["a folder", "./", "the file does not exist"],
    ["TypeScript", "./p.ts", "must be JavaScript"],
    ["another language", "./p.py", "a program in another language is an entry with command"],
    ["another content", { module: "./p.mjs", sha256: "0".repeat(64) }, "its content is not the pinned one: sha256 is"],
    [
      "a pinned command that names no file",
      { command: ["node", "--version"], sha256: "0".repeat(64) },
      "names no file that could be compared",
    ],
  ])("that is %s", async (_title, written, message) => {
    const folder = folderWith({ "p.mjs": WEATHER, "p.ts": WEATHER, "p.py": "" });
    expect(await faultOf(load(written, folder))).toContain(message);
  });

  it("before anything of another content runs", async () => {
    const folder = folderWith({ "p.mjs": pluginModule("globalThis.weftPluginRan = true; export default weather();") });
    await faultOf(load({ module: "./p.mjs", sha256: "f".repeat(64) }, folder));
    expect(globalThis).not.toHaveProperty("weftPluginRan");
  });
});

describe("an entry", () => {
  it.each([
    ["a text", "./a.js", { module: "./a.js", sha256: null, isolation: "in_process", env: [] }],
    ["a module", { module: "a", isolation: "process", env: ["X"] }, { module: "a", isolation: "process", env: ["X"] }],
    [
      "a command",
      { command: ["python3", "w.py"] },
      { command: ["python3", "w.py"], isolation: "process", sha256: null },
    ],
  ])("is %s", (_title, written, entry) => {
    expect(entryOf(written)).toMatchObject(entry);
  });

  it.each([
    ["empty", ""],
    ["a number", 7],
    ["without module and command", { sha256: "0".repeat(64) }],
    ["with both", { module: "a", command: ["b"] }],
    ["with an empty command", { command: [] }],
    ["with a short hash", { module: "a", sha256: "00" }],
    ["with an unknown member", { module: "a", trust: true }],
    ["with an unknown isolation", { module: "a", isolation: "thread" }],
    ["with a command in process", { command: ["a"], isolation: "in_process" }],
    ["with a strange variable", { module: "a", env: ["A=B"] }],
  ])("is refused %s", (_title, written) => {
    expect(() => readPluginEntries([written], "WF_ADAPTERS")).toThrow(/^WF_ADAPTERS\/0: expected a module/);
  });

  it("is one of a list", () => {
    expect(() => readPluginEntries("./a.js", "WF_ADAPTERS")).toThrow(StartFault);
  });
});

it("the hash of several files is that of theirs, in order", async () => {
  const folder = folderWith({ a: "A", b: "B" });
  const of = (text: string): string => createHash("sha256").update(text).digest("hex");
  expect(await hashOf([`${folder}/a`])).toBe(of("A"));
  expect(await hashOf([`${folder}/a`, `${folder}/b`])).toBe(of(`${of("A")}\n${of("B")}\n`));
  expect(await hashOf([])).toBeNull();
});
