/**
 * How a mail server is reached: place, encryption and login of one server section, ready for a mail library. TLS is verified, 1.2 or newer;
 * without TLS only where the operator says so. Secrets are fetched for each connection and not kept.
 */
import { readFile } from "node:fs/promises";
import { type ConnectionOptions, rootCertificates } from "node:tls";
import { adapterError, secretMissing } from "../../errors.ts";
import type { MailServer } from "./settings.ts";

/** Most time to connect, and again to be greeted. */
export const PATIENCE_MS = 10_000;

/** How long a server may take to answer the farewell. */
export const FAREWELL_MS = 300;

export type SecretLookup = (name: string) => Promise<string | undefined>;

export type Login = { readonly user: string } & ({ readonly password: string } | { readonly token: string });

export type Access = {
  readonly host: string;
  readonly port: number;
  readonly encryption: "implicit" | "starttls" | "none";
  readonly tls: ConnectionOptions;
  readonly login: Login | null;
};

const PORTS = { smtp: { implicit: 465, starttls: 587 }, imap: { implicit: 993, starttls: 143 } } as const;

/** Throws ADAPTER_NOT_CONFIGURED when a secret or file is missing. */
export async function accessTo(
  server: MailServer,
  protocol: keyof typeof PORTS,
  secret: SecretLookup,
): Promise<Access> {
  const { host, port = PORTS[protocol][server.tls], allow_plain, ca_file } = server;
  const ca = ca_file === undefined ? {} : { ca: [...rootCertificates, await certificatesIn(ca_file)] };
  return {
    host,
    port,
    encryption: allow_plain ? "none" : server.tls,
    tls: { minVersion: "TLSv1.2", ...ca },
    login: await loginOf(server, secret),
  };
}

async function loginOf({ user, auth_secret, oauth2_secret }: MailServer, secret: SecretLookup): Promise<Login | null> {
  const name = auth_secret ?? oauth2_secret;
  if (user === undefined || name === undefined) return null;
  const text = await secret(name);
  if (text === undefined) throw secretMissing("the secret of the mail account", name);
  return auth_secret === undefined ? { user, token: text } : { user, password: text };
}

async function certificatesIn(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw adapterError("ADAPTER_NOT_CONFIGURED", "ca_file cannot be read", { cause });
  }
}
