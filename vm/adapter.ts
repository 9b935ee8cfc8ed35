/**
 * What the VM knows of an adapter: names, verbs and one function per verb. Concrete adapters live in `adapters/` and are
 * handed to the host; tests hand in mocks of this shape.
 */
import type { EffectTier } from "../compiler/ir/graph.ts";
import type { Json } from "../compiler/json.ts";

export type AdapterContext = {
  /** Aborted when the run is cancelled or a deadline passes. */
  readonly signal: AbortSignal;
  /** Milliseconds until the run's deadline; Infinity without one. */
  remainingMs(): number;
  /** `<trace_id>/<label>/<node>/<visit>`: the same for every Retry attempt of one visit. */
  readonly callId: string;
  /** 1, then 2, 3 … under Retry. */
  readonly attempt: number;
  readonly traceId: string;
};

export type AdapterVerb = {
  /** Canonical spelling. */
  readonly name: string;
  readonly effectTier: EffectTier;
  /** A plain value is taken at once, without a promise; it is validated and copied by the dispatcher. */
  run(args: readonly Json[], context: AdapterContext): unknown;
};

/** An adapter opened for one run. */
export type AdapterInstance = {
  readonly verbs: readonly AdapterVerb[];
  /** Answers verbs that are not in `verbs`. */
  readonly fallback?: (verb: string) => AdapterVerb | undefined;
  close?(): void | Promise<void>;
};

/** A registered adapter: opened lazily, once per run. */
export type Adapter = { readonly name: string; open(): AdapterInstance };
