/** Probes over the network. They reject when the other side does not answer; what it answers is their verdict. */
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect } from "node:net";
import { certificateEnd } from "../../guard/http/certificate.ts";
import { requestError } from "../../guard/http/errors.ts";
import type { HttpScope } from "../../guard/http/http.ts";
import type { ProbeOf } from "./settings.ts";
import { degraded, down, UP, type Verdict } from "./verdict.ts";

const DAY_MS = 86_400_000;

/** The body is read only to be searched. */
export async function probeHttp(probe: ProbeOf<"http">, scope: HttpScope, signal: AbortSignal): Promise<Verdict> {
  const { url, expect_status: expected, expect_body: text } = probe;
  const { status, body } = await scope.request({ method: "GET", url, signal, ignoreBody: text === undefined });
  if (!expected.includes(status)) return down(`status_${status}`);
  if (text !== undefined && body?.includes(text) !== true) return down("body");
  return UP;
}

export async function probeTcp({ host, port }: ProbeOf<"tcp">, signal: AbortSignal): Promise<Verdict> {
  const socket = connect({ host, port });
  // Errors after the answer do not matter.
  socket.on("error", () => {});
  try {
    await once(socket, "connect", { signal });
    return UP;
  } catch (cause) {
    throw requestError(cause, signal);
  } finally {
    socket.destroy();
  }
}

/** Until when the certificate is valid; who signed it is not asked, so that a private authority can be watched too. */
export async function probeTls(probe: ProbeOf<"tls">, now: number, signal: AbortSignal): Promise<Verdict> {
  const left = (await certificateEnd(probe, signal)) - now;
  if (left <= 0) return down("certificate_expired");
  return left < probe.min_days * DAY_MS ? degraded("certificate_expires") : UP;
}

/** Whether the name has any record of the type. */
export async function probeDns(probe: ProbeOf<"dns">, signal: AbortSignal): Promise<Verdict> {
  const resolver = new Resolver({ timeout: probe.timeout_ms, tries: 1 });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (probe.server !== undefined) resolver.setServers([probe.server]);
    const records: unknown = await resolver.resolve(probe.name, probe.type);
    return Array.isArray(records) && records.length === 0 ? down("dns") : UP;
  } catch (cause) {
    signal.throwIfAborted();
    const timedOut = cause instanceof Error && "code" in cause && cause.code === "ETIMEOUT";
    return down(timedOut ? "timeout" : "dns");
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
