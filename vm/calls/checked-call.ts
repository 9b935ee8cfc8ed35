/** A call whose arguments were checked, before it is made. */
import type { EffectTier } from "../../compiler/ir/graph.ts";
import type { BoundCall } from "../adapter.ts";

export type CheckedCall = {
  readonly adapter: string;
  /** Canonical name. */
  readonly verb: string;
  readonly effectTier: EffectTier;
  readonly bound: BoundCall;
};
