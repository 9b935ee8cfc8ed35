/** Signals that a job is queued with, and what a signal may be at every door. */
import type { Json } from "../../../compiler/json.ts";
import { isReservedName, RESERVED_NAMES } from "../../../vm/durable/signal-names.ts";
import { isTooLongToWrite } from "../../../vm/values/text.ts";
import type { EnqueueRequestMembers } from "../../schemas/jobs.ts";
import type { Services } from "../../services.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import type { FirstSignal } from "../job.ts";

type Bounds = Pick<Services["config"]["jobs"], "signalMaxBytes">;

/** `path`: where its name stands. Throws ServiceFault. */
export function checkSignal(
  { name, data }: Pick<FirstSignal, "name" | "data">,
  { signalMaxBytes }: Bounds,
  { path, of }: { readonly path: string; readonly of: "path" | "body" },
): void {
  if (isTooLongToWrite(data) || Buffer.byteLength(JSON.stringify(data)) > signalMaxBytes)
    throw new ServiceFault("payload_too_large", `the data of a signal may have ${signalMaxBytes} bytes`);
  if (isReservedName(name)) throw faults.invalidRequest([{ path, code: "format", message: RESERVED_NAMES }], of);
}

/** `freshId`: for those without an id. Throws ServiceFault. */
export function firstSignals(
  asked: NonNullable<EnqueueRequestMembers["signals"]>,
  bounds: Bounds,
  freshId: () => string,
): readonly FirstSignal[] {
  return asked.map(({ name, data = null, id }, at) => {
    const signal = { name, data: data as Json, id: id ?? freshId() };
    checkSignal(signal, bounds, { path: `/signals/${at}/name`, of: "body" });
    return signal;
  });
}
