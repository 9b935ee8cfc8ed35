/** Services of a host with a scratch folder: programs that stand in for systemd, a clock that tests move, a state directory. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { svcAdapter } from "../../../../adapters/builtin/svc/definition.ts";
import { createServices } from "../../../../adapters/services.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, type BenchOptions, NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { type WallClock, wallClock } from "./wall-clock.ts";

export type SvcWorld = {
  readonly folder: string;
  readonly clock: WallClock;
  /** A bench whose only service is `web`. */
  open(web: JsonObject, options?: BenchOptions): Promise<AdapterBench>;
  bench(settings: JsonObject, options?: BenchOptions): Promise<AdapterBench>;
  /** An executable shell script; `$LOG` in it is the file that `logged` reads. */
  script(name: string, body: string): Promise<string>;
  /** The lines that scripts wrote to `$LOG`. */
  logged(): Promise<readonly string[]>;
  close(): Promise<void>;
};

export async function svcWorld(): Promise<SvcWorld> {
  const folder = await mkdtemp(join(tmpdir(), "weft-svc-"));
  const bin = join(folder, "bin");
  const log = join(folder, "log");
  await mkdir(bin);
  const environment = { PATH: `${bin}:/usr/bin:/bin`, SVC_SECRET: "canary" };
  const { services, close } = createServices({ places: { ...NO_PLACES, stateDir: folder }, environment });
  const clock = wallClock();
  const bench = (settings: JsonObject, options: BenchOptions = {}) =>
    openBench(svcAdapter, { services, clock, ...options, settings });
  return {
    folder,
    clock,
    bench,
    open: (web, options) => bench({ services: { web } }, options),
    async script(name, body) {
      const path = join(bin, name);
      await writeFile(path, `#!/bin/sh\nLOG='${log}'\n${body}\n`);
      await chmod(path, 0o755);
      return path;
    },
    async logged() {
      const text = await readFile(log, "utf8").catch(() => "");
      await rm(log, { force: true });
      return text.split("\n").filter((line) => line !== "");
    },
    async close() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One probe, in the words of the settings. */
export function probing(kind: string, facts: JsonObject): { readonly probes: Json } {
  return { probes: [{ [kind]: facts }] };
}
