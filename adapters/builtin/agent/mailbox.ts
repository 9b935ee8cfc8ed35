/**
 * A mailbox as the agent adapter sees it, wherever it is kept: tasks go out, results come in. Envelopes are checked before they get
 * here; a mailbox knows lines and bytes only.
 */
import type { CallContext } from "../../../vm/adapter.ts";

export type Task = {
  readonly id: string;
  /** The envelope as one line of JSON in ASCII, without its end. */
  readonly line: string;
  /** The same key means the same task, whatever the envelope says. */
  readonly key: string;
};

export type MailCall = Pick<CallContext, "signal" | "now" | "uuid" | "random">;

export interface Mailbox {
  /** Sends a task once per key, and returns the id under which it went out. */
  send(task: Task, call: MailCall): Promise<string>;
  /** The bytes that were put down as the result of a task. Throws ADAPTER_NOT_FOUND (retryable) and ADAPTER_TOO_LARGE. */
  result(taskId: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>;
}
