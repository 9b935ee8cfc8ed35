/**
 * Failures of connections as errors of adapters: who failed, and whether trying again may help. Codes of Node and of the client
 * library in, codes of docs/errors.md out; nothing of a message from outside passes.
 */
import { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import { isCodingFault } from "./body.ts";

export type TransportReason = "dns" | "refused" | "reset" | "closed" | "tls";

const REASONS: Readonly<Record<string, TransportReason>> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  EAI_FAIL: "dns",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  EADDRNOTAVAIL: "refused",
  ECONNRESET: "reset",
  ECONNABORTED: "reset",
  EPIPE: "reset",
  EPROTO: "tls",
  UND_ERR_PRX_TLS: "tls",
};
const TLS =
  /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_|ERROR_IN_C|CRL_)/;
/** What the parser of the library calls an answer that ends too soon after it said that the connection would be closed. */
const CUT_SHORT = /Invalid EOF state/;

/** What the library says of an answer before the final one that it did not ask for: 100 and 101. */
const UNASKED = /^bad (?:response|upgrade)$/;

export const LARGE_HEADERS = "the headers of the answer are too large";

/** What a request failed with before there was an answer: a length that is wrong then is one that the headers tell in several ways. */
export function headError(cause: unknown): unknown {
  const isUnclear = cause instanceof Error && "code" in cause && cause.code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
  return isUnclear ? invalidHttp(cause) : cause;
}

function invalidHttp(cause: unknown): AdapterError {
  return adapterError("ADAPTER_BAD_DATA", "the answer is not valid HTTP", { cause });
}

/** The error of a failed request. An unexpected one is returned unchanged. */
export function requestError(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return abortError(signal);
  if (cause instanceof AdapterError || !(cause instanceof Error) || !("code" in cause)) return cause;
  const code = String(cause.code);
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT")
    return adapterError("ADAPTER_TIMEOUT", "the connection could not be made in time", { cause });
  if (code === "EMFILE" || code === "ENFILE")
    return adapterError("ADAPTER_BUSY", "no descriptor is free for a connection", { cause });
  if (code === "UND_ERR_HEADERS_OVERFLOW") return adapterError("ADAPTER_TOO_LARGE", LARGE_HEADERS, { cause });
  if (isCodingFault(code))
    return adapterError("ADAPTER_BAD_DATA", "the content coding of the answer is damaged", { cause });
  const noHttp =
    // A status outside the valid range passes the parser, and the library fails later.
    code === "ERR_ASSERTION" ||
    (code === "UND_ERR_SOCKET" && UNASKED.test(cause.message)) ||
    (cause.name === "HTTPParserError" && !CUT_SHORT.test(cause.message));
  if (noHttp) return invalidHttp(cause);
  const reason = REASONS[code] ?? (TLS.test(code) ? "tls" : "closed");
  return transportError(reason, cause);
}

export function transportError(reason: TransportReason, cause: unknown): AdapterError {
  return adapterError("ADAPTER_TRANSPORT", `the connection failed (${reason})`, { data: { reason }, cause });
}

/** What an aborted signal means: a deadline, or a run that was cancelled. */
function abortError(signal: AbortSignal): AdapterError {
  const { reason } = signal;
  if (reason instanceof AdapterError) return reason;
  if (reason instanceof DOMException && reason.name === "TimeoutError")
    return adapterError("ADAPTER_TIMEOUT", "the request took too long");
  return adapterError("ADAPTER_CANCELLED", "the request was cancelled");
}

/** The result of `work`, unless the signal fires first; work that continues anyway is abandoned. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortError(signal));
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
