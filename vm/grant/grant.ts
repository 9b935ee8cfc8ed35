/**
 * The capability grant: what a run may do. A value of this type is always normalised: names folded, sorted and each once, limits in
 * range, settings of known shape. Only `normalizeGrant`, `mergeGrants` and the profiles make one. Absent means unrestricted,
 * an empty list means nothing at all.
 */
import type { Json } from "../../compiler/json.ts";
import type { Limits } from "../run.ts";
import { RESOURCE_FLOOR } from "./limits.ts";

/** Settings of one adapter, by name. */
export type Constraints = { readonly [setting: string]: Json };

/** What a run may do. */
export type Grant = {
  /** null: no restriction. []: no adapter at all, core included. */
  readonly allowed_adapters: readonly string[] | null;
  readonly forbidden_adapters: readonly string[];
  readonly forbidden_effects: readonly string[];
  readonly forbidden_effect_tiers: readonly string[];
  readonly forbidden_privilege_tiers: readonly string[];
  readonly forbidden_destructive: boolean;
  readonly limits: Limits;
  readonly adapter_constraints: { readonly [adapter: string]: Constraints };
};

export const EMPTY_GRANT: Grant = {
  allowed_adapters: null,
  forbidden_adapters: [],
  forbidden_effects: [],
  forbidden_effect_tiers: [],
  forbidden_privilege_tiers: [],
  forbidden_destructive: false,
  limits: {},
  adapter_constraints: {},
};

/** What a server grants when its operator says nothing. */
export const FLOOR_GRANT: Grant = { ...EMPTY_GRANT, limits: RESOURCE_FLOOR };

/**
 * The value of a setting whose sides cannot both be had, such as two roots of which none contains the other. It absorbs every
 * other value, and no adapter opens with it.
 */
export const CONFLICT: Json = Object.freeze({ $conflict: true });

export function isConflict(value: Json): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value) && Object.hasOwn(value, "$conflict");
}
