/** What a job called so far: from its journal where it has one, else from its events. */
import { useEffect, useState } from "preact/hooks";
import type { JournalPage, JournalRecord } from "../../data.ts";
import { useData } from "../../loading.ts";
import { type GraphMarks, placeKey, type StepPlace, type StepVisits } from "../../parts/graph.tsx";

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

/** Records of a journal, or calls, that pages show at once. */
const MAX_CALLS = 1000;
const RECONNECT_MS = 2000;

/** `over`: nothing is added any more. */
export function useJobCalls(id: string, { durable, over }: { durable: boolean; over: boolean }): readonly JobCall[] {
  const journal = useData<JournalPage>(
    durable ? `/result/${id}/journal?limit=${MAX_CALLS}` : null,
    over ? null : undefined,
  );
  const [events, setEvents] = useState<readonly JobCall[]>([]);
  useEffect(() => {
    setEvents([]);
    if (durable) return;
    const add = (call: JobCall) =>
      setEvents((before) => [...before.filter(({ seq }) => seq !== call.seq), call].slice(-MAX_CALLS));
    return over ? readEvents(id, setEvents) : followEvents(id, add);
  }, [id, durable, over]);
  return durable ? (journal.data?.records ?? []).flatMap(callOf) : events;
}

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
  readonly status: string;
  readonly duration_ms: number;
};

function fromEvent(data: string): JobCall {
  const { seq, adapter, verb, label_id: label, node_id: node, status, duration_ms: ms }: CallEvent = JSON.parse(data);
  return { seq, kind: "call", adapter, verb, label, node, ok: status === "ok", ms, ended: null, branch: "" };
}

/** Calls as they happen. The browser reconnects where it left off; where the service answered with an error, a new stream is opened. */
function followEvents(id: string, add: (call: JobCall) => void): () => void {
  let timer = 0;
  let events: EventSource;
  const open = () => {
    events = new EventSource(`/result/${encodeURIComponent(id)}/events`);
    events.addEventListener("adapter_call", ({ data }) => add(fromEvent(data)));
    events.addEventListener("end", () => events.close());
    events.addEventListener("error", () => {
      if (events.readyState === EventSource.CLOSED) timer = window.setTimeout(open, RECONNECT_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    events.close();
  };
}

/** All that is kept of a job that is over: a stream that is opened anew would begin at its end. */
function readEvents(id: string, set: (calls: readonly JobCall[]) => void): () => void {
  const ended = new AbortController();
  const asked = { headers: { "last-event-id": "0" }, signal: ended.signal };
  fetch(`/result/${encodeURIComponent(id)}/events`, asked)
    .then((answer) => answer.text())
    .then((text) => {
      const blocks = text.split("\n\n").filter((block) => /^event: adapter_call$/m.test(block));
      set(blocks.map((block) => fromEvent(/^data: (.*)$/m.exec(block)?.[1] ?? "{}")).slice(-MAX_CALLS));
    })
    .catch(() => {});
  return () => ended.abort();
}

/** What the graph shows of a run. `failed`: where its error was. */
export function marksOf(calls: readonly JobCall[], present: StepPlace | null, failed: StepPlace | null): GraphMarks {
  const visits = new Map<string, StepVisits>();
  for (const call of calls) {
    const key = placeKey(call);
    const { count, ms, failures } = visits.get(key) ?? { count: 0, ms: 0, failures: 0 };
    visits.set(key, { count: count + 1, ms: ms + call.ms, failures: failures + (call.ok === false ? 1 : 0) });
  }
  return { visits, present, failed };
}
