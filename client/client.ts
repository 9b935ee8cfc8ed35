/** A client of one Weft service, for Node, browsers and whatever else has `fetch`. */
import type {
  AcceptRequest,
  Approval,
  ApprovalPage,
  BatchRequest,
  BulkAction,
  BulkDone,
  BulkEnqueueRequest,
  Capabilities,
  DeadLetterList,
  DecisionRequest,
  DeclineRequest,
  Deployed,
  DeployRequest,
  EnqueueRequest,
  FamilyTree,
  Job,
  JobAccepted,
  JobChanged,
  JobFrame,
  JobList,
  JobResults,
  JobSignalRequest,
  JobState,
  JobStats,
  JobsAccepted,
  JobWaits,
  JournalPage,
  Json,
  LinkMade,
  LinkRequest,
  NextRequest,
  NoticeList,
  OutcomeDecided,
  OutcomeRequest,
  Program,
  ProgramChange,
  ProgramList,
  ProgramRemoved,
  ProgramVersion,
  ProgramVersionList,
  Proposal,
  ProposalList,
  RetryRequest,
  RunRequest,
  SignalAccepted,
  SignalRequest,
} from "./api-types.ts";
import { batchOf, type Frames, type RowOf, type Rows } from "./batch.ts";
import { BeginningsClient } from "./beginnings.ts";
import { RunFailed, WeftError } from "./errors.ts";
import type { JobEvent } from "./job-events.ts";
import { hasReached, type Until } from "./job-states.ts";
import {
  type ApprovalFilter,
  type BatchOptions,
  type DeployOptions,
  type Guarded,
  guarded,
  type JobFilter,
  type Keyed,
  keyed,
  type ProposalFilter,
  type Records,
  type RunAnswer,
  type Shown,
  shownWith,
  type WaitOptions,
} from "./options.ts";
import { at } from "./paths.ts";
import { eventsOf } from "./streams.ts";
import { type Call, Wire, type WireOptions } from "./wire.ts";

const MAX_POLL_S = 30;

/** Every function rejects with WeftError for what the service refuses, and with the reason of `signal` when it fires. */
export class WeftClient extends BeginningsClient {
  readonly #wire: Wire;

  /** Throws TypeError for an address that is not http or https. */
  constructor(options: WireOptions) {
    const wire = new Wire(options);
    super(wire);
    this.#wire = wire;
  }

  /** Runs a program. A program that fails is an answer with `ok: false`. */
  run(request: RunRequest, { key, signal }: Keyed = {}): Promise<RunAnswer> {
    return this.#wire.json("POST", "/run", { body: request, headers: keyed(key), signal, repeatable: true });
  }

  /** The value of a run. Rejects with RunFailed when the program fails. */
  async value(request: RunRequest, options: Keyed = {}): Promise<Json> {
    const answer = await this.run(request, options);
    if (answer.ok) return answer.out;
    throw new RunFailed(answer.error, answer.message, { status: 200, body: answer });
  }

  /**
   * Runs a program with each frame, in requests of some frames each. Results come as they are made, with `index` counted over all frames;
   * a frame that fails is a result with `ok: false`. Frames may be made while results are read. `rows` says what a result has.
   */
  batch<R extends Rows = "full">(
    request: Omit<BatchRequest, "frames">,
    frames: Frames,
    options: BatchOptions & { readonly rows?: R } = {},
  ): AsyncGenerator<RowOf<R>, void> {
    return batchOf<R>(this.#wire, request, frames, options);
  }

  /** Queues a job. */
  enqueue(request: EnqueueRequest, { key, signal }: Keyed = {}): Promise<JobAccepted> {
    return this.#wire.json("POST", "/enqueue", { body: request, headers: keyed(key), signal, repeatable: true });
  }

  /** Queues a job for each frame, all or none. */
  enqueueMany(request: BulkEnqueueRequest, { key, signal }: Keyed = {}): Promise<JobsAccepted> {
    return this.#wire.json("POST", "/enqueue", { body: request, headers: keyed(key), signal, repeatable: true });
  }

  /** A job as it is, or as soon as it is over: after `waitS` seconds at the latest, at most 60. `until: "parked"`: also as soon as it waits. */
  job(id: string, { waitS, until, signal }: Call & Until & { readonly waitS?: number } = {}): Promise<Job> {
    return this.#wire.json("GET", at("result", id), { query: { wait: waitS, until }, signal, repeatable: true });
  }

  /** Results of jobs, at most 1,000: of those at the beginning of the list that are over within `waitS` seconds, at most 60, up to 8 MiB. */
  results(ids: readonly string[], { waitS = 0, signal }: Call & { readonly waitS?: number } = {}): Promise<JobResults> {
    return this.#wire.json("POST", "/results", { body: { job_ids: ids, wait_s: waitS }, signal, repeatable: true });
  }

  /** The job when it is over, whatever came of it, or with `until: "parked"` when it waits. */
  async wait(
    id: string,
    { timeoutMs = Number.POSITIVE_INFINITY, until = "over", signal }: WaitOptions = {},
  ): Promise<Job> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const left = Math.max(0, end - performance.now());
      const job = await this.job(id, {
        waitS: Math.min(MAX_POLL_S * 1000, Math.ceil(left)) / 1000,
        ...(until === "over" ? {} : { until }),
        ...(signal ? { signal } : {}),
      });
      if (hasReached(job.status, until)) return job;
      if (left === 0) throw new WeftError("wait_timeout", `job ${id} was not over in time`);
    }
  }

  /**
   * The events of a job until its end. A stream that breaks is continued after the last event; five breaks without an event between
   * them are `stream_cut`.
   */
  async *events(
    id: string,
    { after = null, signal }: Call & { readonly after?: string | null } = {},
  ): AsyncGenerator<JobEvent, void> {
    let last = after;
    for (let breaks = 0; breaks <= 5; breaks++) {
      const headers = { accept: "text/event-stream", ...(last === null ? {} : { "last-event-id": last }) };
      const response = await this.#wire.open("GET", `${at("result", id)}/events`, {
        headers,
        signal,
        repeatable: true,
      });
      // The job is over and had no further event.
      if (response.status === 204) return;
      try {
        for await (const { id: seen, event, data } of eventsOf(response, signal)) {
          breaks = 0;
          last = seen ?? last;
          yield { event, data } as JobEvent;
          if (event === "end") return;
        }
      } catch (thrown) {
        if (!(thrown instanceof WeftError) || thrown.code !== "stream_cut") throw thrown;
      }
      await this.#wire.pause(breaks, null, signal);
    }
    throw new WeftError("stream_cut", "the stream of events ended again and again before the job did");
  }

  cancel(id: string, { signal }: Call = {}): Promise<JobChanged> {
    return this.#wire.json("DELETE", at("result", id), { signal, repeatable: true });
  }

  /**
   * Queues a new job from one that did not succeed. A durable one may continue after a record, and with another program. `current`: with the version
   * of its program that is current now.
   */
  retry(
    id: string,
    { from = "start", code, ir, current, key, signal }: Keyed & Omit<RetryRequest, "dry_run"> = {},
  ): Promise<JobAccepted> {
    const path = `${at("result", id)}/retry`;
    const body = { from, ...(code == null ? {} : { code }), ...(ir == null ? {} : { ir }) };
    const whole = current === true ? { ...body, current } : body;
    return this.#wire.json("POST", path, { body: whole, headers: keyed(key), signal, repeatable: true });
  }

  /** Sends a signal to a durable job. `key`, or `id` in the request, names it: the same one is not sent twice. */
  signal(
    id: string,
    name: string,
    request: JobSignalRequest = {},
    { key, signal }: Keyed = {},
  ): Promise<SignalAccepted> {
    const path = `${at("result", id)}${at("signals", name)}`;
    return this.#wire.json("POST", path, { body: request, headers: keyed(key), signal, repeatable: true });
  }

  /** Sends a signal to all durable jobs that wait for it under the key in the request. */
  signalKey(name: string, request: SignalRequest, { key, signal }: Keyed = {}): Promise<SignalAccepted> {
    const path = at("signals", name);
    return this.#wire.json("POST", path, { body: request, headers: keyed(key), signal, repeatable: true });
  }

  /** The jobs that belong together with a job, because one of them started the others. */
  family(id: string, { signal }: Call = {}): Promise<FamilyTree> {
    return this.#wire.json("GET", `${at("result", id)}/family`, { signal, repeatable: true });
  }

  /** What a durable job waits for, and what it waited for. */
  waits(id: string, { signal }: Call = {}): Promise<JobWaits> {
    return this.#wire.json("GET", `${at("result", id)}/waits`, { signal, repeatable: true });
  }

  /** The variables that a job begins with: their shapes, or values where the service shows them. */
  frame(id: string, { values = false, signal }: Call & Shown = {}): Promise<JobFrame> {
    return this.#wire.json("GET", `${at("result", id)}/frame`, shownWith(values, signal));
  }

  /** What a job shows of itself, while it runs and later: shapes, or values where the service shows them. */
  state(id: string, { values = false, signal }: Call & Shown = {}): Promise<JobState> {
    return this.#wire.json("GET", `${at("jobs", id)}/state`, shownWith(values, signal));
  }

  /** Records of the journal of a durable job, after record `after`; with values only where the service shows them. */
  journal(id: string, { after, limit, values = false, signal }: Call & Records & Shown = {}): Promise<JournalPage> {
    return this.#wire.json("GET", `${at("result", id)}/journal`, shownWith(values, signal, { after, limit }));
  }

  /** Says what came of a call of unknown outcome. Not repeated after a connection that broke: the second answer would be `outcome_not_asked`. */
  decideOutcome(id: string, decision: OutcomeRequest, { signal }: Call = {}): Promise<OutcomeDecided> {
    return this.#wire.json("POST", `${at("result", id)}/outcome`, { body: decision, signal, repeatable: false });
  }

  /** Questions that jobs put before people; without a filter those that are open. */
  approvals(filter: ApprovalFilter = {}, { signal }: Call = {}): Promise<ApprovalPage> {
    return this.#wire.json("GET", "/approvals", { query: filter, signal, repeatable: true });
  }

  approval(id: string, { signal }: Call = {}): Promise<Approval> {
    return this.#wire.json("GET", at("approvals", id), { signal, repeatable: true });
  }

  /** Decides a question, once. */
  decideApproval(id: string, decision: DecisionRequest, { key, signal }: Keyed = {}): Promise<Approval> {
    const sent = { body: decision, headers: keyed(key), signal, repeatable: true };
    return this.#wire.json("POST", at("approvals", id), sent);
  }

  /** An address under which one person decides once. Not repeated after a connection that broke: there would be two. */
  linkApproval(id: string, request: LinkRequest, { signal }: Call = {}): Promise<LinkMade> {
    return this.#wire.json("POST", `${at("approvals", id)}/links`, { body: request, signal, repeatable: false });
  }

  jobs(filter: JobFilter = {}, { signal }: Call = {}): Promise<JobList> {
    return this.#wire.json("GET", "/jobs", { query: filter, signal, repeatable: true });
  }

  /** Jobs of the last hours, by hour, program and state. */
  jobStats(query: { hours?: number; program?: string } = {}, { signal }: Call = {}): Promise<JobStats> {
    return this.#wire.json("GET", "/jobs/stats", { query, signal, repeatable: true });
  }

  /** What people were notified of, the newest first. */
  notices({ signal }: Call = {}): Promise<NoticeList> {
    return this.#wire.json("GET", "/notices", { signal, repeatable: true });
  }

  cancelJobs(filter: BulkAction, { signal }: Call = {}): Promise<BulkDone> {
    return this.#wire.json("POST", "/jobs/cancel", { body: filter, signal, repeatable: true });
  }

  /** Jobs that failed and were neither retried nor discarded, by program and reason. */
  deadLetters({ signal }: Call = {}): Promise<DeadLetterList> {
    return this.#wire.json("GET", "/dead-letters", { signal, repeatable: true });
  }

  discardJobs(filter: BulkAction, { signal }: Call = {}): Promise<BulkDone> {
    return this.#wire.json("POST", "/jobs/discard", { body: filter, signal, repeatable: true });
  }

  /** Not repeated after a connection that broke: it would retry more jobs. */
  retryJobs(filter: BulkAction, { signal }: Call = {}): Promise<BulkDone> {
    return this.#wire.json("POST", "/jobs/retry", { body: filter, signal, repeatable: false });
  }

  /** Deploys a program as the next version of a name. */
  deploy(
    name: string,
    request: DeployRequest,
    { dryRun = false, next = false, ifVersion, signal }: DeployOptions = {},
  ): Promise<Deployed> {
    const query = { ...(dryRun ? { dry_run: 1 } : {}), ...(next ? { next: 1 } : {}) };
    const headers = guarded(ifVersion);
    return this.#wire.json("PUT", at("programs", name), { query, body: request, headers, signal, repeatable: true });
  }

  /** Puts the next version of a name before a person. Nothing that runs is changed. */
  propose(name: string, request: DeployRequest, { ifVersion, signal }: Guarded = {}): Promise<Proposal> {
    const headers = guarded(ifVersion);
    const query = { propose: 1 };
    return this.#wire.json("PUT", at("programs", name), { query, body: request, headers, signal, repeatable: true });
  }

  proposals(query: ProposalFilter = {}, { signal }: Call = {}): Promise<ProposalList> {
    return this.#wire.json("GET", "/proposals", { query, signal, repeatable: true });
  }

  proposal(id: string, { signal }: Call = {}): Promise<Proposal> {
    return this.#wire.json("GET", at("proposals", id), { signal, repeatable: true });
  }

  /** Not repeated after a connection that broke: the second answer would be `proposal_not_open`. */
  acceptProposal(id: string, request: AcceptRequest, { signal }: Call = {}): Promise<Proposal> {
    return this.#wire.json("POST", `${at("proposals", id)}/accept`, { body: request, signal, repeatable: false });
  }

  /** Not repeated, as `acceptProposal`. */
  declineProposal(id: string, request: DeclineRequest, { signal }: Call = {}): Promise<Proposal> {
    return this.#wire.json("POST", `${at("proposals", id)}/decline`, { body: request, signal, repeatable: false });
  }

  programs(
    query: { readonly limit?: number; readonly cursor?: string; readonly tag?: string; readonly q?: string } = {},
    { signal }: Call = {},
  ): Promise<ProgramList> {
    return this.#wire.json("GET", "/programs", { query, signal, repeatable: true });
  }

  program(name: string, { signal }: Call = {}): Promise<Program> {
    return this.#wire.json("GET", at("programs", name), { signal, repeatable: true });
  }

  versions(name: string, { signal }: Call = {}): Promise<ProgramVersionList> {
    return this.#wire.json("GET", `${at("programs", name)}/versions`, { signal, repeatable: true });
  }

  version(name: string, version: number, { signal }: Call = {}): Promise<ProgramVersion> {
    return this.#wire.json("GET", `${at("programs", name)}/versions/${version}`, { signal, repeatable: true });
  }

  /** Makes an older version current. */
  rollback(name: string, version: number, { ifVersion, signal }: Guarded = {}): Promise<Program> {
    const path = `${at("programs", name)}/rollback`;
    return this.#wire.json("POST", path, { body: { version }, headers: guarded(ifVersion), signal, repeatable: true });
  }

  /** Gives a version next to the current one a share of calls and fires. */
  setNext(name: string, request: NextRequest, { ifVersion, signal }: Guarded = {}): Promise<Program> {
    const headers = guarded(ifVersion);
    return this.#wire.json("PUT", `${at("programs", name)}/next`, { body: request, headers, signal, repeatable: true });
  }

  /** Makes that version current. Not repeated after a connection that broke: the second answer would be `next_invalid`. */
  promoteNext(name: string, version: number, { ifVersion, signal }: Guarded = {}): Promise<Program> {
    const path = `${at("programs", name)}/next/promote`;
    return this.#wire.json("POST", path, { body: { version }, headers: guarded(ifVersion), signal, repeatable: false });
  }

  /** Ends that version: all calls reach the current one. Not repeated, as `promoteNext`. */
  abortNext(name: string, { ifVersion, signal }: Guarded = {}): Promise<Program> {
    const headers = guarded(ifVersion);
    return this.#wire.json("DELETE", `${at("programs", name)}/next`, { headers, signal, repeatable: false });
  }

  changeProgram(name: string, change: ProgramChange, { ifVersion, signal }: Guarded = {}): Promise<Program> {
    const headers = guarded(ifVersion);
    return this.#wire.json("PATCH", at("programs", name), { body: change, headers, signal, repeatable: true });
  }

  /** Not repeated after a connection that broke: the second answer would be `program_not_found`. */
  removeProgram(name: string, { ifVersion, signal }: Guarded = {}): Promise<ProgramRemoved> {
    return this.#wire.json("DELETE", at("programs", name), { headers: guarded(ifVersion), signal, repeatable: false });
  }

  capabilities({ signal }: Call = {}): Promise<Capabilities> {
    return this.#wire.json("GET", "/capabilities", { signal, repeatable: true });
  }
}
