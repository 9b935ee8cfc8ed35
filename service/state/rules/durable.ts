/** All rules about durable jobs, by name. */
import { approvalChanges, approvalReads } from "./approvals.ts";
import { linkChanges, linkReads } from "./links.ts";
import { signalChanges, signalReads } from "./signals.ts";
import { waitChanges, waitReads } from "./waits.ts";

export const durableReads = { ...approvalReads, ...linkReads, ...signalReads, ...waitReads };
export const durableChanges = { ...approvalChanges, ...linkChanges, ...signalChanges, ...waitChanges };
export const durableRules = { ...durableReads, ...durableChanges };
