/**
 * The package as a user gets it: packed, unpacked into an empty folder, with only the dependencies it declares. The
 * examples of the documentation are checked against its types and run, every entry point is used, and so is the command. Needs a build.
 */
import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { minVersion, subset } from "semver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PACKAGE_VERSIONS } from "../../adapters/packages.ts";
import { readPage } from "../docs/page.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const app = mkdtempSync(join(tmpdir(), "weft-package-"));
const installed = join(app, "node_modules", manifest.name);
const SLOW = 180_000;

const start = promisify(execFile);
const node = async (...words: readonly string[]): Promise<string> =>
  (await start(process.execPath, words, { cwd: app, env: { PATH: process.env["PATH"] ?? "" } })).stdout;
const wf = (...words: readonly string[]): Promise<string> => node(join(installed, manifest.bin.wf), ...words);

/** Packages of this repository that the folder may see. */
function link(name: string): void {
  const path = join(app, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules", name), path);
}

const MAIN = `import { AdapterError, adapterError } from "weft-runner/adapter";
import { CONFORMANCE } from "weft-runner/adapter-testing";
import { WeftClient, type RunAnswer } from "weft-runner/client";
import { paidOf } from "./first-run.js";
import { levelFor } from "./granted-run.js";
import { levelOf } from "./own-adapter.js";

const [paid, own, granted] = [await paidOf([{ id: 1, paid: true }]), await levelOf("A1"), await levelFor({}, "A1")];
const client: (code: string) => Promise<RunAnswer> = (code) => new WeftClient({ server: "http://127.0.0.1:1", retries: 0 }).run({ code });
const unreached = await client("L1:\\n  J 1\\n").catch((thrown: unknown) => (thrown as { readonly code: string }).code);
const fault: AdapterError = adapterError("ADAPTER_NOT_FOUND", "nothing there");
console.log(JSON.stringify([paid.ok && paid.out, own.ok && own.out, granted.ok && granted.out, fault instanceof AdapterError, CONFORMANCE.length > 10, unreached]));
`;

/** Modules that the built files import from other packages. */
async function packagesImported(): Promise<string[]> {
  const programs = readdirSync(join(installed, "dist")).filter((name) => name.endsWith(".mjs"));
  const entries = ["index", "adapter", "adapter-testing"].map((name) => `lib/${name}.js`);
  const entryPoints = [...programs, ...entries].map((name) => join(installed, "dist", name));
  const options = {
    bundle: true,
    splitting: true,
    write: false,
    packages: "external",
    platform: "node",
    format: "esm",
  } as const;
  const { metafile } = await build({ ...options, entryPoints, outdir: app, metafile: true, logLevel: "silent" });
  const modules = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const names = modules.map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  return [...new Set(names.filter((name) => !isBuiltin(name)))].sort();
}

/** Bytes of the files below a folder. What compiling better-sqlite3 leaves is not there where a prebuilt binary is. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules/better-sqlite3/build"))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

type Locked = {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
  readonly engines?: { readonly node?: string };
};
const SQLITE_BINARY_BYTES = 2_500_000;
const MAX_INSTALLED_BYTES = 60_000_000;

const CONFIG = {
  compilerOptions: {
    module: "NodeNext",
    target: "ES2023",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ["node"],
    outDir: "out",
  },
  include: ["*.ts"],
};

function exampleNames(): [string, string][] {
  const blocks = [...readPage("embedding.md").text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, source = ""]) => source);
  const names = ["first-run", "own-adapter", "granted-run", "many-frames", "through-file", "surviving-run"];
  expect(blocks.length).toBe(names.length);
  return blocks.map((source, at) => [`${names[at]}.ts`, source]);
}

beforeAll(async () => {
  const words = ["pack", "--ignore-scripts", "--offline", "--pack-destination", app];
  await start("npm", words, { cwd: ROOT });
  mkdirSync(installed, { recursive: true });
  await start("tar", ["-xzf", `${manifest.name}-${manifest.version}.tgz`, "-C", installed, "--strip-components=1"], {
    cwd: app,
  });
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) link(name);
  for (const name of ["@types/node", "typescript"]) link(name);
  writeFileSync(join(app, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(app, "tsconfig.json"), JSON.stringify(CONFIG));
  writeFileSync(join(app, "main.ts"), MAIN);
  for (const [name, source] of exampleNames()) writeFileSync(join(app, name), source);
  for (const [name, source] of Object.entries(readPage("guide.md").files)) {
    mkdirSync(dirname(join(app, name)), { recursive: true });
    writeFileSync(join(app, name), source);
  }
}, SLOW);

afterAll(() => {
  rmSync(app, { recursive: true, force: true });
});

describe("the packed package", () => {
  it("holds what it promises and nothing of the workshop", async () => {
    const { stdout } = await start("tar", ["-tzf", `${manifest.name}-${manifest.version}.tgz`], { cwd: app });
    const files = stdout.split("\n");
    for (const name of ["README.md", "LICENSE", "docs/guide.md", "examples/hello.wf", manifest.bin.wf])
      expect(files).toContain(`package/${name}`);
    expect(files.filter((name) => /^package\/(test|scripts|benchmarks|node_modules|\.)|\.map$/.test(name))).toEqual([]);
  });

  it("imports only packages that it declares", async () => {
    const { dependencies, peerDependencies } = manifest;
    expect(Object.keys({ ...dependencies, ...peerDependencies })).toEqual(
      expect.arrayContaining(await packagesImported()),
    );
  });

  it("takes at most 60 MB with its dependencies", () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
    const needed = Object.entries<Locked>(packages).filter(
      ([path, { dev, optional, peer }]) => path !== "" && !dev && !optional && !peer,
    );
    const sizes = needed
      .filter(([path]) => !/node_modules\/.*node_modules\//.test(path))
      .map(([path]) => bytesIn(join(ROOT, path)));
    const total = sizes.reduce((sum, size) => sum + size, bytesIn(installed) + SQLITE_BINARY_BYTES);
    expect(needed.length).toBeGreaterThan(50);
    expect(total).toBeLessThan(MAX_INSTALLED_BYTES);
  });

  it("brings along only packages that run on every Node.js it promises", () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
    const promised = `^${minVersion(manifest.engines.node)?.version} || 22.x || 24.x`;
    const refused = Object.entries<Locked>(packages)
      .filter(([, { dev, engines }]) => !dev && engines?.node !== undefined && !subset(promised, engines.node))
      .map(([path, { engines }]) => `${path} wants ${engines?.node}`);
    expect(refused).toEqual([]);
    // They hold in a checkout and not where the package is installed: what must be kept back is a dependency of its own.
    expect(manifest.overrides).toBeUndefined();
  });

  it("names the tested versions of the packages that it does not bring along", () => {
    const { devDependencies, peerDependencies, peerDependenciesMeta } = manifest;
    const { vitest: _, ...optional } = peerDependencies;
    expect(Object.keys(PACKAGE_VERSIONS).sort()).toEqual(Object.keys(optional).sort());
    for (const [name, version] of Object.entries(PACKAGE_VERSIONS)) {
      expect(devDependencies[name]).toBe(version);
      expect(peerDependenciesMeta[name]).toEqual({ optional: true });
    }
  });

  it("has the licence of every package that its files contain", () => {
    const notices = readFileSync(join(installed, "dist/THIRD-PARTY-NOTICES.txt"), "utf8");
    const names = [...notices.matchAll(/^ {2}(\S+) (\S+)$/gm)].map(([, name = ""]) => name);
    expect(names).toEqual(expect.arrayContaining(["@modelcontextprotocol/sdk", "clipanion", "ical.js", "zod"]));
    expect(notices.match(/^Licence: \S+$/gm)).toHaveLength(names.length);
    expect(notices.match(/^Source: {2}\S+$/gm)).toHaveLength(names.length);
  });

  it(
    "checks and runs the examples of docs/embedding.md through every entry point",
    async () => {
      const tsc = join(app, "node_modules/typescript/bin/tsc");
      // It tells its findings on stdout.
      expect(await node(tsc, "-p", app).catch((fault) => fault.stdout)).toBe("");
      expect(JSON.parse(await node("out/main.js"))).toEqual([{ paid: 1, all: 1 }, 12, 12, true, true, "unreachable"]);
    },
    SLOW,
  );

  it("lets nothing else be imported", async () => {
    const inside = 'await import("weft-runner/dist/lib/vm/host.js").catch((fault) => console.log(fault.code))';
    expect(await node("--input-type=module", "--eval", inside)).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED\n");
    expect(await node("--eval", 'console.log(require("weft-runner/package.json").version)')).toBe(
      `${manifest.version}\n`,
    );
  });

  it(
    "has a command that checks, runs, tests and reports",
    async () => {
      expect(await wf("run", "hello.wf")).toBe("50\n");
      expect(await wf("check", "parcel.wf")).toBe("ok  1 file\n");
      expect(await wf("test", "parcel.wf")).toContain("2 tests, 0 failed");
      expect(await wf("security-report", "visits.wf")).toContain("cache: verbs=[get, set]");
      expect(await wf("run", "visits.wf", "--frame", '{"page": "a"}', "--enable-adapter", "cache")).toBe("1\n");
    },
    SLOW,
  );
});
