/**
 * The failure that ends a run, as everything outside of it sees it: answers, jobs, logs, spans. A program may fail with a text of 16 Mi units, and
 * an answer has the message twice. Handlers inside of the run see the whole.
 */
import type { RunError } from "../run.ts";

/** Units of a message; the rest is left out and counted. */
const MAX_MESSAGE_UNITS = 65_536;

export function endedWith(error: RunError): RunError {
  const { message } = error;
  if (message.length <= MAX_MESSAGE_UNITS) return error;
  const last = message.charCodeAt(MAX_MESSAGE_UNITS - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? MAX_MESSAGE_UNITS - 1 : MAX_MESSAGE_UNITS;
  return { ...error, message: `${message.slice(0, end)}… (${message.length - end} more characters left out)` };
}
