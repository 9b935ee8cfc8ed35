/** What rules need of SQLite (`../port.ts`). Only this process uses the file, so others need not hear of a change. */
import { type SubmissionRows, submittedRows } from "../../jobs/sqlite/tables/submission-rows.ts";
import type { TextFiles } from "../../jobs/sqlite/tables/text-files.ts";
import type { Enqueued, EnqueueOptions } from "../../jobs/store.ts";
import type { Port } from "../port.ts";
import { direct } from "../step.ts";

export type PortDeps = {
  readonly files: Pick<TextFiles, "seal" | "open">;
  /** Of the jobs, inside the same transaction. */
  readonly enqueue: (request: SubmissionRows & EnqueueOptions) => Enqueued;
};

export function sqlitePort({ files, enqueue }: PortDeps): Omit<Port, "now"> {
  return {
    jobVersions: "submissions",
    hasTag: "EXISTS (SELECT 1 FROM json_each(d.tags) WHERE key = $2 AND ($3 IS NULL OR value = $3))",
    position: "instr",
    seal: (text, of) => files.seal(text, of),
    open: (stored, of) => files.open(stored, of),
    enqueue: (submission, most) =>
      direct(() => enqueue({ ...submittedRows(submission), most, key: null }).state === "queued"),
    deploymentChanged: () => direct(() => {}),
    alarm: () => direct(() => {}),
  };
}
