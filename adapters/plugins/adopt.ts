/**
 * A plugin brings its own copy of this library, and with it its own class of errors. Here they become those of the running program, by
 * their shape; everything else that a plugin throws stays a crash.
 */
import type { Json } from "../../compiler/json.ts";
import { isPromise } from "../../vm/calls/session.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import type { AdapterDefinition, VerbDefinition } from "../definition/define.ts";

/** The same definition, whose functions fail with this program's errors. */
export function adopted(definition: AdapterDefinition): AdapterDefinition {
  const { open, check, close } = definition;
  const verbs = Object.entries(definition.verbs).map(([name, verb]): readonly [string, VerbDefinition] => [
    name,
    { ...verb, run: (call) => translated(() => verb.run(call)) },
  ]);
  return {
    ...definition,
    verbs: Object.fromEntries(verbs),
    ...(open === undefined ? {} : { open: (call) => translated(() => open.call(definition, call)) }),
    ...(check === undefined ? {} : { check: async (call) => translated(() => check.call(definition, call)) }),
    ...(close === undefined ? {} : { close: (instance) => close.call(definition, instance) }),
  };
}

function translated<T>(work: () => T): T {
  try {
    const answer = work();
    if (!isPromise(answer)) return answer;
    // The same type: a promise of what it promised.
    return Promise.resolve(answer).catch((thrown: unknown) => {
      throw ownError(thrown);
    }) as T;
  } catch (thrown) {
    throw ownError(thrown);
  }
}

/** The same error as one of this program; anything else as it is. */
function ownError(thrown: unknown): unknown {
  if (thrown instanceof AdapterError || !(thrown instanceof Error) || thrown.name !== "AdapterError") return thrown;
  const { code, retryable, retryAfterMs, data } = thrown as Partial<AdapterError>;
  if (typeof code !== "string") return thrown;
  return new AdapterError(code, thrown.message, {
    retryable: retryable === true,
    retryAfterMs: typeof retryAfterMs === "number" ? retryAfterMs : null,
    data: (data ?? null) as Json,
    cause: thrown,
  });
}
