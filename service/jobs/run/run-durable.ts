/**
 * Running a durable job: its run takes from the journal what it learned before, and what comes of it is either the end of the job or a
 * reason to leave it to the next one who has it.
 */

import { labelName } from "../../../compiler/ir/references.ts";
import type { EventDesk } from "../../../vm/durable/approvals.ts";
import type { DurableEnd, DurableEvent, DurableRun } from "../../../vm/durable/durable-request.ts";
import type { FamilyDesk } from "../../../vm/durable/families.ts";
import type { JournalRecord, RunJournal } from "../../../vm/durable/records.ts";
import { JournalUnreadable } from "../../../vm/durable/whole-journal.ts";
import { LEFT } from "../../../vm/errors/fatal-failures.ts";
import type { RunAnswer } from "../../../vm/host.ts";
import type { CallEvent, Clock, Usage } from "../../../vm/run.ts";
import { anyOf, Cancelling } from "../../../vm/runs/cancellation.ts";
import { RECORD_COPIES } from "../../run/answer-body.ts";
import { announce, callsOf, concluded, type RunScope } from "../../run/execute.ts";
import type { RunPlan } from "../../run/plan.ts";
import type { Services } from "../../services.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { bodyInTurns } from "../../wire/long-answers.ts";
import type { RunBody } from "../../wire/run-body.ts";
import { endedBody, type InterruptedBecause, type RunSoFar } from "../answers/bodies.ts";
import { type DeskDeps, runDesk } from "../approvals/run-desk.ts";
import { unknownWay } from "../durable/durability.ts";
import type { DurableJobs } from "../durable/durable-store.ts";
import type { NextRound } from "../families/families.ts";
import { chargedFor, type SharedBudget } from "../families/shared-budget.ts";
import type { ClaimedJob, JobOutcome } from "../job.ts";
import { jobFrame, type ReadJob } from "./job-request.ts";
import { untilDone } from "./until-done.ts";

export type DurableScope = RunScope & {
  /** Tells the event stream of the job. */
  readonly onEvent: (kind: "resumed" | "outcome_unknown", data: object) => void;
  /** Called before the job waits. */
  readonly beforePark: () => Promise<void>;
};

/** `left`: the run did not end; `parked`: the store has moved the job already. `records`: to be kept together with the end. */
type DurableRan = {
  readonly outcome: JobOutcome;
  readonly result: string;
  readonly left: boolean;
  readonly parked: boolean;
  readonly records: readonly JournalRecord[];
  /** Why the run was cancelled; absent: it was not. */
  readonly cancelledBy?: string | undefined;
  /** Of a run that came to its end. */
  readonly usage?: Usage;
  /** The next round of the job; absent: none follows. */
  readonly next?: NextRound | undefined;
};

export type RunningJob = {
  readonly ran: Promise<DurableRan>;
  /** The run leaves when its call under way has ended. */
  stop(): void;
};

type Deps = {
  readonly services: Services;
  readonly durable: DurableJobs;
  readonly desk: Pick<DeskDeps, "now" | "notices" | "woken">;
  readonly family?: FamilyOf | undefined;
  readonly events?: EventsOf | undefined;
};

/** `begins`: ends the run, and begins the next round of the job. */
export type FamilyAsking = {
  readonly read: ReadJob;
  readonly plan: RunPlan;
  readonly begins: (next: NextRound) => void;
};

/** What the job may do with those that it starts. */
export type FamilyOf = (job: ClaimedJob, asking: FamilyAsking) => FamilyDesk;

/** What the job may do with events. */
export type EventsOf = (job: ClaimedJob, plan: RunPlan) => EventDesk;

export function runDurable(
  { services, durable, desk, family, events: eventsOf }: Deps,
  job: ClaimedJob,
  { read, plan }: { readonly read: ReadJob; readonly plan: RunPlan },
  scope: DurableScope,
  known: () => RunSoFar | null,
): RunningJob {
  const { gateway, metrics, events, clock, config, maxResultBytes } = services;
  const { trace, context, signal, onProgress } = scope;
  const label = labelName(plan.prepared.ir, plan.entry);
  announce(services, plan, context, label, false);
  let run: DurableRun | null = null;
  let next: NextRound | undefined;
  const isOver = new Cancelling();
  const begins = (round: NextRound): void => {
    next = round;
    isOver.abort(LEFT);
  };
  const stopping = new AbortController();
  const { halt } = scope;
  if (halt?.aborted === true) stopping.abort();
  else halt?.addEventListener("abort", () => stopping.abort());

  const told = (event: DurableEvent): void => {
    switch (event.kind) {
      case "resumed":
        events.note("info", "job_resumed", { why: event.why, records: event.records }, context);
        scope.onEvent("resumed", { why: event.why, from_seq: event.fromSeq, replayed: event.records });
        break;
      case "live":
        metrics.runResumed(event.ms);
        break;
      case "outcome_unknown": {
        const { seq, adapter, verb } = event;
        metrics.outcomeUnknown(adapter, verb);
        events.note("warn", "outcome_unknown", { seq, adapter, verb }, context);
        scope.onEvent("outcome_unknown", { seq, adapter, verb });
        break;
      }
      case "snapshot_unused":
        events.note("warn", "snapshot_unused", { reason: event.reason }, context);
    }
  };
  const ran = trace.run({ label, checksum: plan.prepared.ir.checksum }, async (span): Promise<DurableRan> => {
    const { calls, observer } = callsOf(services, scope, (call) => span.adapterCall(call, clock.wall()));
    run = gateway.durable(plan.prepared, {
      label: plan.entry,
      frame: jobFrame(job, read),
      outText: true,
      inputs: "checked",
      trace: plan.trace,
      record: plan.record,
      answerBounds: { maxBytes: maxResultBytes, recordCopies: RECORD_COPIES },
      dryRun: services.dryRun,
      signal,
      halt: scope.halt === undefined ? isOver : anyOf(scope.halt, isOver),
      cleans: scope.cleans,
      // Replayed calls were reported when they were made.
      observer: (call: CallEvent) => {
        if (call.status !== "replayed") observer(call);
      },
      traceId: context.trace_id,
      progress: onProgress,
      shown: scope.shown,
      journal: {
        ...measured(durable.journal(job), job, services, { stopping: stopping.signal, beforePark: scope.beforePark }),
        desk: {
          ...runDesk({ services, durable, ...desk }, job, plan.prepared.ir),
          ...(family === undefined ? {} : { family: family(job, { read, plan, begins }) }),
          ...(eventsOf === undefined ? {} : { events: eventsOf(job, plan) }),
        },
      },
      onUnknown: (adapter, verb) => unknownWay(read.kept.asked["on_unknown"] as never, adapter, verb),
      why: job.why ?? "crash",
      continues: job.resumes > 0,
      owner: job.owner,
      maxJournalBytes: config.jobs.journalMaxBytes,
      lingerMs: config.jobs.lingerMs,
      handsOver: true,
      tellsEnd: read.kept.share !== undefined,
      told,
    });
    if (stopping.signal.aborted) run.stop();
    let end: DurableEnd;
    try {
      end = await run.result;
    } catch (thrown) {
      if (thrown instanceof ServiceFault && AWAY.includes(thrown.error)) return left(job, false);
      if (!(thrown instanceof JournalUnreadable)) throw thrown;
      events.note("error", "journal_unreadable", { reason: thrown.message }, context);
      return interrupted(job, "journal_unreadable", known());
    }
    const finish = (answer: RunAnswer): RunBody => concluded(services, plan, { frame: {} }, scope, span, calls, answer);
    switch (end.state) {
      case "ended": {
        // One that is ended while it is gone through again has used more than that.
        const isCut = end.isBehind && scope.halt?.aborted === true;
        return endedRun(job, finish(end.answer), end.records, services.clock, isCut ? undefined : read.kept.share);
      }
      case "diverged": {
        const body = finish(end.answer);
        const reason = end.inTransaction ? "diverged_in_transaction" : "diverged";
        const shown = { ...JSON.parse(interrupted(job, reason, known()).result), ...structured(body) };
        return { outcome: "interrupted", result: JSON.stringify(shown), left: false, parked: false, records: [] };
      }
      default:
        return {
          ...left(job, end.state === "parked"),
          next: end.state === "left" && end.why === "stopped" ? next : undefined,
        };
    }
  });
  return {
    ran,
    stop() {
      stopping.abort();
      run?.stop();
    },
  };
}

/** What the store says when it cannot give the journal: the next one who has the job asks again. */
const AWAY: readonly string[] = ["store_unavailable", "draining"];

/** The run did not end here. */
function left(job: ClaimedJob, parked: boolean): DurableRan {
  const result = endedBody(job.traceId, "interrupted");
  return { outcome: "interrupted", result, left: true, parked, records: [] };
}

async function endedRun(
  job: ClaimedJob,
  body: RunBody,
  records: readonly JournalRecord[],
  clock: Clock,
  share: SharedBudget | undefined,
): Promise<DurableRan> {
  const charged = share === undefined ? {} : { charged: chargedFor(share, body.usage) };
  const usage = { ...body.usage, parked_ms: job.parkedMs, resumes: job.resumes, ...charged };
  const outcome = body.ok ? "succeeded" : outcomeOf(body.error);
  const result = await bodyInTurns({ ...body, usage }, body.ok ? body.out : undefined, clock);
  const cancelledBy = body.ok || body.error !== "cancelled" ? undefined : reasonOf(body);
  return { outcome, result, left: false, parked: false, records, cancelledBy, usage };
}

function reasonOf({ error_structured }: RunBody & { readonly ok: false }): string {
  return String(error_structured.data["reason"]);
}

export function outcomeOf(error: string): JobOutcome {
  if (error === "max_time_ms_exceeded") return "timed_out";
  return error === "cancelled" ? "cancelled" : "failed";
}

function structured(body: RunBody): object {
  return body.ok ? {} : { error_structured: body.error_structured, usage: body.usage };
}

function interrupted(job: ClaimedJob, reason: InterruptedBecause, known: RunSoFar | null): DurableRan {
  const result = endedBody(job.traceId, "interrupted", known ?? undefined, reason);
  return { outcome: "interrupted", result, left: false, parked: false, records: [] };
}

type ParkingJournal = RunJournal & Required<Pick<RunJournal, "park">>;

function parking(journal: ParkingJournal, before: () => Promise<void>): ParkingJournal["park"] {
  return async (...asked) => {
    await before();
    return journal.park(...asked);
  };
}

const NEW_JOURNAL = { records: [], lastSeq: 0, snapshots: [] };

/** The journal, with the figures of its commits. A store that is away when it is loaded is waited for, until the run is to stop. */
function measured(
  journal: RunJournal,
  { attempt, resumes, why }: ClaimedJob,
  { metrics, clock }: Pick<Services, "metrics" | "clock">,
  { stopping, beforePark }: { readonly stopping: AbortSignal } & Pick<DurableScope, "beforePark">,
): RunJournal {
  const wait = (ms: number, then: () => void) => clock.wait(ms, then);
  return {
    // Nothing was written for a job that begins.
    load: () =>
      attempt === 1 && resumes === 0 && why === null
        ? Promise.resolve(NEW_JOURNAL)
        : untilDone(() => journal.load(), wait, stopping),
    ...(journal.park === undefined ? {} : { park: parking(journal as ParkingJournal, beforePark) }),
    ...(journal.now === undefined ? {} : { now: journal.now.bind(journal) }),
    ...(journal.isOurs === undefined ? {} : { isOurs: journal.isOurs.bind(journal) }),
    keep: (snapshot) => journal.keep(snapshot),
    async append(records) {
      const began = clock.now();
      const kept = await journal.append(records);
      metrics.journalCommitted(records.length, clock.now() - began);
      return kept;
    },
  };
}
