/** A runner service as `wf jobs` and `wf trace` talk to it: one request at a time, JSON both ways, and the events of a job. */

import * as z from "zod/mini";
import {
  addressOf,
  asking,
  json,
  MAX_OTHER_BYTES,
  MEBIBYTE,
  refusal,
  tooLarge,
  unreachable,
} from "../session/asking.ts";
import { CliFault } from "../session/faults.ts";
import {
  Decided,
  Frame,
  type JobFrame,
  type JobJournal,
  type JobState,
  type JobWaits,
  Journal,
  Sent,
  State,
  Waits,
} from "./durable.ts";
import { Family, type JobFamily } from "./tree.ts";

const Result = z.looseObject({ ok: z.boolean(), error: z.optional(z.string()), message: z.optional(z.string()) });
const Job = z.looseObject({
  job_id: z.string(),
  status: z.string(),
  label: z.string(),
  attempt: z.number(),
  queued_at: z.string(),
  finished_at: z.optional(z.string()),
  program: z.optional(z.string()),
  version: z.optional(z.number()),
  name: z.optional(z.string()),
  duration_ms: z.optional(z.number()),
  running_ms: z.optional(z.number()),
  waiting_ms: z.optional(z.number()),
  durable: z.optional(z.boolean()),
  error: z.optional(z.string()),
  index: z.optional(z.number()),
  position: z.optional(z.number()),
  held_by: z.optional(z.looseObject({ kind: z.string(), until: z.optional(z.string()) })),
  result: z.optional(Result),
  round: z.optional(z.number()),
  rounds: z.optional(
    z.array(z.looseObject({ round: z.number(), began_at: z.string(), ended_at: z.string(), waited: z.boolean() })),
  ),
});
const Listing = z.object({ jobs: z.array(Job), next_cursor: z.nullable(z.string()) });
const Changed = z.looseObject({ job_id: z.string(), status: z.string() });
const RehearsedJob = z.looseObject({
  records: z.number(),
  next: z.nullable(z.looseObject({ label: z.string(), node: z.string(), adapter: z.string(), verb: z.string() })),
});
const Queued = z.looseObject({ job_id: z.string(), status: z.string(), warnings: z.optional(z.array(z.string())) });
const QueuedMany = z.looseObject({
  job_ids: z.array(z.nullable(z.string())),
  status: z.string(),
  warnings: z.optional(z.array(z.string())),
});
const Version = z.looseObject({
  code: z.optional(z.string()),
  files: z.optional(z.record(z.string(), z.string())),
  main: z.optional(z.string()),
  ir: z.unknown(),
});
const DeadLetters = z.looseObject({
  groups: z.array(
    z.looseObject({
      program: z.nullable(z.string()),
      error: z.string(),
      count: z.number(),
      last_at: z.string(),
      job_id: z.string(),
    }),
  ),
  more: z.boolean(),
});
const Bulk = z.looseObject({
  count: z.number(),
  job_ids: z.array(z.string()),
  new_job_ids: z.optional(z.array(z.string())),
  left: z.array(z.looseObject({ job_id: z.string(), message: z.string() })),
  more: z.boolean(),
});
const Notices = z.looseObject({
  notices: z.array(
    z.looseObject({
      kind: z.string(),
      target: z.string(),
      state: z.string(),
      program: z.nullable(z.string()),
      cause: z.looseObject({ code: z.string() }),
      count: z.number(),
      last_at: z.string(),
      job_id: z.string(),
      error: z.optional(z.string()),
    }),
  ),
});
export type RemoteJob = z.output<typeof Job>;
type RemoteJobs = z.output<typeof Listing>;
type Rehearsed = z.output<typeof RehearsedJob>;
/** `start`, `failure`, or after a record of the journal. */
export type RetryFrom = "start" | "failure" | { readonly seq: number };
type ChangedJob = z.output<typeof Changed>;
/** Jobs in the order of their frames, and all that the service said. */
type QueuedJobs = {
  readonly ids: readonly string[];
  readonly answer: z.output<typeof Queued> | z.output<typeof QueuedMany>;
};
/** Parameters of GET /jobs. */
type JobFilter = Readonly<Record<string, string | undefined>>;

/** The largest result that a service may be set up to give (WF_MAX_RESULT_BYTES), with what stands around it. */
const MAX_ANSWER_BYTES = 272 * MEBIBYTE;
const MAX_EVENT_UNITS = MEBIBYTE;

export interface JobService {
  /** Queues a job; the body is that of POST /enqueue. */
  submit(body: object): Promise<QueuedJobs>;
  /** Queues a job for each frame of the body, all or none. */
  submitMany(body: object): Promise<QueuedJobs>;
  list(filter: JobFilter): Promise<RemoteJobs>;
  /** The job when it is over, or waits where that is asked for, or as it is after `waitS` seconds. */
  get(id: string, waitS: number, until?: "over" | "parked"): Promise<RemoteJob>;
  cancel(id: string): Promise<ChangedJob>;
  /** Queues a new job from one that did not succeed. `current`: from the start, with the version that is current now. */
  retry(id: string, from: RetryFrom | "current"): Promise<ChangedJob>;
  /** Queues a job that takes over the records of another, with another program. */
  migrate(id: string, body: { readonly from: RetryFrom; readonly ir: unknown }): Promise<ChangedJob>;
  /** Where such a job would continue; nothing is queued or made. */
  rehearse(id: string, body: { readonly from: RetryFrom; readonly ir: unknown }): Promise<Rehearsed>;
  /** What a job waits for, and waited for. */
  waits(id: string): Promise<JobWaits>;
  /** The jobs that started each other. */
  family(id: string): Promise<JobFamily>;
  /** The variables that it begins with. */
  frame(id: string, values: boolean): Promise<JobFrame>;
  /** What it shows of itself. */
  state(id: string, values: boolean): Promise<JobState>;
  /** Records after `after`. */
  journal(id: string, after: number, values: boolean): Promise<JobJournal>;
  /** A version of a deployment. */
  version(program: string, version: number): Promise<z.output<typeof Version>>;
  /** Jobs that failed and were neither retried nor discarded. */
  deadLetters(): Promise<z.output<typeof DeadLetters>>;
  /** Retries or discards the jobs that a filter finds. */
  bulk(verb: "retry" | "discard", body: object): Promise<z.output<typeof Bulk>>;
  notices(): Promise<z.output<typeof Notices>>;
  /** To a job, or to all that wait under a key. */
  signal(to: { readonly id: string } | { readonly key: string }, name: string, data: unknown): Promise<SentSignal>;
  /** A person's word on a call of unknown outcome. */
  outcome(id: string, body: object): Promise<ChangedJob>;
}

type SentSignal = z.output<typeof Sent>;

/** `signal` ends whatever is under way. Throws CliFault for an invalid address. */
export function jobService(server: string, signal: AbortSignal): JobService {
  const ask = asking(server, signal);
  return {
    submit: async (body) => {
      const answer = await ask(Queued, "POST", "/enqueue", { body });
      return { ids: [answer.job_id], answer };
    },
    submitMany: async (body) => {
      const answer = await ask(QueuedMany, "POST", "/enqueue", { body });
      return { ids: answer.job_ids.flatMap((id) => id ?? []), answer };
    },
    list: (filter) => {
      const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return ask(Listing, "GET", `/jobs?${new URLSearchParams(given).toString()}`);
    },
    get(id, waitS, until = "over") {
      // A service of an earlier version knows no other end to wait for.
      const query = until === "over" ? "" : `&until=${until}`;
      return ask(Job, "GET", `${at(id)}?wait=${waitS}${query}`, { most: MAX_ANSWER_BYTES });
    },
    cancel: (id) => ask(Changed, "DELETE", at(id)),
    retry: (id, from) =>
      ask(Changed, "POST", `${at(id)}/retry`, { body: from === "current" ? { current: true } : { from } }),
    migrate: (id, body) => ask(Changed, "POST", `${at(id)}/retry`, { body }),
    rehearse: (id, body) => ask(RehearsedJob, "POST", `${at(id)}/retry`, { body: { ...body, dry_run: true } }),
    waits: (id) => ask(Waits, "GET", `${at(id)}/waits`),
    family: (id) => ask(Family, "GET", `${at(id)}/family`),
    frame: (id, values) => ask(Frame, "GET", `${at(id)}/frame${values ? "?values=1" : ""}`),
    state: (id, values) => ask(State, "GET", `/jobs/${encodeURIComponent(id)}/state${values ? "?values=1" : ""}`),
    journal: (id, after, values) =>
      ask(Journal, "GET", `${at(id)}/journal?after=${after}${values ? "&values=1" : ""}`, { most: MAX_ANSWER_BYTES }),
    version: (program, version) => ask(Version, "GET", `/programs/${encodeURIComponent(program)}/versions/${version}`),
    deadLetters: () => ask(DeadLetters, "GET", "/dead-letters"),
    bulk: (verb, body) => ask(Bulk, "POST", `/jobs/${verb}`, { body }),
    notices: () => ask(Notices, "GET", "/notices"),
    signal: (to, name, data) =>
      "id" in to
        ? ask(Sent, "POST", `${at(to.id)}/signals/${encodeURIComponent(name)}`, { body: { data } })
        : ask(Sent, "POST", `/signals/${encodeURIComponent(name)}`, { body: { key: to.key, data } }),
    outcome: (id, body) => ask(Decided, "POST", `${at(id)}/outcome`, { body }),
  };
}

/** One server-sent event; `data` is the JSON of its line. */
export type ServerEvent = { readonly id: string | null; readonly kind: string; readonly data: unknown };

/** The events of a job after the one with this id, until the service ends the stream or the connection breaks. */
export async function* jobEvents(
  server: string,
  id: string,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const { base, headers: credentials } = addressOf(server);
  let response: Response;
  try {
    const last: Readonly<Record<string, string>> = after === null ? {} : { "last-event-id": after };
    response = await fetch(`${base}${at(id)}/events`, { signal, headers: { ...credentials, ...last } });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw unreachable(base);
  }
  // The job is over and had no further event.
  if (response.status === 204) return;
  if (response.status !== 200 || response.body === null)
    throw refusal(base, response.status, await json(base, response, MAX_OTHER_BYTES).catch(() => null));
  try {
    for await (const lines of blocksOf(base, response.body.pipeThrough(new TextDecoderStream()))) {
      const event = eventIn(lines);
      if (event !== null) yield event;
    }
  } catch (cause) {
    // Broken off: the caller comes back with the id it saw last.
    if (signal.aborted || cause instanceof CliFault) throw cause;
  }
}

/** Lines between empty ones. Each unit is looked at once, however the text is cut. Throws CliFault for a block that does not end. */
async function* blocksOf(base: string, chunks: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  let line = "";
  let units = 0;
  for await (const chunk of chunks) {
    const [first = "", ...following] = chunk.split("\n");
    line += first;
    units += first.length;
    for (const next of following) {
      if (line !== "") {
        lines.push(line);
      } else {
        if (lines.length > 0) yield lines;
        lines = [];
        units = 0;
      }
      line = next;
      units += next.length + 1;
    }
    if (units > MAX_EVENT_UNITS) throw tooLarge(base, `an event of more than ${MAX_EVENT_UNITS / MEBIBYTE} MiB`);
  }
}

/** Null for a comment, or for data that is not JSON. */
function eventIn(lines: readonly string[]): ServerEvent | null {
  const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
  const data = fields.get("data");
  if (data === undefined) return null;
  try {
    return { id: fields.get("id") ?? null, kind: fields.get("event") ?? "message", data: JSON.parse(data) };
  } catch {
    return null;
  }
}

const at = (id: string): string => `/result/${encodeURIComponent(id)}`;
