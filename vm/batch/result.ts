/**
 * What a batch says of one frame: the line of an answer stream (docs/http.md, POST /batch), whoever writes it. Plain data, so that it can
 * cross threads and be written as it is.
 */
import type { Json } from "../../compiler/json.ts";
import { surfaceWord } from "../error-codes.ts";
import { placedMessage } from "../placed-message.ts";
import type { RunError, Usage } from "../run.ts";
import type { FrameEnd } from "./frame-runner.ts";

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

type FrameResult = RunFacts &
  (
    | { readonly ok: true; readonly out: Json }
    | { readonly ok: false; readonly error: string; readonly message: string; readonly error_structured: RunError }
  );

/** A frame that could not be read: nothing ran. */
export type FrameFault = {
  readonly ok: false;
  readonly error: "invalid_json" | "payload_too_large";
  readonly message: string;
  /** Line of the input, from 1; only of frames that are read from lines. */
  readonly line?: number;
};

/** One thing to do: a frame, or what stands in its place. */
export type BatchItem = { readonly index: number } & (
  | { readonly frame: { readonly [name: string]: Json } }
  | { readonly fault: FrameFault }
);

export function resultOf(index: number, { outcome, startedAt, endedAt, warnings }: FrameEnd): BatchResult {
  const { usage } = outcome;
  const duration_ms = Math.round((endedAt - startedAt) * 1000) / 1000;
  // A plain success is spelled out: spreading costs a good part of a short run.
  if (outcome.ok && warnings.length === 0) return { index, ok: true, out: outcome.out, usage, duration_ms };
  const facts = { usage, duration_ms, ...(warnings.length === 0 ? {} : { warnings }) };
  if (outcome.ok) return { index, ok: true, out: outcome.out, ...facts };
  const { error } = outcome;
  const word = surfaceWord(error.code, error.data);
  return { index, ok: false, error: word, message: placedMessage(error), error_structured: error, ...facts };
}

/** A run that was cut off is no result: its frame is as good as untouched. */
export function wasCancelled({ outcome }: FrameEnd): boolean {
  return !outcome.ok && outcome.error.code === "RUNTIME_CANCELLED";
}
