/**
 * What the VM knows of an adapter: it has verbs, is opened once per run, and answers calls whose arguments it has checked.
 * Concrete adapters live in `adapters/` and are handed to the host ready to use, settings included; tests hand in mocks of this
 * shape. Nothing here knows where an adapter gets its data.
 */
import type { EffectTier } from "../compiler/ir/graph.ts";
import type { Json } from "../compiler/json.ts";
import type { RunBudget } from "./calls/budget.ts";
import type { WaitSpec } from "./calls/wait-spec.ts";
import type { RunDesk } from "./durable/approvals.ts";
import type { AdapterUsage, Charge } from "./usage.ts";

/** One run as its adapters see it. */
export type RunScope = {
  readonly traceId: string;
  /** Called once when the run ends, however it ends; the last registered first. The run's answer waits for it. */
  onEnd(release: () => void | Promise<void>): void;
  /** Adds a warning to the run's answer. */
  warn(text: string): void;
  /** Waits, perhaps for days and in another process. Absent, or undefined for one: this run cannot. */
  readonly wait?: ((spec: WaitSpec) => PromiseLike<Json> | undefined) | undefined;
  /** Questions to people, and signals to others. Absent: this run has none. */
  readonly desk?: RunDesk | undefined;
  /** What adapters count of the run. It outlives an instance that was given up. */
  readonly usage: AdapterUsage;
  /** The run's instance of another adapter, opened when it is not yet; undefined when the run has no such adapter. */
  instanceOf(adapter: string): unknown;
};

/** What one call may know of its run. The frame is not part of it: an adapter sees its arguments and nothing else. */
export type CallContext = {
  /** Aborted when the run is cancelled or ends, or when the call's time is over. */
  readonly signal: AbortSignal;
  /** When the call must be over, in milliseconds of the run's monotonic clock; Infinity without any bound. `extend` moves it. */
  readonly deadlineMs: number;
  /** Milliseconds until then. */
  remainingMs(): number;
  /**
   * Gives the call more time for something that is not its own, such as the start of a process that others will use too; a negative
   * number takes back what was not needed. The run's own time is not extended.
   */
  extend?(ms: number): void;
  /** `<trace_id>/<label>/<node>/<visit>`: the same for every Retry attempt of one visit. */
  readonly callId: string;
  /** 1, then 2, 3 … under Retry. */
  readonly attempt: number;
  readonly traceId: string;
  readonly run: RunScope;
  /** What the run may still use. Absent: in a branch, next to which others use the same. */
  readonly budget?: RunBudget | undefined;
  /** Has the run pay for a job that shared its budget, together with the answer of the call. */
  charge?(used: Charge): void;
  /** Wall time in milliseconds since 1970. */
  now(): number;
  uuid(): string;
  /** A number from 0 up to 1. */
  random(): number;
};

/** A call whose arguments were checked, ready to be made. */
export type BoundCall = {
  /** Most milliseconds the call may take; null: as long as the run may. */
  readonly timeoutMs: number | null;
  /** Most bytes of JSON the answer may have; null: as much as the run can hold. */
  readonly maxResultBytes: number | null;
  /** Making it twice does no harm, so a lost outcome may be retried. */
  readonly repeatable: boolean;
  /** Making it twice with the same call id has one effect, for as long as the other side remembers the id. */
  readonly keyed?: boolean;
  /** It changes nothing although its verb may: a dry run makes it. */
  readonly harmless?: boolean;
  /** A plain value is taken at once, without a promise; the dispatcher checks and copies it. */
  run(instance: unknown, context: CallContext): unknown;
};

/** A verb of an adapter under the settings of one grant. */
export type AdapterVerb = {
  /** Canonical spelling. */
  readonly name: string;
  readonly effectTier: EffectTier;
  /** Arguments that say more than JavaScript's values keep their text (`exact-text.ts`), and a number among them may be an object. Absent: they do not. */
  readonly exact?: boolean;
  /** Checks the arguments before anything happens. Throws AdapterError (ADAPTER_BAD_ARGS). */
  bind(args: readonly Json[]): BoundCall;
};

/** An adapter ready for runs. What `open` returns belongs to one run. */
export type Adapter = {
  readonly name: string;
  /** What the operator has yet to give, as a sentence: no call can be made whatever it asks for. */
  readonly lacks?: string;
  /** Branches of one run may have calls to it at the same time; otherwise they take turns. */
  readonly concurrent?: boolean;
  /** The verb that `word` means, in any spelling; undefined: it has none like it. */
  verb(word: string): AdapterVerb | undefined;
  /** Called at the first call of a run that gets this far; may be a promise. */
  open?(scope: RunScope): unknown;
  close?(instance: unknown): void | Promise<void>;
  /** Health test for operators; rejects when something is wrong. */
  check?(instance: unknown, signal: AbortSignal): Promise<void>;
};

/** The key under which spellings of a verb are the same: letter case and `.` for `_` are folded. */
export function foldVerb(word: string): string {
  const upper = word.toUpperCase();
  return upper.includes(".") ? upper.replaceAll(".", "_") : upper;
}
