/** The examples of docs/clients.md and of the how-to page, run as they stand there, against a service. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folderWith } from "../cli/folders.ts";
import { readPage } from "../docs/page.ts";
import { type JobServing, servingJobs } from "../service/jobs/serving-jobs.ts";
import { PYTHON, PYTHONPATH } from "./python.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(() => service.stop());

/** The blocks of a language on a page, with the address of this service. */
function blocksOf(page: string, language: string): string[] {
  const blocks = [...readPage(page).text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))];
  return blocks.map(([, source = ""]) => source.replaceAll(":8770", `:${service.port}`));
}

const EXPECTED = ["42", "0 7", "1 14", "succeeded", expect.stringContaining("input_invalid")];

/** The client and what uses it as one file that imports nothing. */
async function bundled(source: string, platform: "browser" | "node"): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: ROOT, loader: "ts" },
    alias: { "weft-runner/client": "./client.ts" },
    bundle: true,
    format: "esm",
    platform,
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

describe("docs/clients.md", () => {
  it("its TypeScript prints what it says", async () => {
    const [source = "", ...more] = blocksOf("clients.md", "ts");
    expect(more).toEqual([]);
    const file = join(folderWith({}), "main.mjs");
    writeFileSync(file, await bundled(source, "browser"));
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout.trim().split("\n").slice(0, 5)).toEqual(EXPECTED);
  });

  it("names every method of both clients", async () => {
    const { WeftClient } = await import("../../client.ts");
    const { text } = readPage("clients.md");
    const methods = methodsOf(WeftClient);
    expect(methods.length).toBeGreaterThan(20);
    for (const name of methods) {
      expect(text, name).toMatch(new RegExp(`\`${name}\\b`));
      const inPython = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      expect(text, inPython).toMatch(new RegExp(`\`${inPython}\\b`));
    }
  });
});

describe.skipIf(!PYTHON)("Python", () => {
  const printed = async (source: string): Promise<string[]> => {
    const file = join(folderWith({}), "main.py");
    writeFileSync(file, source);
    const { stdout } = await run("python3", ["-W", "error", file], { env: { ...process.env, PYTHONPATH } });
    return stdout.trim().split("\n");
  };

  it("docs/clients.md prints what it says", async () => {
    const [threads = "", tasks = ""] = blocksOf("clients.md", "python part");
    expect(await printed(threads)).toEqual(EXPECTED);
    expect(await printed(tasks)).toEqual(["10"]);
  });

  it("docs/how-to/call-from-python.md prints what it says", async () => {
    const [source = ""] = blocksOf("how-to/call-from-python.md", "python part");
    expect(await printed(source)).toEqual(["42"]);
  });

  it("both clients have the same methods", async () => {
    const { WeftClient } = await import("../../client.ts");
    const list =
      "import json, weft_client as w; print(json.dumps([[n for n in dir(c) if n[0] != '_'] for c in (w.Client, w.AsyncClient)]))";
    const [line = "[]"] = await printed(list);
    const [threads = [], tasks = []] = JSON.parse(line) as string[][];
    const methods = methodsOf(WeftClient);
    const wanted = methods.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).sort();
    expect(threads).toEqual(wanted);
    expect(tasks.filter((name) => name !== "close")).toEqual(wanted);
  });
});

it("the client has no dependencies, asks nothing of Node, and fits a page", async () => {
  const text = await bundled('export { WeftClient } from "./client.ts";', "browser");
  expect(text).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/);
  expect(text.length).toBeLessThan(40_000);
});

/** Of the class and of those that it is made of. */
function methodsOf({ prototype }: { readonly prototype: object }): readonly string[] {
  const names = new Set<string>();
  for (let at = prototype; at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) if (name !== "constructor") names.add(name);
  return [...names];
}
