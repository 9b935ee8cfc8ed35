/**
 * Adapters made of plain functions, for hosts that embed the machine and for tests: no schemas, no settings, arguments as the
 * program gave them. What needs more than this is written with `defineAdapter`.
 */
import type { EffectTier } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import { type Adapter, type AdapterVerb, type CallContext, foldVerb, type RunScope } from "../adapter.ts";

/** Gives a value or a promise of one; the dispatcher checks and copies it. */
export type PlainVerb<I = undefined> = (args: readonly Json[], context: CallContext, instance: I) => unknown;

/** What the verbs of a plain adapter share. */
export type PlainAdapterOptions<I> = {
  /** What one run's calls share; called at its first call. */
  readonly open?: (scope: RunScope) => I;
  readonly close?: (instance: I) => void | Promise<void>;
  /** Of every verb; default io-write. */
  readonly effectTier?: EffectTier;
  /** Branches of one run may have calls to it at the same time. */
  readonly concurrent?: boolean;
  /** Whether calls may be made twice without harm; default true. Of durable runs that write, it decides what a crash leaves unknown. */
  readonly repeatable?: boolean;
  /** Answers verbs that are not listed. */
  readonly fallback?: (verb: string) => PlainVerb<I> | undefined;
};

/** An adapter with these verbs, found in any letter case and with `.` for `_`. */
export function plainAdapter<I = undefined>(
  name: string,
  verbs: Readonly<Record<string, PlainVerb<I>>>,
  options: PlainAdapterOptions<I> = {},
): Adapter {
  const { open, close, effectTier = "io-write", repeatable = true, fallback, concurrent = false } = options;
  const known = new Map(Object.entries(verbs).map(([verb, act]) => [foldVerb(verb), madeOf(verb, act)]));
  function madeOf(verb: string, act: PlainVerb<I>): AdapterVerb {
    return {
      name: verb,
      effectTier,
      bind: (args) => ({
        timeoutMs: null,
        maxResultBytes: null,
        repeatable,
        run: (instance, context) => act(args, context, instance as I),
      }),
    };
  }
  return {
    name,
    concurrent,
    verb(word) {
      const listed = known.get(foldVerb(word));
      if (listed !== undefined) return listed;
      const act = fallback?.(word);
      return act === undefined ? undefined : madeOf(word, act);
    },
    ...(open === undefined ? {} : { open }),
    ...(close === undefined ? {} : { close: (instance: unknown) => close(instance as I) }),
  };
}
