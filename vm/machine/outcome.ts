/** The outcome of a run, read from its machine: usage, result and variables. Only replaces estimated sizes by exact ones. */
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { endedWith } from "../errors/ended-with.ts";
import { resolveSizes } from "../memory/accounting.ts";
import { adopt } from "../memory/copy-in.ts";
import type { Outcome, Usage } from "../run.ts";
import type { AdapterUsage } from "../usage.ts";
import type { Machine } from "./machine.ts";

/** `now`: the clock's time, for a caller that has read it already. */
export function usageOf(m: Machine, now = m.options.deps.clock.now()): Usage {
  if (isSizeReported(m) && m.lastFrameBytes === null) resolveSizes(m);
  return usageWith(m, now);
}

function isSizeReported(m: Machine): boolean {
  return m.options.limits.max_frame_bytes !== undefined;
}

function usageWith(m: Machine, now: number): Usage {
  const bytes = m.lastFrameBytes ?? m.frameSize();
  const usage: Usage = {
    steps: m.steps(),
    depth: m.depth,
    adapter_calls: m.calls,
    time_ms: Math.floor(now - m.startedAt),
    frame_bytes: isSizeReported(m) ? Math.max(2, Math.min(bytes, m.frameCap)) : null,
    loop_iters: m.mostIterations(),
  };
  // A run that was taken up again has used what its journal says, also when it calls no adapter any more.
  return withAdapterUsage(usage, m.openSession?.usage ?? m.options.journal?.usage);
}

/** With what the adapters of the run counted; they are where the run began, wherever it ends. */
export function withAdapterUsage(usage: Usage, { llm, shared }: AdapterUsage = {}): Usage {
  const counted = llm === undefined ? usage : { ...usage, llm };
  return shared === undefined ? counted : { ...counted, shared };
}

/** What the run came to; only after its end. Its variables are gone afterwards. */
export function outcomeOf(m: Machine, finalFrame: boolean, now = m.options.deps.clock.now()): Outcome {
  const { trace } = m.options;
  const { entry: label } = m.program;
  const frame = finalFrame ? frameOf(m) : null;
  if (isSizeReported(m) && m.lastFrameBytes === null) m.close();
  const usage = usageWith(m, now);
  const outcome: Outcome =
    m.error === null
      ? { ok: true, out: m.result, label, usage }
      : { ok: false, error: endedWith(m.error), label, usage };
  if (trace === null && frame === null && m.executor === null) return outcome;
  return {
    ...outcome,
    ...m.executor?.told(),
    ...(trace === null ? {} : { trace: trace.finish() }),
    ...(frame === null ? {} : { frame }),
  };
}

/** All set variables, as an independent object; those of the program where a call with its own is under way. */
export function frameOf(m: Machine): JsonObject {
  const object: { [key: string]: Json } = {};
  for (const key of Object.keys(m.extra)) setMember(object, key, adopt(m.extra[key] as Json));
  const [outermost] = m.frames;
  if (outermost !== undefined) {
    for (const [at, slot] of outermost.slots.entries()) {
      setMember(object, m.names[slot] as string, adopt(outermost.values[at] as Json));
    }
    return object;
  }
  for (let slot = 0; slot < m.variables; slot++) {
    const value = m.V[slot];
    if (value !== undefined) setMember(object, m.names[slot] as string, adopt(value));
  }
  return object;
}

/** Names of the set variables, sorted. */
export function setNames(m: Machine): string[] {
  const names = m.frames.length === 0 ? Object.keys(m.extra) : [];
  for (let slot = 0; slot < m.variables; slot++) {
    if (m.V[slot] !== undefined) names.push(m.names[slot] as string);
  }
  return names.sort();
}
