/**
 * The store of the adapter queue, for its operator, under the same policy and settings as for programs. Listing queues
 * and draining them are not verbs of the adapter, so the store is called directly. What it refuses is a usage error.
 */
import { anyQueueName, queueAdapter } from "../../adapters/builtin/queue/definition.ts";
import type { StoreCall } from "../../adapters/store/call.ts";
import type { QueueStore } from "../../adapters/store/queue.ts";
import { AdapterSession } from "../../vm/calls/session.ts";
import { surfaceWord } from "../../vm/errors/error-codes.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import type { EffectiveGrant } from "../grant/effective-grant.ts";
import { preparedCall } from "../run/verb-caller.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { operatorLog } from "../session/session.ts";

export type Queues = {
  readonly store: QueueStore;
  /** A call of its own time. It is not cancelled, because what a cancelled call did is not known. */
  readonly call: () => StoreCall;
};

const CALL_MS = 15_000;

/** Throws CliFault when policy or settings refuse the adapter, when nothing is kept, and for what the store refuses. */
export async function withQueues<T>(
  { io, screen }: Session,
  grant: EffectiveGrant,
  use: (queues: Queues) => Promise<T>,
): Promise<T> {
  const { prepared } = await preparedCall(grant, queueAdapter.name, "len", ["any"]);
  if ((await grant.runtime.registry.definition(queueAdapter.name)) !== queueAdapter)
    throw queueFault("a plugin replaces the adapter queue; this command supports only the built-in one");
  const { clock, uuid } = io;
  const adapters = new AdapterSession({
    adapters: prepared.adapters,
    clock,
    facts: { uuid, env: () => undefined },
    traceId: uuid(),
    dryRun: false,
  });
  const call = (): StoreCall => {
    const endsAt = clock.now() + CALL_MS;
    return {
      now: () => clock.wall(),
      remainingMs: () => Math.max(0, endsAt - clock.now()),
      signal: new AbortController().signal,
      log: operatorLog(screen),
    };
  };
  try {
    // What the definition opens is a store.
    const store = (await adapters.instanceOf(queueAdapter.name)) as QueueStore;
    if (adapters.warnings.some((warning) => warning.startsWith("queue_not_durable")))
      throw queueFault("no persistent queues: set WF_STATE_DIR, WF_DATABASE_URL or --set queue.path");
    return await use({ store, call });
  } catch (cause) {
    throw cause instanceof AdapterError ? refusal(cause) : cause;
  } finally {
    await adapters.close();
  }
}

function queueFault(message: string): CliFault {
  return new CliFault(message, { error: "queue_error", exitCode: EXIT.usage });
}

/** In the form of a failed call of a program. */
function refusal({ code, message }: AdapterError): CliFault {
  return new CliFault(message, {
    error: surfaceWord("RUNTIME_ADAPTER_ERROR", { adapter_code: code }),
    exitCode: EXIT.failed,
    members: { adapter_code: code },
  });
}

/** The name of a queue, or of its dead letters. Throws CliFault. */
export function queueNamed(given: string | undefined): string {
  if (given === undefined) throw usageFault("missing QUEUE; run `wf queue ls` to list the queues");
  if (anyQueueName.safeParse(given).success) return given;
  throw usageFault("a QUEUE has 1 to 64 letters, digits, '.', '_' or '-'");
}
