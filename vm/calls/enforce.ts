/**
 * `auth.enforce`, the call of the Enf step: answered by the runtime from its arguments alone, independent of adapters
 * (docs/adapters/auth.md). It rests on variables that callers can write: a stated rule, no security border.
 */
import type { Json } from "../../compiler/json.ts";
import { AdapterError } from "../errors/failures.ts";
import { textOf } from "../values/text.ts";
import { truthy } from "../values/values.ts";

const AFFIRMATIVE: ReadonlySet<string> = new Set(["1", "true", "yes", "on"]);

export function isEnforce(adapter: string, verb: string): boolean {
  return adapter === "auth" && verb.toLowerCase() === "enforce";
}

/** Arguments: policy name, constraints, `{auth_present, role}`. True, or the violation. */
export function enforce(args: readonly Json[]): true {
  const [policy = null, constraints = null, facts = null] = args;
  const wantsAuth = ["auth", "require_auth"].some((name) =>
    AFFIRMATIVE.has(textOf(member(constraints, name)).toLowerCase()),
  );
  if (wantsAuth && !truthy(member(facts, "auth_present"))) throw violation(policy, "auth required");
  const role = member(constraints, "role");
  if (role !== null && textOf(role) !== textOf(member(facts, "role"))) throw violation(policy, "role mismatch");
  return true;
}

function violation(policy: Json, what: string): AdapterError {
  return new AdapterError("ADAPTER_POLICY_VIOLATION", `POLICY_VIOLATION[${textOf(policy)}]: ${what}`, {
    retryable: false,
  });
}

function member(value: Json, name: string): Json {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  const holder = value as { readonly [key: string]: Json };
  return Object.hasOwn(holder, name) ? (holder[name] ?? null) : null;
}
