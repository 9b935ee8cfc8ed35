/** `wf batch --out` that is killed again and again at any moment: with `--resume` no row is missing, and none is there twice. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { folderWith } from "../folders.ts";

const BINARY = fileURLToPath(new URL("../../../dist/wf.mjs", import.meta.url));
/** How often the command is killed; `WEFT_CRASH_ROUNDS` makes it another number. */
const ROUNDS = Number(process.env["WEFT_CRASH_ROUNDS"] ?? 4);
/** A batch is killed so often at most before it may end. */
const KILLS = 4;
const ROWS = 20_000;
const PROGRAM = "def main(n: int):\n    return [n, 840 // (n % 7)]\n";
const ARGV = ["batch", "p.py", "--in", "in.ndjson", "--out", "out.ndjson"];

/** What each row comes to, without times and ids. */
function outcomesIn(text: string): readonly unknown[] {
  const lines = text.split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => {
    const { index, ok, out, error } = JSON.parse(line);
    return ok ? out : [index, error];
  });
}

const EXPECTED = Array.from({ length: ROWS }, (_, at) => [
  at,
  at % 7 === 0 ? "runtime_error" : Math.floor(840 / (at % 7)),
]);

/** Runs the batch, and kills it when its file has `killAt` bytes; null: it comes to its end. Returns the signal that ended it. */
async function run(cwd: string, resumes: boolean, killAt: number | null): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [BINARY, ...ARGV, ...(resumes ? ["--resume"] : [])], { cwd, stdio: "ignore" });
  const out = join(cwd, "out.ndjson");
  const watcher = watch(cwd, () => {
    if (killAt !== null && existsSync(out) && statSync(out).size >= killAt) child.kill("SIGKILL");
  });
  const [code, signal] = await once(child, "exit");
  watcher.close();
  // Rows that failed are results as well.
  if (signal === null) expect(code).toBe(1);
  return signal;
}

it.skipIf(!existsSync(BINARY))(
  "a batch that is killed at any moment writes each row once when it is resumed",
  { timeout: 60_000 + ROUNDS * 10_000 },
  async () => {
    const cwd = folderWith({
      "p.py": PROGRAM,
      "in.ndjson": Array.from({ length: ROWS }, (_, n) => `{"n":${n}}\n`).join(""),
    });
    const out = join(cwd, "out.ndjson");
    await run(cwd, false, null);
    const { size } = statSync(out);
    const cutAt: number[] = [];
    for (let kills = 0, tries = 0; kills < ROUNDS && tries < ROUNDS * 10; ) {
      rmSync(out);
      let resumes = false;
      for (let at = 0; at < KILLS && kills < ROUNDS; at += 1, tries += 1) {
        const done = existsSync(out) ? statSync(out).size : 0;
        // From the first byte on, or among those that are still to be written.
        const killAt = Math.random() < 0.1 ? 0 : done + Math.floor(Math.random() * (size - done));
        const signal = await run(cwd, resumes, killAt);
        if (signal === null) break;
        expect(signal).toBe("SIGKILL");
        kills += 1;
        resumes = existsSync(out);
        cutAt.push(resumes ? statSync(out).size : 0);
      }
      if (resumes) await run(cwd, true, null);
      expect(outcomesIn(readFileSync(out, "utf8"))).toEqual(EXPECTED);
    }
    expect(cutAt).toHaveLength(ROUNDS);
    if (ROUNDS > 4)
      process.stderr.write(`killed ${ROUNDS} times, with ${cutAt.sort((a, b) => a - b).join(", ")} of ${size} bytes\n`);
  },
);
