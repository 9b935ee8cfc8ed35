/**
 * A new job that takes over the first records of a durable one, perhaps with another program: it answers from them, and continues live
 * after the last. What must fit is tried before it is queued, without making a call.
 */
import { stepName } from "../../../compiler/diagram/label-names.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { labelName } from "../../../compiler/ir/references.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import type { DurableEnd, DurableEvent } from "../../../vm/durable/durable-request.ts";
import { type CallKey, isOfRun, type JournalRecord, type RunJournal } from "../../../vm/durable/records.ts";
import type { Cancellation, RunError } from "../../../vm/run.ts";
import type { RunPlan } from "../../run/plan.ts";
import type { Services } from "../../services.ts";
import type { FoundJob } from "../../state/store.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import type { Jobs } from "../jobs.ts";

/** Records that are read from the store at once. */
const PAGE = 1000;

/** Where the new job begins. `failure`: before the last call, when that failed; else after the last record, as `end` always is. */
export type TakeOver = "failure" | "end" | { readonly seq: number };

/** The records that the new job takes over. Throws ServiceFault for a number that the journal does not have. */
export async function takenRecords(
  { store: { durable } }: Pick<Jobs, "store">,
  source: FoundJob,
  from: TakeOver,
): Promise<readonly JournalRecord[]> {
  const records: JournalRecord[] = [];
  for (;;) {
    const page = (await durable?.page(source.id, records.length, PAGE)) ?? [];
    records.push(...page);
    if (page.length < PAGE) break;
  }
  if (from === "end") return records;
  if (from === "failure") return records.slice(0, beforeFailure(records));
  if (from.seq <= records.length) return records.slice(0, from.seq);
  const message = `the journal has ${records.length} records`;
  throw faults.invalidRequest([{ path: "/from/seq", code: "range", message }]);
}

function beforeFailure(records: readonly JournalRecord[]): number {
  const last = records.findLastIndex(isOfRun);
  const failed = records[last];
  if (failed?.kind !== "call" || failed.ok) return records.length;
  // It is known what came of it, so the call may be begun again.
  const intent = records.slice(0, last).findLastIndex(isOfRun);
  const begun = records[intent];
  const isSame =
    begun?.kind === "intent" &&
    begun.branch === failed.branch &&
    begun.label === failed.label &&
    begun.node === failed.node &&
    begun.visit === failed.visit &&
    begun.attempt === failed.attempt;
  return isSame ? intent : last;
}

/** `next`: the first call that would be made; null: the run would end without one. */
export type Rehearsed = { readonly next: CallKey | null };

type Tried = { readonly source: FoundJob; readonly frame: JsonObject; readonly signal: Cancellation };

/** Runs the program on the records alone. Throws ServiceFault job_not_retryable when they are not of this program. */
export async function rehearsed(
  services: Pick<Services, "gateway">,
  plan: RunPlan,
  records: readonly JournalRecord[],
  tried: Tried,
): Promise<Rehearsed> {
  const end = await rehearsal(services, plan, records, tried, () => {});
  if (end.state === "rehearsed") return { next: end.next };
  if (end.state === "diverged" && !end.answer.ok) throw doesNotFit(tried.source, plan.prepared.ir, end.answer.error);
  return { next: null };
}

/** `told`: what the run comes past, and where it stands at the end. */
export function rehearsal(
  { gateway }: Pick<Services, "gateway">,
  { prepared, entry }: RunPlan,
  records: readonly JournalRecord[],
  { source, frame, signal }: Tried,
  told: (event: DurableEvent) => void,
): Promise<DurableEnd> {
  const journal: RunJournal = { load: async () => ({ records }), append: async () => "kept", keep: () => {} };
  const run = gateway.durable(prepared, {
    label: entry,
    frame,
    inputs: "checked",
    traceId: source.traceId,
    signal,
    journal,
    // A call that may have been made counts as the first that is not answered.
    onUnknown: () => "retry",
    rehearses: true,
    told,
  });
  return run.result;
}

/** With its label as programs write it, for answers. */
export function shownCall(ir: Ir, { label, node, adapter, verb }: CallKey) {
  return { label: labelName(ir, label), node, adapter, verb };
}

function doesNotFit({ id }: FoundJob, ir: Ir, { message, data }: RunError): ServiceFault {
  const { index, path, label, node } = data;
  const place = { label: String(label), id: String(node) };
  const found = ir.nodes.find((one) => one.label === label && one.id === node);
  const where = typeof label === "string" ? ` at ${stepName(ir, found ?? place)}` : "";
  const issue = {
    path: `/from/seq`,
    code: "diverged",
    message: `${message}${where} (record ${String(index)}, ${String(path)})`,
  };
  return new ServiceFault("job_not_retryable", "the journal is not one of this program", {
    issues: [issue],
    job_id: id,
  });
}
