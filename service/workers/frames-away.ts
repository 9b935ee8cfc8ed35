/**
 * Frames of a batch that are run in a worker thread: handed over, told to stop when the batch is, and given up when the thread does not
 * come back in time. Only programs that call nothing but core may go there, so whatever was lost can be run again.
 */
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { capabilitiesOf } from "../../compiler/policy/capabilities-of.ts";
import type { Prepared } from "../../vm/admission/prepare.ts";
import type { FrameRunner } from "../../vm/batch/frame-runner.ts";
import { exactText } from "../../vm/inputs/exact-text.ts";
import type { KillReason } from "../../vm/offload/away.ts";
import type { CallObserver, Cancellation } from "../../vm/run.ts";
import { waitLong } from "../../vm/runs/driver.ts";
import type { FrameItem } from "../batch/frames.ts";
import {
  type FrameProgram,
  type FramesRan,
  type FromFrameGuest,
  PART_MS,
  type SentFrame,
  type ToFrameGuest,
} from "./frame-messages.ts";

/** A thread that runs nothing else until it is given back or killed. */
export interface FramePlace {
  /** What it was sent last. */
  program: FrameProgram | null;
  /** Throws when the message cannot be copied. */
  post(message: ToFrameGuest): void;
  /** `lost`: told once when the thread ended by itself. */
  listen(hear: (message: FromFrameGuest) => void, lost: () => void): void;
  kill(reason: KillReason): void;
  release(): void;
}

/** How long a thread may take to stop after a deadline or a cancellation. */
const GRACE_MS = 250;

type FramesAwayOptions = {
  /** What runs the other frames. */
  readonly runner: FrameRunner;
  readonly observer: CallObserver;
  readonly ir: Ir;
  readonly entry: string;
  readonly maxResultBytes: number;
  /** A free thread; null when all are busy. */
  readonly take: () => FramePlace | null;
};

/** Whether it is the same where, and how often, a program is run: it calls nothing but core, and neither waits nor reads the environment. */
export function runsAnywhere({ ir, gate }: Pick<Prepared, "ir" | "gate">, catalog: AdapterCatalog): boolean {
  return ir.nodes.every(({ op, data }) =>
    capabilitiesOf(op, data, catalog).every(
      ({ adapter, dynamic, effect_tier }) =>
        !dynamic && (adapter === null || (adapter === "core" && effect_tier === "pure" && gate.has("core"))),
    ),
  );
}

function sent(item: FrameItem): SentFrame {
  const text = exactText(item.frame);
  return text === undefined ? item : { ...item, text };
}

export class FramesAway {
  readonly runner: FrameRunner;
  readonly observer: CallObserver;
  readonly #program: FrameProgram;
  readonly #take: () => FramePlace | null;
  #lost = false;

  constructor({ runner, observer, ir, entry, maxResultBytes, take }: FramesAwayOptions) {
    const { deps, limits, allowed, allowEnv, quantum, dryRun = false } = runner.shared;
    const { frameCeilingBytes } = deps;
    this.runner = runner;
    this.observer = observer;
    const around = { frameCeilingBytes, tier: runner.tier, maxResultBytes };
    this.#program = { ir, entry, limits, allowed, allowEnv, quantum, dryRun, ...around };
    this.#take = take;
  }

  /** A free thread; null when all are busy, or one died with frames of this batch. */
  take(): FramePlace | null {
    return this.#lost ? null : this.#take();
  }

  /** What the first of `frames` came to in `place`, which is given back; null: they are lost. */
  async run(place: FramePlace, frames: readonly FrameItem[], signal: Cancellation): Promise<FramesRan | null> {
    const ran = await this.#answer(place, frames, signal);
    if (ran === null) this.#lost = true;
    place.release();
    return ran;
  }

  #answer(place: FramePlace, frames: readonly FrameItem[], signal: Cancellation): Promise<FramesRan | null> {
    const program = this.#program;
    const { runner } = this;
    const { clock } = runner.shared.deps;
    return new Promise((resolve) => {
      const stops: (() => void)[] = [];
      let over = false;
      const end = (ran: FramesRan | null): void => {
        over = true;
        for (const stop of stops) stop();
        signal.removeEventListener("abort", cancel);
        resolve(ran);
      };
      /** What the thread has said already is heard first. */
      const killIn = (ms: number, reason: KillReason): void => {
        const kill = (): void => {
          if (over) return;
          place.kill(reason);
          end(null);
        };
        stops.push(waitLong(clock, ms, () => runner.turn(kill)));
      };
      const cancel = (): void => {
        const { reason } = signal;
        place.post({ kind: "stop", reason: typeof reason === "string" ? reason : null });
        killIn(GRACE_MS, "cancelled");
      };
      place.listen(
        (message) => end(message.kind === "ran" ? message : null),
        () => end(null),
      );
      try {
        place.post({ kind: "frames", program: place.program === program ? null : program, frames: frames.map(sent) });
        place.program = program;
      } catch {
        // Nested too deeply to be copied.
        end(null);
        return;
      }
      const { max_time_ms } = program.limits;
      if (max_time_ms !== undefined) killIn(PART_MS + max_time_ms + GRACE_MS, "deadline");
      signal.addEventListener("abort", cancel);
      if (signal.aborted) cancel();
    });
  }
}
