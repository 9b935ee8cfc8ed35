/**
 * The result of one frame of a batch: the line of an answer stream (docs/http.md, POST /batch) on every surface. Plain data, so that it can
 * cross threads and be written as it is.
 */

import type { Json } from "../../compiler/json.ts";
import { type FailedMembers, failedMembers } from "../answer.ts";
import { outTextOf } from "../inputs/exact-text.ts";
import type { Usage } from "../run.ts";
import { thousandths } from "../values/durations.ts";
import type { FrameEnd } from "./frame-options.ts";

/** What came of one frame. */
export type BatchResult = {
  /** Place of the frame in the input, from 0. */
  readonly index: number;
} & (FrameResult | FrameFault);

type RunFacts = {
  readonly usage: Usage;
  /** Milliseconds with three decimals. */
  readonly duration_ms: number;
  readonly warnings?: readonly string[];
};

type FrameResult = RunFacts & ({ readonly ok: true; readonly out: Json } | ({ readonly ok: false } & FailedMembers));

/** A frame that could not be read: nothing ran. */
export type FrameFault = {
  readonly ok: false;
  readonly error: "invalid_json" | "invalid_request" | "input_invalid" | "payload_too_large";
  readonly message: string;
  /** Line of the input, from 1; only of frames that are read from lines. */
  readonly line?: number;
};

/** One thing to do: a frame, or what stands in its place. */
export type BatchItem = { readonly index: number } /** `warnings`: about the frame; its result has them too. */ & (
  | { readonly frame: { readonly [name: string]: Json }; readonly warnings?: readonly string[] }
  | { readonly fault: FrameFault }
);

export function resultOf(index: number, { outcome, startedAt, endedAt, warnings }: FrameEnd): BatchResult {
  const duration_ms = thousandths(endedAt - startedAt);
  const ended = outcome.ok ? outcome : failedMembers(outcome.error);
  return frameResult(index, ended, { usage: outcome.usage, duration_ms, warnings });
}

/** The result of a frame that ran, with its members in the order of the contract: every surface writes this. */
export function frameResult(
  index: number,
  ended: { readonly out: Json; readonly out_text?: string | undefined } | FailedMembers,
  { usage, duration_ms, warnings }: RunFacts & { readonly warnings: readonly string[] },
): BatchResult {
  const isPlain = warnings.length === 0 && !("out_text" in ended);
  // A plain success is spelled out: spreading costs a good part of a short run.
  if ("out" in ended && isPlain) return { index, ok: true, out: ended.out, usage, duration_ms };
  const facts = { usage, duration_ms, ...(warnings.length === 0 ? {} : { warnings }) };
  return "out" in ended
    ? { index, ok: true, out: ended.out, ...facts, ...outTextOf(ended) }
    : { index, ok: false, ...ended, ...facts };
}

/** `JSON.stringify` of the result of a plain success; `out` is the text of its value. Writing the figures here takes a third less of a frame's line. */
export function successLine(index: number, out: string, usage: Usage, duration_ms: number): string {
  return `{"index":${index},"ok":true,"out":${out},"usage":${usageText(usage)},"duration_ms":${duration_ms}}`;
}

function usageText(usage: Usage): string {
  const { steps, depth, adapter_calls, time_ms, frame_bytes, loop_iters, llm } = usage;
  if (llm !== undefined) return JSON.stringify(usage);
  return `{"steps":${steps},"depth":${depth},"adapter_calls":${adapter_calls},"time_ms":${time_ms},"frame_bytes":${frame_bytes},"loop_iters":${loop_iters}}`;
}

/** A cancelled run has no result: its frame counts as not run. */
export function wasCancelled({ outcome }: FrameEnd): boolean {
  return !outcome.ok && outcome.error.code === "RUNTIME_CANCELLED";
}
