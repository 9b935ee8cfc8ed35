/** The journal of a durable job as a table, with its steps and calls by the names of the source. */

import { callNames } from "../output/call-names.ts";
import { visible } from "../output/terminal/columns.ts";
import { table } from "../output/terminal/table.ts";
import type { Screen } from "../session/screen.ts";
import type { JobJournal } from "./durable.ts";
import type { JobProgram } from "./job-program.ts";

export async function showJournal(
  { records, next_after }: JobJournal,
  { stepName }: JobProgram,
  screen: Screen,
): Promise<void> {
  if (records.length === 0) {
    screen.note("no records; a job that ends without a wait may write none");
    return;
  }
  const callName = await callNames();
  const rows = records.map((record) => [
    String(record.seq),
    record.kind,
    record.at,
    visible(stepName(record)),
    record.adapter === undefined ? "" : visible(callName(record.adapter, record.verb ?? "")),
    record.ok === undefined ? "" : record.ok ? "ok" : "failed",
  ]);
  const head = ["seq", "kind", "at", "step", "call", "outcome"];
  screen.out(`${table([head, ...rows], screen.tableWidth).join("\n")}\n`);
  if (next_after !== null) screen.note(`more: --after ${next_after}`);
}
