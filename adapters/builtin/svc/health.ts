/**
 * The health of a service: all its probes at the same time, each with its own time. A probe that fails is a finding; what is wrong with
 * the configuration or this machine is an error, because nothing can be said of the service then.
 */
import { isObject } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { VerbContext } from "../../definition/define.ts";
import type { HostServices } from "../../definition/host-services.ts";
import { within } from "../../engine/deadline.ts";
import { earlyMs } from "../../guard/early-signal.ts";
import { fileError } from "../../guard/files/errors.ts";
import { type HttpScope, neededHttp } from "../../guard/http/http.ts";
import { probeHeartbeat, probeProcess, probeSystemd } from "./local-probes.ts";
import { probeDns, probeHttp, probeTcp, probeTls } from "./network-probes.ts";
import type { Probe, Service, SvcSettings } from "./settings.ts";
import { degraded, down, type Health, type Verdict, works, worst } from "./verdict.ts";

type ProbeReport = {
  readonly kind: Probe["kind"];
  readonly ok: boolean;
  readonly latency_ms: number;
  readonly error: string | null;
};
export type Status = {
  readonly ok: boolean;
  readonly status: Health;
  readonly latency_ms: number | null;
  readonly error: string | null;
  readonly checked_at: string;
  readonly probes: readonly ProbeReport[];
};

/** Left of the call's time to tell that a probe did not answer. */
const REPORT_MS = 100;

/** Of this side, not of the service. */
const OWN_TROUBLE: ReadonlySet<string> = new Set([
  "ADAPTER_NOT_CONFIGURED",
  "ADAPTER_BAD_SETTINGS",
  "ADAPTER_BUSY",
  "ADAPTER_CANCELLED",
]);

export class ServiceHealth {
  readonly #settings: SvcSettings;
  readonly #host: HostServices;
  #scope: HttpScope | undefined;

  constructor(settings: SvcSettings, host: HostServices) {
    this.#settings = settings;
    this.#host = host;
  }

  async status(service: Service, ctx: VerbContext): Promise<Status> {
    const checkedAt = new Date(ctx.now()).toISOString();
    const answers = await Promise.all(service.probes.map((probe) => this.#asked(probe, service, ctx)));
    const { health, error } = worst(answers.map(({ verdict }) => verdict));
    const probes = answers.map(({ kind, latencyMs, verdict }) => ({
      kind,
      ok: works(verdict.health),
      latency_ms: latencyMs,
      error: verdict.error,
    }));
    return {
      ok: works(health),
      status: health,
      latency_ms: probes.length === 0 ? null : Math.max(...probes.map((probe) => probe.latency_ms)),
      error,
      checked_at: checkedAt,
      probes,
    };
  }

  async close(): Promise<void> {
    await this.#scope?.close();
  }

  async #asked(probe: Probe, { degraded_over_ms: most }: Service, ctx: VerbContext) {
    const began = ctx.now();
    let verdict: Verdict;
    try {
      const most = Math.min(probe.timeout_ms, earlyMs(ctx, REPORT_MS));
      verdict = await within(most, ctx.signal, (signal) => this.#look(probe, ctx, signal));
    } catch (thrown) {
      verdict = down(outage(thrown));
    }
    const latencyMs = Math.max(0, ctx.now() - began);
    if (verdict.health === "up" && latencyMs > most) verdict = degraded("slow");
    return { kind: probe.kind, latencyMs, verdict };
  }

  async #look(probe: Probe, ctx: VerbContext, signal: AbortSignal): Promise<Verdict> {
    switch (probe.kind) {
      case "http":
        return probeHttp(probe, this.#http(), signal);
      case "tcp":
        return probeTcp(probe, signal);
      case "tls":
        return probeTls(probe, ctx.now(), signal);
      case "dns":
        return probeDns(probe, signal);
      case "systemd":
        return probeSystemd(probe, this.#host.processes, signal);
      case "process":
        return probeProcess(probe);
      case "heartbeat":
        return probeHeartbeat(probe, ctx.now());
    }
  }

  /** The hosts that the operator named, and no others: a redirect elsewhere is not an answer of the service. */
  #http(): HttpScope {
    if (this.#scope === undefined) {
      const probes = Object.values(this.#settings.services).flatMap((service) => service.probes);
      const hosts = probes.flatMap((probe) => (probe.kind === "http" ? [new URL(probe.url).hostname] : []));
      const service = neededHttp(this.#host.http, "HTTP probes need");
      this.#scope = service.scope({ allowHosts: hosts, operatorHosts: hosts, allowPrivate: true });
    }
    return this.#scope;
  }
}

/** One word for what a probe failed with. Throws what is this side's own trouble, a file that cannot be read included. */
function outage(thrown: unknown): string {
  if (!(thrown instanceof AdapterError) || OWN_TROUBLE.has(thrown.code)) throw fileError(thrown, "read");
  const { code, data } = thrown;
  if (code === "ADAPTER_TRANSPORT" && isObject(data)) return String(data["reason"]);
  return code.slice("ADAPTER_".length).toLowerCase();
}
