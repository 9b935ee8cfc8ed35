/** What a job called so far: from its journal where it has one, else from its events. */
import { useEffect, useState } from "preact/hooks";
import type { JournalRecord } from "../../data.ts";
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
  /** When it ended, in milliseconds of the run's own clock, which stands still while the job is parked. null: not known. */
  readonly ended: number | null;
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

const eventsOf = (id: string): string => `/result/${encodeURIComponent(id)}/events`;

export const callsOf = (records: readonly JournalRecord[]): readonly JobCall[] => records.flatMap(callOf);

function callOf(record: JournalRecord): JobCall[] {
  const { seq, kind, adapter = "", verb = "", label = "", node = "", ok = null, ms = 0, branch = "" } = record;
  if (kind !== "call" && kind !== "wait") return [];
  return [{ seq, kind, adapter, verb, label, node, ok, ms, ended: record.active_ms, branch }];
}

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
  return { ...call, kind: "call", label, node, ok: status === "ok", ms, ended: null, branch };
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
