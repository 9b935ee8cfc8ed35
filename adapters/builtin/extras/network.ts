/**
 * Probes of web servers and certificates. A server that does not answer is a finding, not a failure; a host that may not be probed is
 * a failure, so that a refusal is not mistaken for an outage.
 */
import { AdapterError } from "../../../vm/errors/failures.ts";
import { earlySignal } from "../../guard/early-signal.ts";
import { certificateEnd } from "../../guard/http/certificate.ts";
import type { ExtrasCall } from "./settings.ts";

const DAY_MS = 86_400_000;
/** Left of the call's time to tell that nothing came. */
const REPORT_MS = 100;

/** What the other side is to blame for. */
const OUTAGES: ReadonlySet<string> = new Set([
  "ADAPTER_TRANSPORT",
  "ADAPTER_TIMEOUT",
  "ADAPTER_TOO_MANY_REDIRECTS",
  "ADAPTER_BAD_DATA",
  "ADAPTER_TOO_LARGE",
]);

type HttpStatus = {
  readonly ok: boolean;
  readonly status: number | null;
  readonly latency_ms: number;
  readonly error: string | null;
};

export async function httpStatus(
  url: string,
  method: "HEAD" | "GET",
  { instance, ctx }: ExtrasCall,
): Promise<HttpStatus> {
  const began = ctx.now();
  const found = (status: number | null, error: string | null): HttpStatus => ({
    ok: status !== null && status < 400,
    status,
    latency_ms: Math.max(0, ctx.now() - began),
    error,
  });
  const scope = instance.http();
  try {
    const signal = earlySignal(ctx, REPORT_MS);
    const { status } = await scope.request({ method, url, signal, ignoreBody: true });
    return found(status, null);
  } catch (thrown) {
    if (thrown instanceof AdapterError && OUTAGES.has(thrown.code)) return found(null, thrown.code);
    throw thrown;
  }
}

type TlsExpiry = { readonly valid_to: string; readonly days_left: number };

export async function tlsExpiry(host: string, port: number, { instance, ctx }: ExtrasCall): Promise<TlsExpiry> {
  const addresses = await instance.http().addressesOf(host, port, ctx.signal);
  const end = await certificateEnd({ host, port, addresses }, ctx.signal);
  return { valid_to: new Date(end).toISOString(), days_left: Math.floor((end - ctx.now()) / DAY_MS) };
}
