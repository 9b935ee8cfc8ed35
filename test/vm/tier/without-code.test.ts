/** A process that forbids code from strings: everything runs without it, with the same results. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";

const PROGRAM = `
import { compile } from "./compiler/compile.ts";
import { createHost } from "./vm/host.ts";
import { catalog, testClock } from "./test/support/world.ts";
const facts = { uuid: () => "id", env: () => undefined };
const host = createHost({ clock: testClock(), facts, catalog, adapters: new Map(), traceId: () => "id", tier: "auto" });
const { ir } = compile("L1:\\n  Set n 0\\n  While (n < 30000) ->L2 ->L3 limit=40000\\nL2:\\n  X n add n 1\\nL3:\\n  J n\\n", { strict: false, catalog });
const short = compile("# frame: n\\nL1:\\n  X m add n 1\\n  J m\\n", { strict: false, catalog }).ir;
for (let run = 0; run < 40; run++) host.runSync({ ir: short, frame: { n: 1 } });
const answers = [host.runSync({ ir }), host.runSync({ ir }), host.runSync({ ir: short, frame: { n: 1 } })];
console.log(JSON.stringify([host.tier, ...answers.map(({ out, usage }) => [out, usage.steps])]));
`;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-tier-"));
  buildSync({
    ...{ stdin: { contents: PROGRAM, resolveDir: process.cwd(), loader: "ts" }, bundle: true, platform: "node" },
    ...{ format: "cjs", outfile: join(folder, "program.cjs") },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function outputOf(...flags: string[]): unknown {
  return JSON.parse(execFileSync(process.execPath, [...flags, join(folder, "program.cjs")], { encoding: "utf8" }));
}

it("nothing becomes code from strings where the process forbids it", { timeout: 60_000 }, () => {
  const [tier, ...answers] = outputOf() as unknown[];
  const [without, ...same] = outputOf("--disallow-code-generation-from-strings") as unknown[];
  expect([tier, without]).toEqual(["generated", "none"]);
  expect(answers[0]).toEqual([30_000, 30_003]);
  expect(same).toEqual(answers);
});
