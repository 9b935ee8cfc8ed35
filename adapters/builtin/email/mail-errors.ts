/**
 * What mail servers and connections say, as errors of an adapter. Their texts can hold addresses, subjects and host names, so none of it
 * is passed on: numbers and words of our own only.
 */
import { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";

/** What the mail libraries put on their errors. */
type MailFault = {
  readonly code?: string;
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly command?: string;
  readonly rejectedErrors?: readonly MailFault[];
  readonly authenticationFailed?: boolean;
  readonly serverResponseCode?: string;
  readonly responseStatus?: string;
};

function faultOf(thrown: unknown): MailFault {
  return thrown instanceof Error ? (thrown as MailFault) : {};
}

/** `undecided`: the server may have taken the message although the call failed. */
export function smtpFailure(thrown: unknown, undecided: boolean): AdapterError {
  if (thrown instanceof AdapterError) return thrown;
  const fault = faultOf(thrown);
  const status = statusOf(fault);
  if (fault.code === "ETLS") return connectionFailure(thrown, undecided);
  if (status === undefined) return localFailure(thrown, fault, undecided);
  const data = { smtp_code: status };
  if (status < 500)
    return adapterError("ADAPTER_UNAVAILABLE", "the mail server asks to try later", { data, cause: thrown });
  if (fault.code === "EAUTH") return refusedLogin(data, thrown);
  return adapterError("ADAPTER_FAILED", "the mail server refused the message", { data, cause: thrown });
}

/** The reply that decides: when every recipient was refused, one that may be accepted later is worth another attempt. */
function statusOf({ responseCode, rejectedErrors = [] }: MailFault): number | undefined {
  const codes = rejectedErrors.map((one) => one.responseCode).filter((code) => code !== undefined);
  return codes.find((code) => code < 500) ?? responseCode;
}

function localFailure(thrown: unknown, fault: MailFault, undecided: boolean): AdapterError {
  if (fault.code === "EMESSAGE")
    return adapterError("ADAPTER_TOO_LARGE", "the message is larger than the mail server takes", { cause: thrown });
  if (fault.code === "EAUTH") return refusedLogin({}, thrown);
  if (fault.code === "EPROTOCOL")
    return adapterError("ADAPTER_BAD_DATA", "the mail server does not speak SMTP", { cause: thrown });
  return connectionFailure(thrown, undecided);
}

/** `writing`: a lost connection leaves open whether the change was made. */
export function imapFailure(thrown: unknown, writing: boolean): AdapterError {
  if (thrown instanceof AdapterError) return thrown;
  const fault = faultOf(thrown);
  const answer = fault.serverResponseCode ?? "";
  if (answer === "UNAVAILABLE" || answer === "SERVERBUG" || answer === "LIMIT")
    return adapterError("ADAPTER_UNAVAILABLE", "the mail server asks to try later", { cause: thrown });
  if (fault.authenticationFailed === true) return refusedLogin({}, thrown);
  if (["NONEXISTENT", "TRYCREATE"].includes(answer)) return missingFolder(thrown);
  if (answer === "OVERQUOTA") return adapterError("ADAPTER_QUOTA", "the mail account is full", { cause: thrown });
  if (answer === "INUSE") return adapterError("ADAPTER_BUSY", "the folder is in use", { cause: thrown });
  if (answer === "APPENDLIMIT" || ["LiteralTooLarge", "ResponseTooLarge", "LineTooLarge"].includes(fault.code ?? ""))
    return adapterError("ADAPTER_TOO_LARGE", "the message is larger than allowed", { cause: thrown });
  if (fault.responseStatus === "NO" || fault.responseStatus === "BAD") return refusedCommand(thrown);
  return connectionFailure(thrown, writing);
}

/** Opening a folder failed; a server that refuses without a reason has none of that name. */
export function folderFailure(thrown: unknown): unknown {
  const { responseStatus, serverResponseCode } = faultOf(thrown);
  return responseStatus !== undefined && serverResponseCode === undefined ? missingFolder(thrown) : thrown;
}

function missingFolder(cause: unknown): AdapterError {
  return adapterError("ADAPTER_NOT_FOUND", "unknown folder", { cause });
}

export function refusedCommand(cause?: unknown): AdapterError {
  return adapterError("ADAPTER_FAILED", "the mail server refused the command", { cause });
}

function refusedLogin(data: { readonly smtp_code?: number }, cause: unknown): AdapterError {
  return adapterError("ADAPTER_NOT_CONFIGURED", "the mail server does not accept the account", { data, cause });
}

function connectionFailure(cause: unknown, undecided: boolean): AdapterError {
  const reason = reasonOf(faultOf(cause));
  const data = { reason, ...(undecided ? { outcome: "unknown" } : {}) };
  if (reason === "timeout")
    return adapterError("ADAPTER_TIMEOUT", "the mail server did not answer in time", { data, cause });
  return adapterError("ADAPTER_TRANSPORT", "the connection to the mail server failed", { data, cause });
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/TIMEOUT|TIMEDOUT/, "timeout"],
  [/Closed/, "closed"],
  [/ENOTFOUND|EAI_|EDNS/, "dns"],
  [/ECONNREFUSED/, "refused"],
  [/ECONNRESET|EPIPE/, "reset"],
  [/CERT|TLS|SSL|SIGNATURE/, "tls"],
];

/** dns, refused, reset, tls, timeout or closed. */
function reasonOf({ code = "", originalCode = "" }: MailFault): string {
  const said = `${originalCode} ${code}`;
  return REASONS.find(([pattern]) => pattern.test(said))?.[1] ?? "closed";
}

/** Whether a failed call may have had its effect. What no adapter error says could be anything. */
export function isUndecided(thrown: unknown): boolean {
  if (!(thrown instanceof AdapterError)) return true;
  const { data } = thrown;
  return typeof data === "object" && data !== null && "outcome" in data;
}
