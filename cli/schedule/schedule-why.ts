/** `wf schedule why`: when a schedule fires next, what came of its last times, and what would change that. */
import { visible } from "../output/terminal/columns.ts";
import { table } from "../output/terminal/table.ts";
import type { RemoteSchedule } from "./schedule-client.ts";

/** Times that are shown. */
const SHOWN = 10;

export function stateOf({ enabled, paused }: RemoteSchedule): "active" | "paused" | "disabled" {
  return enabled ? (paused ? "paused" : "active") : "disabled";
}

export function scheduleWhyText(schedule: RemoteSchedule, width: number): string {
  const { id, cron, tz, next_at, paused_because, fires = [] } = schedule;
  const lines = [
    `${visible(id)}  ${stateOf(schedule)}  ${visible(cron)}  ${visible(tz)}`,
    next_at === null ? "  it does not fire again" : `  next: ${visible(next_at)}`,
  ];
  if (paused_because !== undefined) lines.push(`  it was paused: ${visible(paused_because)}`);
  lines.push(...cures(schedule).map((cure) => `    ${cure}`));
  const shown = fires.slice(0, SHOWN);
  const rows = shown.map(({ due_at, outcome, job_id = "", error = "" }) =>
    [due_at, outcome, job_id, error].map(visible),
  );
  if (rows.length > 0) lines.push(...table([["due", "outcome", "job", "error"], ...rows], width));
  return `${lines.join("\n")}\n`;
}

/** Commands for what keeps it from starting jobs. */
function cures(schedule: RemoteSchedule): readonly string[] {
  const id = visible(schedule.id);
  const state = stateOf(schedule);
  if (state === "disabled") return [`wf programs enable ${id.slice(0, id.indexOf("/"))}`];
  if (state === "paused") return [`wf schedule resume ${id}`];
  const { fires = [] } = schedule;
  const [last] = fires;
  // Without an error, the job of an earlier time has not ended.
  const holding = fires.find(({ outcome }) => outcome === "fired")?.job_id;
  if (last?.outcome === "skipped_overlap" && last.error === undefined && holding !== undefined)
    return [`the job of an earlier time has not ended: wf jobs why ${visible(holding)}`];
  if (last?.outcome === "missed") return [`wf schedule backfill ${id} --from ${visible(last.due_at)} --to TIME`];
  return [];
}
