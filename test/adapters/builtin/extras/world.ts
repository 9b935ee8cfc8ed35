/** A scratch folder with the services that extras uses. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { extrasAdapter } from "../../../../adapters/builtin/extras/definition.ts";
import { createServices } from "../../../../adapters/services.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { NOW, type WallClock, wallClock } from "../svc/wall-clock.ts";

export type ExtrasWorld = {
  readonly folder: string;
  readonly clock: WallClock;
  /** Writes a file `ageS` seconds old. */
  file(path: string, content?: string, ageS?: number): Promise<string>;
  /** The adapter, with the folder as probe root and the folder `sum` for metrics. */
  open(settings?: JsonObject): Promise<AdapterBench>;
  close(): Promise<void>;
};

export async function extrasWorld(): Promise<ExtrasWorld> {
  const folder = await mkdtemp(join(tmpdir(), "weft-extras-"));
  const places = { ...NO_PLACES, summaryRoot: join(folder, "sum") };
  const { services, close } = createServices({ places, environment: {} });
  const clock = wallClock();
  return {
    folder,
    clock,
    async file(path, content = "", ageS = 0) {
      const full = join(folder, path);
      await mkdir(dirname(full), { recursive: true });
      await writeFile(full, content);
      const at = NOW / 1000 - ageS;
      await utimes(full, at, at);
      return full;
    },
    open: (settings = {}) =>
      openBench(extrasAdapter, { services, clock, settings: { probe_roots: [folder], ...settings } }),
    async close() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
