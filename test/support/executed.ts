/**
 * How much code a piece of work executes: every block of every function as often as it ran, counted by the engine. The same on every machine
 * and under every load, so that a test can tell work that grows with the size from work that grows with its square. What the engine's own
 * functions do is not counted.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export type Executed<M> = {
  /** A copy of the module, whose code is counted. */
  readonly module: M;
  /** Blocks that `work` executes in it. */
  count(work: () => unknown): Promise<number>;
  /** Counts no longer: code that is counted is slow. */
  end(): void;
};

/** Counts what files of the repository do, packages included; `M` says what they export together. */
export async function executed<M>(...files: readonly string[]): Promise<Executed<M>> {
  const folder = mkdtempSync(join(ROOT, "node_modules", ".executed-"));
  const outfile = join(folder, "code.mjs");
  const contents = files.map((file) => `export * from "./${file}";`).join("\n");
  await build({
    stdin: { contents, resolveDir: ROOT },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  // Before the code is loaded, or its blocks are not known.
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const url = pathToFileURL(outfile).href;
  const module = (await import(/* @vite-ignore */ url)) as M;
  const taken = (): number => {
    let blocks = 0;
    session.post("Profiler.takePreciseCoverage", (failure, found) => {
      if (failure !== null) throw failure;
      const code = found.result.find((script) => script.url === url);
      for (const { ranges } of code?.functions ?? []) for (const { count } of ranges) blocks += count;
    });
    return blocks;
  };
  return {
    module,
    async count(work) {
      taken();
      await work();
      return taken();
    },
    end() {
      session.post("Profiler.stopPreciseCoverage");
      session.post("Profiler.disable");
      session.disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
