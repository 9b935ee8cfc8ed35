/**
 * The side of a moved run that executes it: one run at a time, in slices, with its calls sent to the host. Calls to be reported to the host
 * are sent as they end; the next slice waits until the host has confirmed them, so a guest is never far ahead.
 */

import { createCatalog } from "../../compiler/catalog.ts";
import type { Json } from "../../compiler/json.ts";
import { FatalFailure } from "../errors/failures.ts";
import { keepText } from "../inputs/exact-text.ts";
import { FRAME_CEILING, type Machine } from "../machine/machine.ts";
import type { MachineOptions } from "../machine/options.ts";
import { usageOf } from "../machine/outcome.ts";
import { type CallJournal, openJournal } from "../recording/journal.ts";
import { isPrivate } from "../recording/record.ts";
import { ShownState } from "../recording/shown-state.ts";
import { createTrace } from "../recording/trace.ts";
import type { CallEvent, Clock, HostFacts } from "../run.ts";
import { drive, type Relocate, resume, type Turn } from "../runs/driver.ts";
import { machineCodeOf, newMachine } from "../runs/machine-code.ts";
import { toldOutcome } from "../runs/told-outcome.ts";
import { hotLoops } from "../tier/loops/hot-loops.ts";
import { type TierPolicy, tierPolicyOf } from "../tier/policy.ts";
import type { FromGuest, JournalWish, MovedRun, RunEnd, ToGuest } from "./messages.ts";
import { RemoteSession } from "./remote-session.ts";
import { restore } from "./snapshot.ts";

export type GuestDeps = {
  readonly clock: Clock;
  readonly facts: HostFacts;
  /** Lets messages come in between two slices. */
  readonly turn: Turn;
  readonly post: (message: FromGuest) => void;
};

/** How often usage is sent to the host without calls to report. */
const PAUSE_MS = 50;

/** Takes the messages of the host. */
export function createGuest(deps: GuestDeps): (message: ToGuest) => void {
  let run: GuestRun | null = null;
  return (message) => {
    if (message.kind === "start") {
      run = new GuestRun(message, deps);
      void run.finish();
    } else run?.take(message);
  };
}

class GuestRun {
  readonly #deps: GuestDeps;
  readonly #moved: MovedRun;
  readonly #session: RemoteSession;
  readonly #cancel = new AbortController();
  /** True when calls were reported since the last pause. */
  #told = false;
  #pausedAt: number;
  /** The host has not taken note of the last pause. */
  #unnoted = false;
  #next: (() => void) | null = null;
  readonly #shown: ShownState | undefined;
  #hasShown = false;

  constructor(moved: MovedRun, deps: GuestDeps) {
    this.#moved = moved;
    this.#deps = deps;
    this.#session = new RemoteSession(deps.post, moved.concurrent);
    this.#pausedAt = deps.clock.now();
    if (!moved.shows) return;
    this.#shown = new ShownState();
    this.#shown.onChange = () => {
      this.#hasShown = true;
    };
  }

  take(message: Exclude<ToGuest, MovedRun>): void {
    if (message.kind === "answer") this.#session.answered(message);
    else if (message.kind === "cancel") this.#cancel.abort(message.reason ?? undefined);
    else {
      this.#unnoted = false;
      const next = this.#next;
      this.#next = null;
      next?.();
    }
  }

  async finish(): Promise<void> {
    const { post } = this.#deps;
    try {
      const machine = this.#arrived();
      post(machine === null ? { kind: "refused" } : { kind: "ended", end: await this.#finished(machine) });
    } catch (thrown) {
      post({ kind: "defect", message: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : "unknown" });
    }
  }

  async #finished(machine: Machine): Promise<RunEnd> {
    const { ir, from, finalFrame } = this.#moved;
    await ("state" in from ? resume : drive)(machine, (then) => this.#turn(then), this.#pause);
    if (this.#hasShown) this.#deps.post({ kind: "paused", usage: usageOf(machine), shown: this.#newlyShown() });
    const outcome = toldOutcome(machine, ir, finalFrame);
    const { journal } = machine.options;
    return { outcome: journal?.conclude?.(outcome, ir.checksum) ?? outcome, callTimes: machine.callTimes };
  }

  /** null: the state does not fit, or holds what can only be kept where it was made. */
  #arrived(): Machine | null {
    const machine = this.#restored();
    if (machine !== null && machine.executor === null) machine.hot = hotLoops(machine.program, this.#tier());
    return machine;
  }

  #tier(): TierPolicy | null {
    const { mayBeHot, quantum, frameCeilingBytes: frameCeiling = FRAME_CEILING } = this.#moved;
    return mayBeHot ? tierPolicyOf({ tier: "auto" }, { quantum, frameCeiling }) : null;
  }

  #restored(): Machine | null {
    const { ir, entry, from } = this.#moved;
    const options = this.#machineOptions();
    try {
      const code = machineCodeOf(ir, entry, this.#tier());
      if (!("state" in from)) {
        const { frame, frameText, trace, traceBytes, journal } = from;
        if (frameText !== undefined) keepText(frame, frameText);
        const traced = trace === null ? null : createTrace(trace, { maxBytes: traceBytes });
        return newMachine(code, frame, { ...options, trace: traced, journal: journalOf(journal) });
      }
      const machine = restore(code.program, from.state, options);
      for (const [adapter, times] of from.callTimes) machine.callTimes.set(adapter, [...times]);
      return machine;
    } catch (thrown) {
      if (thrown instanceof FatalFailure) return null;
      throw thrown;
    }
  }

  #machineOptions(): MachineOptions {
    const { limits, frameCeilingBytes, quantum, allowed, allowEnv, traceId, observed, outText } = this.#moved;
    const { clock, facts } = this.#deps;
    return {
      deps: { clock, facts, adapters: new Map(), ...(frameCeilingBytes === undefined ? {} : { frameCeilingBytes }) },
      traceId,
      limits,
      allowed,
      trace: null,
      signal: this.#cancel.signal,
      quantum,
      allowEnv,
      outText,
      shown: this.#shown,
      session: this.#session,
      ...(observed ? { observer: (event) => this.#tell(event) } : {}),
    };
  }

  #tell(event: CallEvent): void {
    this.#told = true;
    try {
      this.#deps.post({ kind: "observed", event });
    } catch {
      // Nested too deeply to be copied: report the call without its values.
      this.#deps.post({ kind: "observed", event: { ...event, args: event.args.map((): Json => null), result: null } });
    }
  }

  readonly #pause: Relocate = (machine) => {
    const now = this.#deps.clock.now();
    if (!this.#told && now - this.#pausedAt < PAUSE_MS) return machine;
    this.#told = false;
    this.#pausedAt = now;
    this.#unnoted = true;
    this.#deps.post({ kind: "paused", usage: usageOf(machine), shown: this.#newlyShown() });
    return machine;
  };

  /** JSON; null: nothing since the last pause. */
  #newlyShown(): string | null {
    if (!this.#hasShown) return null;
    this.#hasShown = false;
    return this.#shown?.text() ?? null;
  }

  #turn(then: () => void): void {
    if (this.#unnoted) this.#next = then;
    else this.#deps.turn(then);
  }
}

function journalOf(wish: JournalWish | null): CallJournal | null {
  if (wish === null) return null;
  const catalog = createCatalog(wish.adapters);
  return openJournal({ ...wish, hashOnly: (adapter, verb) => isPrivate(catalog, adapter, verb) });
}
