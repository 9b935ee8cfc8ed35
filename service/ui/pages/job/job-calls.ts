/** What a job called so far: from its journal where it has one, else from its events. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { JobCalls, JournalRecord } from "../../data.ts";
import { useData } from "../../loading.ts";
import { type GraphMarks, placeKey, type StepVisits } from "../../parts/graph/graph-marks.ts";
import { follow } from "../../stream.ts";

export type JobCall = {
  readonly seq: number;
  readonly kind: "call" | "wait";
  readonly adapter: string;
  readonly verb: string;
  readonly label: string;
  readonly node: string;
  /** null: it has not ended. */
  readonly ok: boolean | null;
  readonly ms: number;
  /** When it began, in milliseconds since 1970. null: not known. */
  readonly began: number | null;
  /** A wait that has not ended: `ms` is 0. */
  readonly isOpen?: boolean;
  /** "" outside of branches. */
  readonly branch: string;
};

/** Calls that a job without a journal shows at once. */
const MAX_CALLS = 1000;

/** Of a job without a journal. `over`: nothing is added any more. */
export function useCallEvents(id: string, { durable, over }: { durable: boolean; over: boolean }): readonly JobCall[] {
  const [events, setEvents] = useState<readonly JobCall[]>([]);
  useEffect(() => {
    setEvents([]);
    if (durable) return;
    if (over) return readEvents(id, setEvents);
    const add = (call: JobCall) =>
      setEvents((before) => [...before.filter(({ seq }) => seq !== call.seq), call].slice(-MAX_CALLS));
    return follow(eventsOf(id), { on: { adapter_call: (data) => add(fromEvent(data)) }, last: "end" });
  }, [id, durable, over]);
  return events;
}

/** Arguments in short, as far as the service shows values. */
export type ShortCalls = {
  /** By number of the record. */
  readonly calls: ReadonlyMap<number, string>;
  /** By branch: `probe("north")`. */
  readonly branches: ReadonlyMap<string, string>;
};

/** The service runs the program on its journal for them. */
const SHORT_EVERY_MS = 10_000;

/** `hasCalls`: the journal has some, and they may be shown. `over`: nothing is added any more. */
export function useShortCalls(id: string, { hasCalls, over }: { hasCalls: boolean; over: boolean }): ShortCalls {
  const path = hasCalls ? `/result/${id}/calls?values=1` : null;
  const { data } = useData<JobCalls>(path, over ? null : SHORT_EVERY_MS);
  return useMemo(() => {
    const { calls = [], branches = [] } = data ?? {};
    return {
      calls: new Map(calls.map(({ seq, arguments: args }) => [seq, args])),
      branches: new Map(branches.map((one) => [one.branch, `${one.function}(${one.arguments})`])),
    };
  }, [data]);
}

const eventsOf = (id: string): string => `/result/${encodeURIComponent(id)}/events`;

export function callsOf(records: readonly JournalRecord[]): readonly JobCall[] {
  const { times, woken } = clockOf(records);
  return records.flatMap((record, at) => callOf(record, times[at] ?? 0, woken));
}

/**
 * When each record was written. The run's own clock is exact to the microsecond and stands still while the job is parked; where the job
 * continues, the clock of the store says how long that was.
 */
function clockOf(records: readonly JournalRecord[]) {
  const woken = new Map<string | undefined, number>();
  let apart: number | null = null;
  const times = records.map(({ kind, at, active_ms, wait }) => {
    if (kind === "woken") woken.set(wait, Date.parse(at));
    if (apart === null || kind === "resume") apart = Math.max(apart ?? 0, Date.parse(at) - active_ms);
    return apart + active_ms;
  });
  return { times, woken };
}

function callOf(record: JournalRecord, time: number, woken: ReadonlyMap<string | undefined, number>): JobCall[] {
  const { seq, kind, adapter = "", verb = "", label = "", node = "", ok = null, ms = 0, branch = "", wait } = record;
  const call = { seq, adapter, verb, label, node, ok, branch };
  if (kind === "call") return [{ ...call, kind: kindOf(call), ms, began: time - ms }];
  if (kind !== "wait") return [];
  const ended = woken.get(wait);
  return [{ ...call, kind, ms: Math.max(0, (ended ?? time) - time), began: time, isOpen: ended === undefined }];
}

/** A short sleep is waited for in the process, and is a call like any other in the journal. */
const kindOf = ({ adapter, verb }: { readonly adapter: string; readonly verb: string }): JobCall["kind"] =>
  adapter === "core" && verb === "SLEEP" ? "wait" : "call";

type CallEvent = {
  readonly seq: number;
  readonly adapter: string;
  readonly verb: string;
  readonly label_id: string;
  readonly node_id: string;
  readonly branch?: string;
  readonly status: string;
  readonly duration_ms: number;
};

function fromEvent(data: string): JobCall {
  const { label_id: label, node_id: node, status, duration_ms: ms, branch = "", ...call }: CallEvent = JSON.parse(data);
  return { ...call, kind: kindOf(call), label, node, ok: status === "ok", ms, began: null, branch };
}

/** All that is kept of a job that is over: a stream that is opened anew would begin at its end. */
function readEvents(id: string, set: (calls: readonly JobCall[]) => void): () => void {
  const ended = new AbortController();
  const asked = { headers: { "last-event-id": "0" }, signal: ended.signal };
  fetch(eventsOf(id), asked)
    .then((answer) => answer.text())
    .then((text) => {
      const blocks = text.split("\n\n").filter((block) => /^event: adapter_call$/m.test(block));
      set(blocks.map((block) => fromEvent(/^data: (.*)$/m.exec(block)?.[1] ?? "{}")).slice(-MAX_CALLS));
    })
    .catch(() => {});
  return () => ended.abort();
}

/** How often each step called, for how long, and how often it failed. */
export function visitsOf(calls: readonly JobCall[]): GraphMarks["visits"] {
  const visits = new Map<string, StepVisits>();
  for (const call of calls) {
    const key = placeKey(call);
    const { count, ms, failures } = visits.get(key) ?? { count: 0, ms: 0, failures: 0 };
    visits.set(key, { count: count + 1, ms: ms + call.ms, failures: failures + (call.ok === false ? 1 : 0) });
  }
  return visits;
}
