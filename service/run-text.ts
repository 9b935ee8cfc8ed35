/**
 * The JSON of what nearly every run says, put together from its members as text: that takes a quarter of the time of `JSON.stringify`,
 * and a short run takes little more itself. The text is the same to the byte; a property test holds it to that.
 */
import type { RunEnd } from "../adapters/run-events.ts";
import type { Limits, Usage } from "../vm/run.ts";
import type { HttpExchange } from "./events.ts";
import type { JobStatus } from "./jobs/job.ts";
import type { RunBody } from "./run-body.ts";

type Success = Extract<RunBody, { readonly ok: true }>;

export function successText(body: Success): string {
  const { duration_ms, stats, warnings } = body;
  const { compile_ms, run_ms, cache_hit } = stats;
  const head = `{"ok":true,"trace_id":${quoted(body.trace_id)},"label":${labelText(body.label)},"out":${JSON.stringify(body.out)}`;
  const versions = `,"runtime_version":${runtimeText(body.runtime_version)},"ir_version":${versionText(body.ir_version)}`;
  const times = `,"duration_ms":${duration_ms},"adapter_p95_ms":${figuresText(body.adapter_p95_ms)}`;
  const used = `,"usage":${usageText(body.usage)},"limits":${limitsText(body.limits)}`;
  const work = `,"stats":{"compile_ms":${compile_ms},"run_ms":${run_ms},"cache_hit":${cache_hit},"checksum":${checksumText(stats.checksum)}}`;
  const said = warnings.length === 0 ? "[]" : JSON.stringify(warnings);
  return `${head}${versions}${times}${used}${work},"warnings":${said}${askedText(body)}}`;
}

/** `quoted`, which remembers what it was asked last. */
function remembering(): (text: string) => string {
  let last = "";
  let lastText = '""';
  return (text) => {
    if (text === last) return lastText;
    lastText = quoted(text);
    last = text;
    return lastText;
  };
}

/** Each kind of text by itself: requests of one kind follow each other. */
const labelText = remembering();
const runtimeText = remembering();
const versionText = remembering();
const checksumText = remembering();
const methodText = remembering();
const routeText = remembering();

let lastUsage: Usage | null = null;
let lastUsageText = "";

/** Runs of one program mostly use the same. */
function usageText(usage: Usage): string {
  const { steps, depth, adapter_calls, time_ms, frame_bytes, loop_iters } = usage;
  if (lastUsage === null || !isSameUsage(usage, lastUsage)) {
    lastUsage = { ...usage };
    lastUsageText = `{"steps":${steps},"depth":${depth},"adapter_calls":${adapter_calls},"time_ms":${time_ms},"frame_bytes":${frame_bytes},"loop_iters":${loop_iters}}`;
  }
  return lastUsageText;
}

function isSameUsage(one: Usage, other: Usage): boolean {
  return (
    one.steps === other.steps &&
    one.depth === other.depth &&
    one.adapter_calls === other.adapter_calls &&
    one.time_ms === other.time_ms &&
    one.frame_bytes === other.frame_bytes &&
    one.loop_iters === other.loop_iters
  );
}

/** The line of a frame that a batch ran, and that has nothing more to tell. */
export function frameText(index: number, out: unknown, usage: Usage, duration_ms: number): string {
  return `{"index":${index},"ok":true,"out":${JSON.stringify(out)},"usage":${usageText(usage)},"duration_ms":${duration_ms}}`;
}

/** The members of `runCompleteFields`. */
export function runCompleteText({ label, duration_ms, usage }: RunEnd): string {
  const counted = `"steps":${usage.steps},"adapter_calls":${usage.adapter_calls}`;
  return `,"label":${labelText(label)},"duration_ms":${duration_ms},${counted},"usage":${usageText(usage)}`;
}

/** The members of a request that is over. */
export function exchangeText({ method, route, status, duration_ms, bytes_in, bytes_out }: HttpExchange): string {
  const asked = `,"method":${methodText(method)},"route":${routeText(route)},"status":${status}`;
  return `${asked},"duration_ms":${duration_ms},"bytes_in":${bytes_in},"bytes_out":${bytes_out}`;
}

/** The members of a job that moved. `figure`: what was measured, and its name. */
export function jobMoveText(status: JobStatus, attempt: number, figure = "", ms = 0): string {
  const measured = figure === "" ? "" : `,"${figure}":${ms}`;
  return `,"status":"${status}","attempt":${attempt}${measured}`;
}

/** `,"name":value…`; empty without members. */
export function membersText(members: object): string {
  const text = JSON.stringify(members);
  return text === "{}" ? "" : `,${text.slice(1, -1)}`;
}

function figuresText(figures: Success["adapter_p95_ms"]): string {
  for (const _name in figures) return JSON.stringify(figures);
  return "{}";
}

const limitTexts = new WeakMap<Limits, string>();

/** Limits in force are shared between runs, and frozen. */
function limitsText(limits: Limits): string {
  if (!Object.isFrozen(limits)) return JSON.stringify(limits);
  let text = limitTexts.get(limits);
  if (text === undefined) {
    text = JSON.stringify(limits);
    limitTexts.set(limits, text);
  }
  return text;
}

/** What a run tells on request only. */
function askedText({ trace, record, adapter_calls, replay, replay_artifact_id }: Success): string {
  if (trace === undefined && record === undefined && replay === undefined && replay_artifact_id === undefined)
    return "";
  return membersText({ trace, record, adapter_calls, replay, replay_artifact_id });
}

const PLAIN = /^[\w.:/-]*$/;

/** A text as JSON. Ids and versions need no escapes. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
