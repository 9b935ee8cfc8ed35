/** Addresses of servers in settings of the operator, and where credentials may go. */
import { readUrl } from "../../compiler/read-url.ts";
import { z } from "./define.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** An http or https address in which no user stands. */
export const serverUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => new URL(text).username === "" && new URL(text).hash === "", "an address without user and fragment");

export const secretName = z.string().regex(/^[A-Z][A-Z0-9_]*$/, "the name of a secret");

/** Whether credentials that go to this address cannot be read on the way. An invalid address is refused by its own rule. */
export function isSafeForCredentials(address: string): boolean {
  const url = readUrl(address);
  return url === null || url.protocol === "https:" || LOOPBACK.test(url.hostname);
}
