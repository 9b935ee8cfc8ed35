/**
 * A run that survives its process: it begins at its newest usable snapshot or at its entry, takes from its journal what it learned before,
 * and continues live where the journal ends (docs/durable.md). Knows no store.
 */

import { layoutOf } from "../../compiler/bytecode/encode.ts";
import { FatalFailure } from "../errors/failures.ts";
import { LEFT } from "../errors/fatal-failures.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineOptions } from "../machine/options.ts";
import { usageOf } from "../machine/outcome.ts";
import { restore } from "../offload/snapshot.ts";
import type { BranchMachine } from "../recording/journal.ts";
import type { Cancellation, Clock, RunPlace } from "../run.ts";
import { anyOf, Cancelling } from "../runs/cancellation.ts";
import { drive, resume, type Turn } from "../runs/driver.ts";
import { newMachine } from "../runs/machine-code.ts";
import { placesOf } from "../runs/places.ts";
import type { HostRunRequest, RunAnswer } from "../runs/requests.ts";
import type { SettledRun } from "../runs/settled-run.ts";
import { SEMANTICS } from "../version.ts";
import type { Rehearsal } from "./call-options.ts";
import { DurableCalls } from "./durable-calls.ts";
import type { DurableEnd, DurableRequest, DurableRun } from "./durable-request.ts";
import { failedWhole, left } from "./failures.ts";
import type { CallKey, JournalRecord, Parked, ParkedWait } from "./records.ts";
import { isStorable, isWorthIt, markAt, readSnapshot, SNAPSHOT_RULES, storedSnapshot } from "./stored-snapshot.ts";
import { replaysOf } from "./transactions/lost-transactions.ts";
import { Parking } from "./waits/parking.ts";
import { checkedRecords, isOfOtherVersion } from "./whole-journal.ts";
import { JournalWriter, recordBytes } from "./writer.ts";

export type DurableKit = {
  readonly clock: Clock;
  readonly turn: Turn;
  readonly settle: (request: HostRunRequest) => SettledRun;
};

/** A run that is traced stays in the loop, where its variables can be read. */
const LEAST_TRACE = { max_events: 1 };
const MAX_JOURNAL_BYTES = 64 * 1024 * 1024;

export function startDurable(kit: DurableKit, request: DurableRequest): DurableRun {
  const run = new Durable(kit, request);
  return { result: run.go(), stop: () => run.stop() };
}

class Durable {
  readonly #kit: DurableKit;
  readonly #request: DurableRequest;
  /** Ends the run without an answer. */
  readonly #halt = new Cancelling();
  #left: "stopped" | "stale" | null = null;
  #endStale = (): void => {};
  /** Resolves when the store has refused the run. */
  readonly #stale = new Promise<void>((resolve) => (this.#endStale = resolve));
  #asks: number | null = null;
  #parked: readonly ParkedWait[] | null = null;
  #parking: Parking | null = null;
  #next: CallKey | null = null;
  /** Branches of a rehearsal that have not called anything yet. */
  readonly #unheard = new Set<BranchMachine>();
  #machine: Machine | null = null;
  #places: readonly RunPlace[] | null = null;
  #isCalling: () => boolean = () => false;
  #flush: () => void = () => {};
  #warnings: string[] = [];

  constructor(kit: DurableKit, request: DurableRequest) {
    this.#kit = kit;
    this.#request = request;
  }

  stop(): void {
    this.#left ??= "stopped";
    this.#flush();
    this.#mayLeave();
  }

  async go(): Promise<DurableEnd> {
    const { journal, halt } = this.#request;
    const { records: loaded, snapshots = [], lastSeq } = await journal.load();
    const records = checkedRecords(loaded, lastSeq);
    if (this.#left !== null) return { state: "left", why: this.#left };
    const asked = this.#request.rehearses === true ? { ...this.#request, trace: LEAST_TRACE } : this.#request;
    const settled = this.#kit.settle({ ...asked, halt: anyOfBoth(halt, this.#halt) });
    try {
      if (settled.refused !== null) return { state: "ended", answer: settled.refused, records: [], isBehind: false };
      return await this.#run(settled, records, snapshots);
    } finally {
      settled.close();
    }
  }

  async #run(
    settled: SettledRun,
    records: readonly JournalRecord[],
    snapshots: readonly unknown[],
  ): Promise<DurableEnd> {
    const { clock, turn } = this.#kit;
    const { journal, lingerMs, handsOver = false } = this.#request;
    const last = records.at(-1) ?? null;
    const handed: JournalRecord[] = [];
    const ending = { over: false };
    const writer = new JournalWriter({
      journal: {
        park: (some, waits, isWhole) => journal.park?.(some, waits, isWhole) as Promise<Parked>,
        load: () => journal.load(),
        keep: (one) => journal.keep(one),
        append: async (some) => {
          if (!ending.over) return journal.append(some);
          handed.push(...some);
          return "kept";
        },
      },
      clock,
      lingerMs,
      activeMs: () => Math.max(last?.active_ms ?? 0, this.#machine?.elapsed() ?? 0),
      bytes: records.reduce((sum, record) => sum + recordBytes(record), 0),
      seq: last?.seq ?? 0,
      onStale: () => this.#becameStale(),
    });
    if (journal.park !== undefined) this.#parking = this.#parkingOf(writer);
    try {
      const { m, calls, isRestored } = this.#begun(settled, writer, records, snapshots);
      this.#machine = m;
      this.#isCalling = () => calls.isCalling;
      if (this.#request.shown !== undefined) this.#request.shown.isReplaying = () => calls.replaying;
      this.#flush = () => void writer.commit().catch(() => {});
      this.#tellStart(m, writer, records);
      const step = this.#watched(calls, writer, m);
      const end = await (isRestored ? resume : drive)(m, turn, step);
      const handOver = (): void => {
        ending.over = handsOver;
      };
      return await this.#ended(settled, end, calls, writer, { records: handed, handOver });
    } finally {
      this.#parking?.close();
      writer.close();
    }
  }

  #parkingOf(writer: JournalWriter): Parking {
    return new Parking({
      clock: this.#kit.clock,
      now: () => this.#now(),
      park: (waits, isWhole) => writer.park(waits, isWhole),
      left: (waits) => {
        this.#parked = waits;
        this.#halt.abort(LEFT);
      },
      looked: () => this.#mayLeave(),
    });
  }

  /** The clock of the store. */
  #now(): number {
    return this.#request.journal.now?.() ?? this.#kit.clock.wall();
  }

  /** A run that was asked to stop leaves when no call is under way. */
  #mayLeave(): void {
    if (this.#left !== null && !this.#isCalling()) this.#halt.abort(LEFT);
  }

  /** From the newest usable snapshot, else from the entry. */
  #begun(settled: SettledRun, writer: JournalWriter, records: readonly JournalRecord[], snapshots: readonly unknown[]) {
    const { program } = settled;
    if (program === null) throw new Error("a refused run");
    const { told } = this.#request;
    const lastSeq = records.at(-1)?.seq ?? 0;
    const traced = settled.options.trace !== null;
    for (const stored of traced ? [] : snapshots) {
      const read = readSnapshot(stored, program.machines.program, lastSeq);
      if (!read.ok) {
        told?.({ kind: "snapshot_unused", reason: read.reason });
        continue;
      }
      const { calls, options } = this.#calls(settled, writer, records, read.seq);
      try {
        const m = restore(program.machines.program, read.state, options);
        calls.attach(m);
        calls.takeUp(m);
        return { m, calls, isRestored: true };
      } catch (thrown) {
        if (!(thrown instanceof FatalFailure)) throw thrown;
        told?.({ kind: "snapshot_unused", reason: thrown.message });
      }
    }
    const { calls, options } = this.#calls(settled, writer, records, 0);
    const m = newMachine(program.machines.code, settled.frame, options);
    calls.attach(m);
    return { m, calls, isRestored: false };
  }

  #calls(settled: SettledRun, writer: JournalWriter, records: readonly JournalRecord[], after: number) {
    const { clock } = this.#kit;
    const { onUnknown = () => "fail", told, maxJournalBytes = MAX_JOURNAL_BYTES, record = false } = this.#request;
    const { rehearses = false, tellsEnd = false } = this.#request;
    const calls = new DurableCalls({
      ...replaysOf(records, after),
      writer,
      clock,
      now: () => this.#now(),
      maxBytes: maxJournalBytes,
      onUnknown,
      toldUnknown: (seq, adapter, verb) => told?.({ kind: "outcome_unknown", seq, adapter, verb }),
      hasUnknown: (adapter, verb) => {
        this.#warnings.push(`outcome_unknown: the process ended during ${adapter}.${verb}; it may have acted`);
      },
      askOutcome: (seq) => {
        this.#asks = seq;
        throw left();
      },
      desk: this.#request.journal.desk,
      parking: this.#parking,
      stopped: () => (this.#left === null ? null : left()),
      lost: () => {
        if (this.#request.journal.isOurs?.() ?? true) return null;
        // What it has learned goes to the store, which knows whose the run is.
        this.#left ??= "stopped";
        return left();
      },
      callEnded: () => this.#mayLeave(),
      rehearsal: rehearses ? this.#rehearsal() : null,
      recorder: settled.recorder,
      keepsArguments: record,
      tellsEnd,
      lastAt: records.at(-1)?.at ?? null,
    });
    const options: MachineOptions = { ...settled.options, journal: calls };
    return { calls, options };
  }

  #rehearsal(): Rehearsal {
    const { told } = this.#request;
    const begun = (m: BranchMachine): void => {
      if (this.#unheard.delete(m))
        told?.({ kind: "branch", branch: m.branch.name, begun: m.executor?.begun() ?? null });
    };
    return {
      branch: (m) => this.#unheard.add(m),
      call: (call, branch) => {
        if (branch !== null) begun(branch);
        told?.({ kind: "call", ...call });
      },
      stands: (key, branch) => {
        if (this.#next !== null) return;
        this.#next = key;
        if (this.#machine !== null) this.#places = placesOf(this.#machine, branch);
      },
      over: () => {
        for (const m of this.#unheard) begun(m);
        return left();
      },
    };
  }

  #tellStart(m: Machine, writer: JournalWriter, records: readonly JournalRecord[]): void {
    const { why = "crash", owner = null, told, limits = {}, label, tellsEnd = false } = this.#request;
    const version = { semantics: SEMANTICS, layout: layoutOf(m.program) };
    const last = records.at(-1);
    if (last === undefined) {
      const asked = { label: label ?? m.program.entry, limits };
      const cleans = m.executor === null && !tellsEnd ? {} : { cleans: true as const };
      writer.add({ kind: "start", ...version, ...asked, branches: "apart", ...cleans });
      return;
    }
    writer.add({ kind: "resume", why, owner, ...version });
    // Records of another job may be of another program.
    const newerVersion = why !== "retry" && isOfOtherVersion(records, version);
    if (newerVersion) this.#warnings.push(NEWER);
    told?.({ kind: "resumed", why, records: last.seq, fromSeq: 0, newerVersion });
  }

  /** Called at every suspension and slice end. */
  #watched(calls: DurableCalls, writer: JournalWriter, first: Machine): (m: Machine) => Machine {
    const { journal, snapshots: rules = SNAPSHOT_RULES, progress, told } = this.#request;
    const { clock } = this.#kit;
    let last = markAt(first, writer.seq, writer.bytes);
    const began = clock.now();
    let isLive = !calls.replaying;
    return (m) => {
      progress?.(usageOf(m));
      if (calls.replaying) return m;
      if (!isLive) {
        isLive = true;
        told?.({ kind: "live", ms: clock.now() - began });
      }
      const now = markAt(m, calls.seq, writer.bytes);
      if (calls.isInTransaction || !isStorable(m) || !isWorthIt(m, now, last, rules)) return m;
      last = now;
      const stored = storedSnapshot(m, calls.seq);
      void writer.commit().then(
        () => journal.keep(stored),
        () => {},
      );
      return m;
    };
  }

  async #ended(
    settled: SettledRun,
    m: Machine,
    calls: DurableCalls,
    writer: JournalWriter,
    last: { readonly records: readonly JournalRecord[]; readonly handOver: () => void },
  ): Promise<DurableEnd> {
    if (this.#request.rehearses === true)
      this.#request.told?.({ kind: "stands", places: this.#places ?? placesOf(m, null) });
    if (this.#next !== null && !isDifferent(m)) return { state: "rehearsed", next: this.#next };
    if (this.#parked !== null) return { state: "parked", waits: this.#parked };
    if (this.#asks !== null) {
      await writer.commit();
      return { state: "asks", of: this.#asks };
    }
    if (this.#isStale()) return { state: "left", why: "stale" };
    // A run that came to its end before it noticed keeps its result.
    const isCancelled = m.error?.code === "RUNTIME_CANCELLED" && m.error.data["reason"] === LEFT;
    if (isCancelled) {
      await Promise.race([writer.commit(), this.#stale]);
      return { state: "left", why: this.#left ?? "stopped" };
    }
    const leftover = m.error === null ? calls.leftover() : null;
    if (leftover !== null) m.error = failedWhole(m, leftover);
    const answer = this.#noticed(settled.answer(m));
    if (isDifferent(m)) return { state: "diverged", inTransaction: m.error?.data["in_transaction"] === true, answer };
    // Who hands over gets them at once, and who does not waits for the store.
    last.handOver();
    await Promise.race([writer.commit(), this.#gone()]);
    if (this.#isStale()) return { state: "left", why: "stale" };
    return { state: "ended", answer, records: last.records, isBehind: calls.replaying };
  }

  #noticed(answer: RunAnswer): RunAnswer {
    if (this.#warnings.length === 0) return answer;
    return { ...answer, warnings: [...new Set([...answer.warnings, ...this.#warnings])] };
  }

  #isStale(): boolean {
    return this.#left === "stale";
  }

  #becameStale(): void {
    this.#left = "stale";
    this.#endStale();
    this.#halt.abort(LEFT);
  }

  /** Resolves when the run is no longer ours. */
  #gone(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#halt.aborted) resolve();
      else this.#halt.addEventListener("abort", resolve);
    });
  }
}

/** The journal is not one of this program. */
const isDifferent = (m: Machine): boolean => m.error?.data["journal"] === true;

const NEWER = "resumed_by_newer_version: the run continued under another version, which made the same calls";

function anyOfBoth(given: Cancellation | undefined, halt: Cancelling): Cancellation {
  return given === undefined ? halt : anyOf(given, halt);
}
