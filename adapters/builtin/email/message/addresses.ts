/**
 * Addresses: read by the mail library, checked one by one, and only what was checked goes to header and envelope. Domains are compared in
 * lower case and written in ASCII; what stands before the @ is left as it is, as its server alone knows what it means.
 */
import { domainToASCII } from "node:url";
import type { AdapterError } from "../../../../vm/errors/failures.ts";
import { z } from "../../../definition/define.ts";
import { isSingleLine, onOneLine, singleLine } from "../../../definition/one-line.ts";
import { adapterError } from "../../../errors.ts";
import { loadAddressParser } from "../packages.ts";

export type Mailbox = { readonly name: string; readonly address: string };

const MAX_ADDRESS = 254;
const LOCAL_PART = /^[^\s\p{Cc}@"(),:;<>[\\\]]{1,64}$/u;
const DOMAIN = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

/** Text with addresses separated by commas, or a list of them. */
export const addressList = z.union(
  [singleLine(20_000), z.array(singleLine(2_000)).max(1_000)],
  "addresses: text on one line, or a list of such texts",
);
export type AddressList = z.output<typeof addressList>;

/** The addresses of an argument. Throws ADAPTER_BAD_ARGS for an invalid one. */
export async function parseAddresses(given: AddressList | undefined, what: string): Promise<readonly Mailbox[]> {
  if (given === undefined) return [];
  const parse = await loadAddressParser();
  return [given].flat().flatMap((text) => {
    const read = parse(text, { flatten: true });
    if (read.some((one) => hidesAnother(one, text))) throw badAddress(what);
    return read.map((one) => checkedMailbox(one) ?? fail(badAddress(what)));
  });
}

/**
 * The library takes the second of two addresses without a comma for the name of the first, so it would get no mail. A name that is
 * written as one, in quotes, in brackets or before an address in them, may look as it likes.
 */
function hidesAnother(
  { name = "", address = "" }: { readonly name?: string; readonly address?: string },
  text: string,
): boolean {
  if (!name.includes("@")) return false;
  const written = text.replace(/\s/g, "");
  const asName = [`${name}<${address}`, `(${name}`, `"${name}`].map((form) => form.replace(/\s/g, ""));
  return !asName.some((form) => written.includes(form));
}

function fail(error: AdapterError): never {
  throw error;
}

function badAddress(what: string): AdapterError {
  return adapterError("ADAPTER_BAD_ARGS", `${what} contains text that is not an address`, {
    data: { issues: [{ path: `/${what}`, expected: "addresses", got: "other text" }] },
  });
}

/** What a library read, if it is an address that can be used; the name on one line. */
export function checkedMailbox(read: {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
}): Mailbox | undefined {
  const { name = "", address = "" } = read;
  const at = address.lastIndexOf("@");
  const domain = domainToASCII(address.slice(at + 1));
  const local = address.slice(0, at);
  if (at < 1 || !LOCAL_PART.test(local) || !DOMAIN.test(domain) || !isSingleLine(address)) return undefined;
  const folded = `${local}@${domain}`;
  return folded.length > MAX_ADDRESS ? undefined : { name: onOneLine(name), address: folded };
}

export function domainOf({ address }: Mailbox): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** Whether a list of addresses and `*@domain` has this one; no list has all. */
export function admitsRecipient(patterns: readonly string[] | undefined, mailbox: Mailbox): boolean {
  if (patterns === undefined) return true;
  const domain = domainOf(mailbox);
  return patterns.some((pattern) => {
    const at = pattern.lastIndexOf("@");
    if (domainToASCII(pattern.slice(at + 1)) !== domain) return false;
    const local = pattern.slice(0, at);
    return local === "*" || `${local}@${domain}` === mailbox.address;
  });
}

/** As people write it: `Name <address>`. */
export function writtenMailbox({ name, address }: Mailbox): string {
  if (name === "" || name === address) return address;
  const quoted = /[",.:;<>@()[\]\\]/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : name;
  return `${quoted} <${address}>`;
}
