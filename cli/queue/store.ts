/**
 * The store behind the adapter queue, for its operator: where programs find it, under the same policy and settings. Looking at queues
 * and emptying them is no verb of the adapter, so the store is asked itself. What it refuses is a fault of the command.
 */
import { anyQueueName, queueAdapter } from "../../adapters/queue/definition.ts";
import type { StoreCall } from "../../adapters/store/call.ts";
import type { QueueStore } from "../../adapters/store/queue.ts";
import { AdapterSession } from "../../vm/adapter-session.ts";
import { surfaceWord } from "../../vm/error-codes.ts";
import { AdapterError } from "../../vm/errors.ts";
import { operatorLog, type Session } from "../commands/base.ts";
import type { EffectiveGrant } from "../effective-grant.ts";
import { CliFault, EXIT, usageFault } from "../faults.ts";
import { preparedCall } from "../verb-caller.ts";

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
    throw queueFault("the adapter queue is a plugin's here; this command knows the built-in one only");
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
      throw queueFault("no queues are kept: set WF_STATE_DIR, WF_DATABASE_URL or --set queue.path");
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

/** As a failed call of a program is told. */
function refusal({ code, message }: AdapterError): CliFault {
  return new CliFault(message, {
    error: surfaceWord("RUNTIME_ADAPTER_ERROR", { adapter_code: code }),
    exitCode: EXIT.failed,
    members: { adapter_code: code },
  });
}

/** The name of a queue, or of its dead letters. Throws CliFault. */
export function queueNamed(given: string | undefined): string {
  if (given === undefined) throw usageFault("the name of a QUEUE is needed; wf queue ls shows which there are");
  if (anyQueueName.safeParse(given).success) return given;
  throw usageFault("a QUEUE has 1 to 64 letters, digits, '.', '_' or '-'");
}
