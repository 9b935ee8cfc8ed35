/**
 * Processes in which code from strings is forbidden (`--disallow-code-generation-from-strings`): everything runs, without generated code. From
 * the built package, because the flag holds for a whole process. Skipped, with the reason, when it is not built.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const isBuilt = existsSync(join(ROOT, "dist/lib/index.js")) && existsSync(join(ROOT, "dist/wf.mjs"));
if (!isBuilt) console.warn("test/vm/tier/forbidden-code.test.ts: skipped, dist/ is not built (npm run build)");

const FLAG = "--disallow-code-generation-from-strings";
const PROGRAM = "# frame: n: number\nL1:\n  If (n > 20) ->L2 ->L3\nL2:\n  X m mul n 2\n  J m\nL3:\n  J {}\n";
const RUNS = 40;
const LIBRARY = `
  import { builtinCatalog, compile, createHost, systemClock } from ${JSON.stringify(join(ROOT, "dist/lib/index.js"))};
  const facts = { uuid: () => "", env: () => undefined };
  const host = createHost({ clock: systemClock, facts, catalog: builtinCatalog, adapters: new Map(), traceId: () => "id" });
  const { ir } = compile(${JSON.stringify(PROGRAM)}, { catalog: builtinCatalog });
  const answers = Array.from({ length: ${RUNS} }, (_, n) => host.runSync({ ir, frame: { n } }));
  console.log(JSON.stringify({ tier: host.tier, outs: answers.map(({ out }) => out), steps: answers.map(({ usage }) => usage.steps) }));
`;

function printed(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

describe.skipIf(!isBuilt)("where code from strings is forbidden", { timeout: 60_000 }, () => {
  const outs = Array.from({ length: RUNS }, (_, n) => (n > 20 ? n * 2 : {}));

  it("the library runs programs in the loop, with the results and usage of generated code", () => {
    const script = ["--input-type=module", "-e", LIBRARY];
    const free = JSON.parse(printed(script));
    expect(free).toMatchObject({ tier: "generated", outs });
    expect(JSON.parse(printed([FLAG, ...script]))).toEqual({ ...free, tier: "none" });
  });

  it("wf batch writes the same results", () => {
    const folder = mkdtempSync(join(tmpdir(), "weft-forbidden-code-"));
    try {
      writeFileSync(join(folder, "p.wf"), PROGRAM);
      writeFileSync(join(folder, "frames"), outs.map((_, n) => `${JSON.stringify({ n })}\n`).join(""));
      const lines = printed([
        FLAG,
        "dist/wf.mjs",
        "batch",
        join(folder, "p.wf"),
        "--in",
        join(folder, "frames"),
        "--ordered",
      ]);
      expect(
        lines
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).out),
      ).toEqual(outs);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
