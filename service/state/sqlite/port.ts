/** What rules need of SQLite (`../port.ts`). Only this process uses the file, so others need not hear of a change. */
import type { TextFiles } from "../../jobs/sqlite/tables/text-files.ts";
import type { Port } from "../port.ts";
import type { Step } from "../step.ts";

export function sqlitePort(files: Pick<TextFiles, "seal" | "open">): Omit<Port, "now"> {
  return {
    jobVersions: "submissions",
    hasTag: "EXISTS (SELECT 1 FROM json_each(d.tags) WHERE key = $2 AND ($3 IS NULL OR value = $3))",
    position: "instr",
    seal: (text, of) => files.seal(text, of),
    open: (stored, of) => files.open(stored, of),
    deploymentChanged: nothing,
    alarm: nothing,
  };
}

function* nothing(): Step<void> {}
