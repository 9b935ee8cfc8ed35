/**
 * The side of a worker thread that runs frames of a batch: one after the other, until they are done or have taken long enough, and their
 * answers go back as finished lines. What a failure is called in an answer only the service knows.
 */

import { withBoundedResult } from "../../vm/admission/bounded-result.ts";
import { createFrameRunner, type FrameRunner } from "../../vm/batch/frame-runner.ts";
import { successLine } from "../../vm/batch/result.ts";
import { keepText } from "../../vm/inputs/exact-text.ts";
import { FRAME_CEILING } from "../../vm/machine/machine.ts";
import type { GuestDeps } from "../../vm/offload/guest.ts";
import type { CallEvent } from "../../vm/run.ts";
import { machineCodeOf } from "../../vm/runs/machine-code.ts";
import { ShortRuns } from "../../vm/tier/enter.ts";
import { tierPolicyOf } from "../../vm/tier/policy.ts";
import { thousandths } from "../../vm/values/durations.ts";
import { BatchTally } from "../batch/totals.ts";
import {
  type FrameFailed,
  type FrameProgram,
  type FromFrameGuest,
  PART_MS,
  QUICK_LINE,
  type SentFrame,
  type ToFrameGuest,
} from "./frame-messages.ts";

/** Lines that are held back together. */
const PART_CHARACTERS = 1024 * 1024;

type FrameGuestDeps = Pick<GuestDeps, "clock" | "facts" | "turn"> & {
  readonly post: (message: FromFrameGuest) => void;
};

type Work = { readonly runner: FrameRunner; readonly maxResultBytes: number; calls: CallEvent[] };

/** Takes the messages of the service. */
export function createFrameGuest(deps: FrameGuestDeps): (message: ToFrameGuest) => void {
  let work: Work | null = null;
  let stopping = new AbortController();
  return (message) => {
    if (message.kind === "stop") {
      stopping.abort(message.reason ?? undefined);
      return;
    }
    stopping = new AbortController();
    if (message.program !== null) work = prepared(message.program, deps);
    if (work === null) throw new Error("frames without a program");
    ran(work, message.frames, stopping.signal, deps)
      .then(deps.post)
      .catch((thrown: unknown) =>
        deps.post({ kind: "defect", message: thrown instanceof Error ? thrown.name : "unknown" }),
      );
  };
}

function prepared(program: FrameProgram, { clock, facts, turn }: FrameGuestDeps): Work {
  const {
    ir,
    entry,
    limits,
    allowed,
    allowEnv,
    quantum,
    dryRun = false,
    frameCeilingBytes,
    tier,
    maxResultBytes,
  } = program;
  const bounds = { quantum, frameCeiling: frameCeilingBytes ?? FRAME_CEILING };
  const policy = tier === null ? null : tierPolicyOf({ tier }, bounds);
  const code = machineCodeOf(ir, entry, policy);
  const runner = createFrameRunner({
    code,
    tier,
    short: policy === null || code.executor !== null ? null : new ShortRuns(code.program, null, policy),
    // Frames are checked before they are handed over.
    inputs: null,
    machine: {
      deps: { clock, facts, adapters: new Map(), ...(frameCeilingBytes === undefined ? {} : { frameCeilingBytes }) },
      ...{ limits, allowed, allowEnv, quantum, dryRun },
      observer: (call) => void work.calls.push(call),
      outText: true,
    },
    turn,
    traceId: () => "",
    explain: (error) => error,
  });
  const work: Work = { runner, maxResultBytes, calls: [] };
  return work;
}

async function ran(
  work: Work,
  frames: readonly SentFrame[],
  signal: AbortSignal,
  { clock }: FrameGuestDeps,
): Promise<FromFrameGuest> {
  const { runner, maxResultBytes } = work;
  const tally = new BatchTally();
  const durations: number[] = [];
  const lines: string[] = [];
  const failures: FrameFailed[] = [];
  const until = clock.now() + PART_MS;
  let characters = 0;
  let now: number | null = null;
  work.calls = [];
  for (const { index, frame, text } of frames) {
    if (signal.aborted || (now ?? clock.now()) >= until || characters >= PART_CHARACTERS) break;
    if (text !== undefined) keepText(frame, text);
    const ending = runner.run(frame, "", index, now, signal);
    const end = ending instanceof Promise ? await ending : ending;
    const { outcome, startedAt, endedAt } = end;
    const bounded = withBoundedResult(outcome, maxResultBytes);
    let line = "";
    if (bounded.ok) {
      tally.frameEnded(null, bounded.usage);
      const { out, out_text = JSON.stringify(out), usage } = bounded;
      line = successLine(index, out_text, usage, thousandths(endedAt - startedAt));
    } else failures.push({ at: durations.length, outcome: bounded, ran: outcome.ok });
    durations.push(endedAt - startedAt);
    lines.push(line);
    characters += line.length;
    now = ending instanceof Promise || line.length > QUICK_LINE ? null : endedAt;
  }
  const { usage } = tally;
  return { kind: "ran", durations, lines: lines.join("\n"), failures, usage, calls: work.calls };
}
