/**
 * The trace sink: collects the events of one run, keeps the first and the last of them, and cuts large values. Executors only
 * push; the sink never keeps a reference to a value of the run and never fails (docs/runtime.md, trace).
 */
import { type Json, setMember } from "../compiler/json.ts";
import { jsonBytes } from "./frame-size.ts";
import type { TraceOptions } from "./host.ts";
import type { TraceEvent } from "./run.ts";
import { SIZE, type Sized, typeName } from "./values.ts";

const DEFAULT_EVENTS = 10_000;
const DEFAULT_VALUE_BYTES = 8192;
/** Deeper values are shown by size and type only, as large ones are. */
const MAX_VALUE_DEPTH = 512;

type TraceMembers = { readonly [member: string]: Json };

export type TraceSink = {
  /** Executors add `frame_keys` to step events only when this is set. */
  readonly wantsFrameKeys: boolean;
  /** `out`, where given, is cut and copied. */
  push(kind: "step" | "retry" | "error", members: TraceMembers): void;
  /** Adds the `end` event and hands the kept events over, in order. */
  finish(): readonly TraceEvent[];
};

/** Whole milliseconds with three decimals, as trace times are written. */
export function traceTime(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

export function createTrace(options: TraceOptions = {}): TraceSink {
  const most = Math.max(1, Math.trunc(options.max_events ?? DEFAULT_EVENTS));
  const valueBytes = options.max_value_bytes ?? DEFAULT_VALUE_BYTES;
  const headSize = Math.ceil(most / 2);
  const tailSize = most - headSize;
  const head: TraceEvent[] = [];
  const tail: TraceEvent[] = [];
  let total = 0;
  return {
    wantsFrameKeys: options.frame_keys ?? false,
    push(kind, members) {
      const seq = total++;
      const kept = head.length < headSize;
      if (!kept && tailSize === 0) return;
      const event: TraceEvent & { [member: string]: Json } = { seq, kind };
      for (const name in members) {
        const member = members[name] as Json;
        event[name] = name === "out" ? shownValue(member, valueBytes) : member;
      }
      if (kept) head.push(event);
      else tail[(seq - headSize) % tailSize] = event;
    },
    finish() {
      const inTail = total - head.length;
      const start = inTail > tail.length ? inTail % tailSize : 0;
      const kept = [...head, ...tail.slice(start), ...tail.slice(0, start)];
      kept.push({ seq: total, kind: "end", events: total, dropped: total - kept.length });
      return kept;
    },
  };
}

function shownValue(value: Json, limit: number): Json {
  if (value === null || typeof value === "boolean" || typeof value === "number") return value;
  const bytes = sizeOf(value);
  if (bytes > limit) return { $truncated: bytes, type: typeName(value) };
  const copy = copied(value, MAX_VALUE_DEPTH);
  return copy === undefined ? { $truncated: bytes, type: typeName(value) } : copy;
}

/** What the machine has measured already is not walked again: a long list would be, at every step that touches it. */
function sizeOf(value: Json): number {
  const known = typeof value === "object" && value !== null ? (value as Sized)[SIZE] : undefined;
  return known ?? jsonBytes(value);
}

/** undefined: nested deeper than `depth`. */
function copied(value: Json, depth: number): Json | undefined {
  if (value === null || typeof value !== "object") return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const list: Json[] = [];
    for (const element of value) {
      const copy = copied(element, depth - 1);
      if (copy === undefined) return undefined;
      list.push(copy);
    }
    return list;
  }
  const object: { [key: string]: Json } = {};
  for (const [key, member] of Object.entries(value)) {
    const copy = copied(member, depth - 1);
    if (copy === undefined) return undefined;
    setMember(object, key, copy);
  }
  return object;
}
