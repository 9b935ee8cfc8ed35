/** The events of a job of a runner service as they happen: one line each, until the job is over. */
import * as z from "zod/mini";
import { shownLabel } from "../../grammar/text/written-label.ts";
import { type CallNames, callNames } from "../output/call-names.ts";
import { visible } from "../output/terminal/columns.ts";
import { jsonLine } from "../output/terminal/json.ts";
import { grouped } from "../output/terminal/table.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { Screen } from "../session/screen.ts";
import { jobEvents, type ServerEvent } from "./client.ts";

const Status = z.object({ status: z.string(), attempt: z.number() });
const Call = z.object({
  adapter: z.string(),
  verb: z.string(),
  label_id: z.string(),
  node_id: z.string(),
  /** Only of a function in Python. */
  line: z.optional(z.number()),
  status: z.string(),
  duration_ms: z.number(),
});
const Progress = z.object({ usage: z.object({ steps: z.number(), adapter_calls: z.number() }) });
const End = z.object({ status: z.string(), ok: z.boolean() });

/** A service that breaks the stream off is asked again that often, from the event that was seen last. */
const MAX_BREAKS = 5;

/** True: the job succeeded. With `--json` every event is a line. */
export async function followJob(server: string, job: string, screen: Screen, signal: AbortSignal): Promise<boolean> {
  const callName = await callNames();
  let last: string | null = null;
  for (let breaks = 0; breaks <= MAX_BREAKS; breaks += 1) {
    for await (const event of jobEvents(server, job, last, signal)) {
      last = event.id ?? last;
      screen.out(
        screen.json ? jsonLine({ event: event.kind, data: event.data }) : `${visible(eventText(event, callName))}\n`,
      );
      const end = event.kind === "end" ? End.safeParse(event.data) : null;
      if (end?.success === true) return end.data.ok;
    }
  }
  throw new CliFault("the service closed the stream before the job had ended", {
    error: "server_unreachable",
    exitCode: EXIT.failed,
  });
}

function eventText({ kind, data }: ServerEvent, callName: CallNames): string {
  const status = kind === "status" ? Status.safeParse(data) : null;
  if (status?.success === true) return `${status.data.status}  attempt ${status.data.attempt}`;
  const call = kind === "adapter_call" ? Call.safeParse(data) : null;
  if (call?.success === true) {
    const { adapter, verb, label_id, node_id, line, status, duration_ms } = call.data;
    const place = line === undefined ? `${shownLabel(label_id)} ${node_id}` : `${label_id} line ${line}`;
    return `${place}  ${callName(adapter, verb)}  ${status}  ${duration_ms.toFixed(3)} ms`;
  }
  const progress = kind === "progress" ? Progress.safeParse(data) : null;
  if (progress?.success === true) {
    const { steps, adapter_calls } = progress.data.usage;
    return `steps ${grouped(steps)}  calls ${grouped(adapter_calls)}`;
  }
  const end = kind === "end" ? End.safeParse(data) : null;
  if (end?.success === true) return `over: ${end.data.status}`;
  return `${kind} ${JSON.stringify(data)}`;
}
