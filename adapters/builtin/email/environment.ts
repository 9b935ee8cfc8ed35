/**
 * The variables EMAIL_… as the account `default`, for operators without a section `email` in their file. The password stays out of it: the
 * account names it as a secret, as accounts of a file do.
 */
import type { JsonObject } from "../../../compiler/json.ts";

/** The secret that stands for the variable of the same name. */
export const PASSWORD_VARIABLE = "EMAIL_PASSWORD";

type Variables = Readonly<Record<string, string | undefined>>;
export type SectionResult =
  /** null: the variables name no server. */
  | { readonly ok: true; readonly section: JsonObject | null }
  | { readonly ok: false; readonly variable: string; readonly message: string };

const STARTTLS_PORTS = { SMTP: 587, IMAP: 143 } as const;

export function emailSection(variables: Variables): SectionResult {
  const given = (name: string): string | undefined => {
    const text = Object.hasOwn(variables, name) ? variables[name]?.trim() : undefined;
    return text === "" ? undefined : text;
  };
  const user = given("EMAIL_USERNAME");
  const from = given("EMAIL_FROM") ?? user;
  const drafts = given("EMAIL_DRAFTS_FOLDER");
  const account: { [member: string]: JsonObject | string } = drafts === undefined ? {} : { drafts };
  let servers = 0;
  for (const protocol of ["SMTP", "IMAP"] as const) {
    const host = given(`EMAIL_${protocol}_HOST`);
    if (host === undefined) continue;
    const variable = `EMAIL_${protocol}_PORT`;
    const written = given(variable);
    if (written !== undefined && !/^[1-9]\d{0,4}$/.test(written))
      return { ok: false, variable, message: "must be the number of a port" };
    const port = written === undefined ? {} : { port: Number(written) };
    const tls = port.port === STARTTLS_PORTS[protocol] ? "starttls" : "implicit";
    const login = user === undefined ? {} : { user, auth_secret: PASSWORD_VARIABLE };
    account[protocol.toLowerCase()] = { host, tls, ...port, ...login };
    servers += 1;
  }
  if (servers === 0) return { ok: true, section: null };
  if (from === undefined) return { ok: false, variable: "EMAIL_FROM", message: "must name the sender" };
  return { ok: true, section: { accounts: { default: { ...account, from } } } };
}
