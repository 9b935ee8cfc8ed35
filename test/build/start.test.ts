/** What the built command loads: the parser takes a fifth of a second on a busy machine, so commands that parse nothing leave it out. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folderWith } from "../cli/folders.ts";

const BINARY = fileURLToPath(new URL("../../dist/wf.mjs", import.meta.url));
const built = existsSync(BINARY);
if (!built) console.warn("test/build/start.test.ts: skipped, dist/wf.mjs is not built (npm run build)");

/** The files below dist/ that a command line loads. */
function loadedFiles(args: readonly string[]): readonly string[] {
  const folder = folderWith({});
  spawnSync(process.execPath, [BINARY, ...args], {
    env: { ...process.env, NODE_V8_COVERAGE: folder, WF_SERVER: "http://127.0.0.1:9" },
  });
  const reports = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const urls = reports.flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { result: { url: string }[] };
    return result.map(({ url }) => url);
  });
  return [...new Set(urls)].filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url));
}

function loadsParser(args: readonly string[]): boolean {
  const files = loadedFiles(args);
  expect(files).toContain(BINARY);
  return files.some((path) => readFileSync(path, "utf8").includes("performSelfAnalysis"));
}

describe.skipIf(!built)("the parser", () => {
  it.each([
    "--version",
    "--help",
    "help",
    "jobs --help",
    "jobs list",
    "schedule list",
    "programs list",
    "mailbox --help",
  ])("is not loaded by wf %s", (line) => {
    expect(loadsParser(line.split(" "))).toBe(false);
  });

  it("is loaded by wf run", () => {
    expect(loadsParser(["run", fileURLToPath(new URL("../../examples/hello.wf", import.meta.url))])).toBe(true);
  });
});
