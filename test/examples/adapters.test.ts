/** The programs of `examples/adapters/`, run on the command line as their first lines say, in a folder of their own. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Json } from "../../compiler/json.ts";
import { documentOf, wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { realClock } from "../support/adapter-bench.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(ROOT, "examples/adapters");

/** Per program the results of one run after the other. */
const RESULTS: Readonly<Record<string, readonly Json[]>> = {
  "orders-to-sqlite.wf": [
    [
      { customer: "Ada", total: 42.5 },
      { customer: "Bob", total: 7 },
    ],
  ],
  "seen-before.wf": [["a", "b"], []],
  "hand-over.wf": [true],
  "digest.wf": [{ lines: [], failed: ["News"] }],
};

/** The words after `wf run`, paths in a folder of the test. */
function commandOf(program: string, folder: string): string[] {
  const text = readFileSync(join(FOLDER, program), "utf8");
  const line = /: wf (run .*)$/m.exec(text)?.[1];
  if (line === undefined) throw new Error(`${program} does not say how to run it`);
  const words = line.match(/'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^'|'$/g, "").replace(/^\/tmp\//, `${folder}/`));
}

describe("examples with adapters", () => {
  it("are all run here", () => {
    const programs = readdirSync(FOLDER).filter((name) => name.endsWith(".wf"));
    expect(programs.sort()).toEqual(Object.keys(RESULTS).sort());
  });

  it.each(Object.entries(RESULTS))("%s gives what it says", async (program, results) => {
    const folder = folderWith({});
    const options = { cwd: ROOT, clock: realClock, environment: { WF_STATE_DIR: join(folder, "state") } };
    expect(await wf(["check", join("examples/adapters", program)], options)).toMatchObject({ code: 0 });
    for (const result of results) {
      const answer = await wf([...commandOf(program, folder), "--json"], options);
      expect(documentOf(answer)).toMatchObject({ ok: true, out: result, warnings: [] });
    }
  });
});
