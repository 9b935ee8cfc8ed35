/**
 * All calls of the database, by name: what is asked of jobs, what queues, moves and forgets them, the keys of requests, and deployments. Each runs inside
 * the transaction of its batch (`batch.ts`).
 */
import type { Database } from "better-sqlite3";
import { restoreChanges } from "../../state/copies/restored.ts";
import type { StorePort } from "../../state/port.ts";
import { durableRules } from "../../state/rules/durable.ts";
import { eventChanges, eventReads } from "../../state/rules/events/all.ts";
import { familyChanges, familyReads } from "../../state/rules/families/all.ts";
import { flowChanges, flowReads } from "../../state/rules/flow/all.ts";
import { deadLetterChanges, deadLetterReads } from "../../state/rules/flow/dead-letters.ts";
import { type QueuedJobs, queueJobs } from "../../state/rules/flow/enqueue.ts";
import { interrupted, jobChanges } from "../../state/rules/job-moves.ts";
import { forgetLinks } from "../../state/rules/links.ts";
import { noticeChanges, noticeReads } from "../../state/rules/notices.ts";
import { forgetPrograms, programChanges } from "../../state/rules/programs/changes.ts";
import { channelChanges } from "../../state/rules/programs/channels.ts";
import { proposalChanges, proposalReads } from "../../state/rules/programs/proposals.ts";
import { programReads } from "../../state/rules/programs/reads.ts";
import { scheduleReads } from "../../state/rules/schedule-reads.ts";
import { scheduleChanges } from "../../state/rules/schedules.ts";
import { shownStateChanges, shownStateReads } from "../../state/rules/shown-states.ts";
import { performed, ruleCalls } from "../../state/sqlite/perform.ts";
import { sqlitePort } from "../../state/sqlite/port.ts";
import type { Step } from "../../state/step.ts";
import type { EnqueueOptions } from "../../state/store.ts";
import { messageLine } from "../../wire/about.ts";
import { acceptedAnswer } from "../answers/bodies.ts";
import { StoreDamaged } from "../durable/journal-rows.ts";
import type { Moment } from "../durable/waits.ts";
import type { Job, KeptJob, Submission } from "../job.ts";
import { RECOVERED_A_ROUND } from "../retention/retention.ts";
import type { Tally } from "./tables/counts.ts";
import { jobMoves } from "./tables/job-moves.ts";
import { jobReads } from "./tables/job-reads.ts";
import { jobRetention } from "./tables/job-retention.ts";
import { preparing } from "./tables/job-rows.ts";
import { journalTables } from "./tables/journal-tables.ts";
import { keyTables } from "./tables/key-tables.ts";
import type { MemoryRooms } from "./tables/memory-bound.ts";
import { queuedJobs } from "./tables/queued-jobs.ts";
import type { TextFiles } from "./tables/text-files.ts";

export type Calls = ReturnType<typeof callsOf>;
export type CallName = keyof Calls;
export type CallInput<N extends CallName> = Parameters<Calls[N]>[0];
export type CallOutput<N extends CallName> = ReturnType<Calls[N]>;

type FlowRequest = EnqueueOptions & Moment & { readonly submission: Submission };
type Recovery = { readonly owner: string; readonly now: number; readonly maxCrashes: number };

/** `rooms`: of a database in memory. */
export function callsOf(db: Database, files: TextFiles, tally: Tally, rooms: MemoryRooms | null) {
  const sql = preparing(db);
  db.function("weft_message", { deterministic: true }, (text) => messageLine(text as string | null));
  const keys = keyTables(db, files, rooms?.keys ?? null);
  const reads = jobReads(sql, files, tally);
  const { ended, ...retention } = jobRetention(sql, files, tally, rooms?.jobs ?? null);
  const probe = db.prepare("INSERT OR REPLACE INTO probe (id, at_ms) VALUES (1, ?)");
  const journal = journalTables(sql);
  const moves = jobMoves(sql, files, tally, rooms?.queue ?? null, ended);
  const queue = queuedJobs(sql, files, tally, keys, rooms?.queue ?? null);
  const room = rooms?.queue ?? null;
  const port = sqlitePort({
    sql,
    tally,
    journal: journal.journal,
    moves: moves.rules,
    files,
    room,
    enqueue: queue.enqueue,
  });
  return {
    ...reads,
    ...retention,
    ...queue,
    ...moves.calls,
    ...ruleCalls(jobChanges, sql, port),
    ...ruleCalls(durableRules, sql, port),
    ...ruleCalls(noticeReads, sql, port),
    ...ruleCalls(noticeChanges, sql, port),
    ...ruleCalls(deadLetterReads, sql, port),
    ...ruleCalls(deadLetterChanges, sql, port),
    ...ruleCalls(shownStateReads, sql, port),
    ...ruleCalls(shownStateChanges, sql, port),
    ...ruleCalls(restoreChanges, sql, port),
    ...ruleCalls(flowReads, sql, port),
    ...ruleCalls(flowChanges, sql, port),
    ...ruleCalls(familyReads, sql, port),
    ...ruleCalls(familyChanges, sql, port),
    ...ruleCalls(eventReads, sql, port),
    ...ruleCalls(eventChanges, sql, port),
    /** Jobs that rules may hold back. */
    enqueueFlow({ submission, most, key, ...moment }: FlowRequest): QueuedJobs {
      const clocks = { now: () => moment.now, wall: () => moment.wall };
      const done = performed(sql, queueJobs({ ...port, ...clocks }, submission, most));
      if (key === null || done.answer.state !== "queued") return done;
      keys.finish({ ...key, answer: acceptedAnswer(submission, done.answer) });
      return done;
    },
    /** Every owner but the one asking is dead. Some of their jobs: all, when there are fewer than RECOVERED_A_ROUND. */
    recover: ({ owner, now, maxCrashes }: Recovery): readonly Job[] =>
      moves.rules
        .abandoned(owner, RECOVERED_A_ROUND)
        .map((job) => performed(sql, recovered(port, job, now, maxCrashes))),
    forgetLinks: ({ now }: { readonly now: number }): void => performed(sql, forgetLinks(now)),
    forgetSignals({ now }: { readonly now: number }): void {
      const gone = sql("DELETE FROM signals WHERE expires_ms <= ? AND key IS NOT NULL RETURNING number")
        .pluck()
        .all(now);
      // Their numbers are given again.
      for (const number of gone) sql("DELETE FROM signal_reads WHERE signal = ?").run(number);
    },
    /** Bytes of queued jobs, where they are bounded. */
    queueRoom: () => (rooms === null ? null : { bytes: rooms.queue.bytes(), maxBytes: rooms.queue.maxBytes }),
    ...journal.calls,
    ...keys,
    ...ruleCalls(programReads, sql, port),
    ...ruleCalls(programChanges, sql, port),
    ...ruleCalls(channelChanges, sql, port),
    ...ruleCalls(proposalReads, sql, port),
    ...ruleCalls(proposalChanges, sql, port),
    forgetPrograms: (): void => performed(sql, forgetPrograms(port)),
    ...ruleCalls(scheduleReads, sql, port),
    ...ruleCalls(scheduleChanges, sql, port),
    /** Removes files that no row names. */
    tidy: (): void => files.tidy((file) => reads.isFileUsed(file) || keys.isKeyFileUsed(file)),
    /** Damage was found by another reader of the file. */
    damaged({ what }: { readonly what: string }): void {
      throw new StoreDamaged(what);
    },
    /** Fails when the files of the store are gone, as every call does, and writes nothing. */
    present: (): void => {},
    probe: ({ now }: { readonly now: number }): void => void probe.run(now),
  };
}

function* recovered(port: StorePort, job: KeptJob, now: number, maxCrashes: number): Step<Job> {
  const key = yield* port.keyOf(job.id);
  return yield* interrupted(port, { job, key: key ?? 0 }, null, now, maxCrashes);
}
