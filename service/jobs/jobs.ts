import type { JobStore } from "../state/store.ts";
import type { JobFeed } from "./answers/feed.ts";
import type { JobWatching } from "./answers/watching.ts";
import type { JobLog } from "./run/job-log.ts";
import type { JobPrograms } from "./run/job-programs.ts";
import type { JobTimes } from "./times.ts";

/** What the routes of jobs work with. */
export type Jobs = {
  readonly store: JobStore;
  readonly log: JobLog;
  readonly watching: JobWatching;
  readonly feed: JobFeed;
  readonly programs: JobPrograms;
  readonly times: JobTimes;
  /** Milliseconds since 1970, steady. */
  readonly now: () => number;
};
