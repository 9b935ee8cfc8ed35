/**
 * The address of a runner service as surfaces are given it, with what a proxy in front of the service asks for: `https://TOKEN@host` or
 * `https://user:password@host` (docs/cli.md, environment). Credentials leave the address here, so no message shows them.
 */
import { readUrl } from "../../compiler/read-url.ts";

export type ServiceAddress = {
  /** Without credentials, and without a slash at its end. */
  readonly base: string;
  /** What every request carries. */
  readonly headers: Readonly<Record<string, string>>;
};

/** What may follow `Bearer` (RFC 6750). */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** null: not an http or https address, or its token has a character that a header cannot carry. */
export function readServiceAddress(text: string): ServiceAddress | null {
  const url = readUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const user = decoded(url.username);
  const password = decoded(url.password);
  if (user === "" && password === "") return { base: text.replace(/\/+$/, ""), headers: {} };
  if (password === "" && !TOKEN.test(user)) return null;
  url.username = "";
  url.password = "";
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  return {
    base: url.href.replace(/\/+$/, ""),
    headers: { authorization: password === "" ? `Bearer ${user}` : basic },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
