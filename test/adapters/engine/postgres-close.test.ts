/** Ending all connections is waited for, though none of them keeps a process alive that is done. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { startPostgres } from "../../support/postgres.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

test.skipIf(postgres === null)(
  "a process that closes its last connections ends only when they have ended",
  async () => {
    // Next to the packages that it loads.
    const child = fileURLToPath(new URL("../../../node_modules/.cache/weft-test/postgres-close.mjs", import.meta.url));
    await build({
      entryPoints: [fileURLToPath(new URL("./postgres-close.ts", import.meta.url))],
      outfile: child,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      logLevel: "warning",
    });
    // Node ends with 13 when nothing is left that could still happen.
    const { stdout } = await promisify(execFile)(process.execPath, [child, (await postgres?.createDatabase()) ?? ""]);
    expect(stdout).toBe("closed");
  },
);
