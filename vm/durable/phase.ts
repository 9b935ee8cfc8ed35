/**
 * Whether a run is still replayed, for itself and all its branches: nothing is made before everything that its journal answers was taken from
 * it. Until then the clock of the run stands where it stood when the record was written.
 */
import type { Json } from "../../compiler/json.ts";
import type { Machine } from "../machine/machine.ts";
import type { JournalledCall } from "../recording/record-log.ts";
import type { AdapterUsage } from "../usage.ts";
import type { Replay } from "./cursor.ts";
import type { CallKey, ParkedWait } from "./records.ts";

class Phase {
  readonly #replay: Replay;
  #machine: Machine | null = null;
  #isLive: boolean;
  #isStuck = false;

  constructor(replay: Replay) {
    this.#replay = replay;
    this.#isLive = replay.endsAtMs === null;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** Nothing can be replayed, though the journal is not over. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** Clock and time limit of the run follow the journal until it is at its end. */
  attach(m: Machine): void {
    this.#machine = m;
    if (!this.#isLive) m.maxTime = Number.POSITIVE_INFINITY;
  }

  /** A call has taken its record. Branches continue when the last of them has come so far. */
  took(isBranch: boolean): void {
    const { lastTaken, left } = this.#replay;
    if (this.#isLive) return;
    if (lastTaken !== null) this.#machine?.resumeClock(lastTaken.active_ms);
    if (left === 0 && !isBranch) this.#becomesLive();
  }

  /** No branch can run, and `waiting` of them wait for something. */
  stalls(waiting: number): void {
    if (this.#replay.left === 0) this.#becomesLive();
    else if (waiting === 0) this.#isStuck = true;
  }

  #becomesLive(): void {
    if (this.#isLive) return;
    this.#isLive = true;
    const m = this.#machine;
    if (m === null) return;
    if (this.#replay.endsAtMs !== null) m.resumeClock(this.#replay.endsAtMs);
    m.maxTime = Math.min(
      m.options.limits.max_time_ms ?? Number.POSITIVE_INFINITY,
      m.ending?.endsMs ?? Number.POSITIVE_INFINITY,
    );
  }
}

/**
 * A call that is under way. `wait`: that it began before, in another process, or for a person; `came`: what has ended that; `before`: what has ended
 * those before it; `waited`: its answer is in the journal as that of a wait.
 */
export type Open = {
  readonly key: CallKey;
  readonly call: JournalledCall;
  readonly since: number;
  wait: ParkedWait | null;
  readonly came: Json | undefined;
  readonly before: Json[];
  waited: boolean;
  isWaiting: boolean;
};

/** What the branches of a run have in common. */
export type Shared = {
  readonly phase: Phase;
  readonly open: Set<Open>;
  isCleaning: boolean;
  /** Branches of a rehearsal that stand at a call that the journal does not answer. */
  standing: number;
  machine: Machine | null;
  used: AdapterUsage;
};

export function newShared(replay: Replay): Shared {
  const phase = new Phase(replay);
  return { phase, open: new Set(), isCleaning: false, standing: 0, machine: null, used: { ...replay.usage } };
}

/** What is counted of the run by now besides its calls, where a call changed it. */
export function newUsage(of: Shared): { readonly usage?: AdapterUsage } {
  const counted = of.machine?.openSession?.usage;
  // Without a session, nothing was counted since the run was taken up.
  if (counted === undefined) return {};
  const { llm, shared } = counted;
  if (llm === of.used.llm && shared === of.used.shared) return {};
  of.used = { ...(llm === undefined ? {} : { llm }), ...(shared === undefined ? {} : { shared }) };
  return { usage: of.used };
}
