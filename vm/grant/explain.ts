/**
 * Which side set a restriction. Computed separately from the merge, so that it cannot change what the
 * merge returns.
 */
import type { RuleSources } from "../../compiler/policy/validate.ts";
import type { LimitKey } from "../run.ts";
import type { Grant } from "./grant.ts";

/** One grant that went into a merge: `request`, `deployment`, `server`, `profile:<name>` or `default`. */
export type Side = {
  readonly source: string;
  readonly grant: Grant;
  /** Not the operator's, although it takes part in every run: it can only narrow, like a request. */
  readonly foreign?: true;
};

export type GrantExplanation = {
  /** Sides that forbid it, the server's first. */
  readonly rule: RuleSources;
  /** Sides whose allowlist lacks the adapter. */
  allowlist(adapter: string): readonly string[];
  /** Sides that have an allowlist. */
  readonly allowlists: readonly string[];
  /** The allowlist that the request has; null: none. Those of other sides are not told. */
  readonly requested: readonly string[] | null;
  /** Sides that forbid what is destructive. */
  readonly destructive: readonly string[];
  /** Sides whose value is the one in force. */
  limit(key: LimitKey): readonly string[];
};

/** `sides` in the order of precedence: the server's before the request's. */
export function explainGrant(sides: readonly Side[]): GrantExplanation {
  const sourcesWhere = (holds: (grant: Grant) => boolean): readonly string[] => [
    ...new Set(sides.filter(({ grant }) => holds(grant)).map(({ source }) => source)),
  ];
  const requested = sides.find(({ source, grant }) => source === "request" && grant.allowed_adapters !== null);
  return {
    allowlists: sourcesWhere((grant) => grant.allowed_adapters !== null),
    requested: requested?.grant.allowed_adapters ?? null,
    destructive: sourcesWhere((grant) => grant.forbidden_destructive),
    rule: (member, value) =>
      sourcesWhere((grant) =>
        member === "forbidden_destructive" ? grant.forbidden_destructive : grant[member].includes(String(value)),
      ),
    allowlist: (adapter) =>
      sourcesWhere((grant) => grant.allowed_adapters !== null && !grant.allowed_adapters.includes(adapter)),
    limit: (key) => {
      const values = sides.map(({ grant }) => grant.limits[key]).filter((value) => value !== undefined);
      const least = Math.min(...values);
      return sourcesWhere((grant) => grant.limits[key] === least);
    },
  };
}
