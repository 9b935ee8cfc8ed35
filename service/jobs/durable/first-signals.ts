/** Signals that a job is queued with, and what a signal may be at every door. */
import type { Json } from "../../../compiler/json.ts";
import { isReservedName, RESERVED_NAMES } from "../../../vm/durable/waits/signal-names.ts";
import { memberJson } from "../../../vm/inputs/exact-text.ts";
import { isTooLongToWrite } from "../../../vm/values/text.ts";
import type { EnqueueRequestMembers } from "../../schemas/jobs.ts";
import type { Services } from "../../services.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import type { FirstSignal } from "../job.ts";

type Bounds = Pick<Services["config"]["jobs"], "signalMaxBytes">;

/** Its data as JSON. `path`: where its name stands. Throws ServiceFault. */
export function signalData(
  name: string,
  asked: { readonly data?: unknown },
  { signalMaxBytes }: Bounds,
  { path, of }: { readonly path: string; readonly of: "path" | "body" },
): string {
  const data = isTooLongToWrite((asked.data ?? null) as Json) ? null : memberJson(asked, "data");
  if (data === null || Buffer.byteLength(data) > signalMaxBytes)
    throw new ServiceFault("payload_too_large", `the data of a signal may have ${signalMaxBytes} bytes`);
  if (isReservedName(name)) throw faults.invalidRequest([{ path, code: "format", message: RESERVED_NAMES }], of);
  return data;
}

/** `freshId`: for those without an id. Throws ServiceFault. */
export function firstSignals(
  asked: NonNullable<EnqueueRequestMembers["signals"]>,
  bounds: Bounds,
  freshId: () => string,
): readonly FirstSignal[] {
  return asked.map((signal, at) => {
    const { name, id } = signal;
    const data = signalData(name, signal, bounds, { path: `/signals/${at}/name`, of: "body" });
    return { name, data, id: id ?? freshId() };
  });
}
