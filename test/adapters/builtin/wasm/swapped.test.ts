/** Modules below the data root while another process swaps their folder for a link. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { wasmAdapter } from "../../../../adapters/builtin/wasm/definition.ts";
import { createWasmPool } from "../../../../adapters/engine/wasm/pool.ts";
import { NO_PLACES, openBench } from "../../../support/adapter-bench.ts";

const SWAPS = 3_000;
const SWAP = `const fs = require("node:fs"); const [folder, count] = process.argv.slice(1); process.chdir(folder);
for (let n = 0; n < Number(count); n++) {
  fs.renameSync("m", "away"); fs.symlinkSync("../outside", "m"); fs.unlinkSync("m"); fs.renameSync("away", "m");
}`;

it.runIf(process.platform === "linux")("are read from inside alone", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "weft-wasm-swap-")));
  const dataRoot = join(folder, "data");
  for (const name of ["data", "data/m", "outside"]) mkdirSync(join(folder, name));
  const empty = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  writeFileSync(join(dataRoot, "m/x.wasm"), empty);
  // The file outside is not a module, so reading it would be noticed.
  writeFileSync(join(folder, "outside/x.wasm"), "a secret");
  const pool = createWasmPool();
  const services = { wasm: pool, places: { ...NO_PLACES, dataRoot } };
  const child = spawn(process.execPath, ["-e", SWAP, dataRoot, String(SWAPS)], { stdio: "inherit" });
  const closed = once(child, "close");
  const seen = new Set<string>();
  while (child.exitCode === null) {
    const settings = { modules: { x: join(dataRoot, "m/x.wasm") } };
    const bench = await openBench(wasmAdapter, { settings, services });
    seen.add(await bench.code("CALL", "x", "run"));
    await bench.end();
  }
  expect(await closed).toEqual([0, null]);
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
  expect(seen).toContain("ADAPTER_WASM_EXPORT");
  expect([...seen]).not.toContain("ADAPTER_WASM_MODULE");
  expect([...seen].filter((code) => !/_(WASM_EXPORT|NOT_FOUND|PATH_ESCAPE|NOT_ALLOWED)$/.test(code))).toEqual([]);
});
