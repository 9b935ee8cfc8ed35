/** The database of videomon as its verbs see it. */
import { join } from "node:path";
import type { RunScope } from "../../../vm/adapter.ts";
import type { HostServices } from "../../definition/host-services.ts";
import { realPlace } from "../../store/place.ts";
import { type CallsOf, callsOf } from "../../store/sqlite/program.ts";
import type { videomonOperations } from "./program.ts";
import type { VideomonSettings } from "./settings.ts";

export type VideoStore = {
  readonly call: CallsOf<typeof videomonOperations>;
  close(): Promise<void>;
};

/** One handle for a run; the file itself is served for all of them. */
export function openVideoStore(settings: VideomonSettings, host: HostServices, run: RunScope): VideoStore {
  const { stateDir } = host.places;
  const path = settings.db_path ?? (stateDir === null ? null : join(stateDir, "videomon.db"));
  if (path === null) run.warn("videomon_not_durable: no file is configured, what was polled ends with the run");
  const database = host.sqlite.open({
    path: path === null ? ":memory:" : realPlace(path, null),
    program: "videomon",
    durability: "normal",
  });
  return { call: callsOf<typeof videomonOperations>(database), close: () => database.close() };
}
