/**
 * `npm run check`: everything about the source that can be found without running it. Each check prints one line; what failed
 * prints its findings below. A check that could not run counts as failed. Programs that need a core each run two at a
 * time; the quick ones run in this process first.
 */
import { checkEnglish } from "./check/english.mjs";
import { checkErrorTables } from "./check/error-tables.mjs";
import { checkFloors } from "./check/floors.mjs";
import { checkFolders } from "./check/folders.mjs";
import { checkSizes } from "./check/sizes.mjs";
import { runTool } from "./check/tools.mjs";

const QUICK = [
  ["file sizes", checkSizes],
  ["folder sizes", checkFolders],
  ["error tables", checkErrorTables],
  ["plain English", () => checkEnglish()],
];
const SLOW = [
  ["types", () => runTool("typescript", "bin/tsc", ["-p", ".", "--noEmit", "--pretty", "false"])],
  ["types of the page", () => runTool("typescript", "bin/tsc", ["-p", "service/ui", "--noEmit", "--pretty", "false"])],
  ["floors", checkFloors],
  ["unused code", () => runTool("knip", "bin/knip.js", ["--no-progress", "--reporter", "compact"])],
  ["style", () => runTool("@biomejs/biome", "bin/biome", ["check", "--colors=off", "--max-diagnostics=50", "."])],
];
const AT_A_TIME = 2;
const DETAIL_LINES = 80;

let failures = 0;

async function report([name, check]) {
  const start = performance.now();
  let result;
  try {
    result = await check();
  } catch (error) {
    result = { ok: false, note: "could not run", details: String(error instanceof Error ? error.message : error) };
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (!result.ok) failures += 1;
  const note = result.note === undefined ? "" : `  ${result.note}`;
  process.stdout.write(`${result.ok ? "ok  " : "FAIL"}  ${name.padEnd(17)} ${seconds.padStart(5)} s${note}\n`);
  const details = (result.details ?? "").trim();
  if (details === "") return;
  const lines = details.split("\n");
  for (const line of lines.slice(0, DETAIL_LINES)) process.stdout.write(`      ${line}\n`);
  if (lines.length > DETAIL_LINES) process.stdout.write(`      … ${lines.length - DETAIL_LINES} more lines\n`);
}

for (const entry of QUICK) await report(entry);
const waiting = [...SLOW];
async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await report(next);
}
await Promise.all(Array.from({ length: AT_A_TIME }, work));

process.stdout.write(
  failures === 0 ? "all checks passed\n" : `${failures} of ${QUICK.length + SLOW.length} checks failed\n`,
);
process.exit(failures === 0 ? 0 : 1);
