/**
 * Before the tests: builds the programs that run in child processes and threads, because Node cannot run the TypeScript sources
 * there. Takes some hundred milliseconds.
 */
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { helperPath } from "../../adapters/engine/helpers.ts";

export function setup(): void {
  const build = new URL("../../scripts/build.mjs", import.meta.url).pathname;
  execFileSync(process.execPath, [build, "--helpers", dirname(helperPath("sqlite-helper"))], { stdio: "inherit" });
}
