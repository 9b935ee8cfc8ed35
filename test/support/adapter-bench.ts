/**
 * One adapter under test, called as the dispatcher calls it: arguments bound, deadline, signal, opening, answer checked and taken
 * over. All calls of a bench belong to one run.
 */

import { createDocumentParsers } from "../../adapters/content/document-parsers.ts";
import type { AdapterDefinition } from "../../adapters/definition/define.ts";
import type { HostServices } from "../../adapters/definition/host-services.ts";
import { linkAdapter } from "../../adapters/definition/link.ts";
import { adapterError } from "../../adapters/errors.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Adapter } from "../../vm/adapter.ts";
import { AdapterSession } from "../../vm/calls/session.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import type { Clock, HostFacts } from "../../vm/run.ts";
import type { AdapterUsage } from "../../vm/usage.ts";

/** What a definition says of itself, for adapters that are made up by a test. */
export const PROBE = {
  apiVersion: 1,
  name: "probe",
  version: "1.0.0",
  summary: "s",
  support: "core",
  lane: "canonical",
  privilege: "local_state",
  sandboxSafe: true,
  networkFacing: false,
  durable: false,
  maturity: "beta",
} as const;

export type BenchOptions = {
  readonly settings?: JsonObject;
  readonly services?: Partial<HostServices>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly facts?: HostFacts;
  /** Other adapters of the same run. */
  readonly others?: readonly { readonly definition: AdapterDefinition; readonly settings?: JsonObject }[];
  readonly dryRun?: boolean;
  /** Default: a fresh one. */
  readonly traceId?: string;
  /** Where log events go. */
  readonly log?: (event: string, fields?: object) => void;
};

export type AdapterBench = {
  /** Rejects with what the dispatcher would map. */
  call(verb: string, ...args: readonly unknown[]): Promise<Json>;
  /** As `call`; the call is aborted when `signal` fires, as if the run were cancelled. */
  callUnder(signal: AbortSignal, verb: string, ...args: readonly unknown[]): Promise<Json>;
  /** The code a call fails with. */
  code(verb: string, ...args: readonly unknown[]): Promise<string>;
  /** A call of an adapter in `others`. */
  callOther(adapter: string, verb: string, ...args: readonly unknown[]): Promise<Json>;
  /** What the adapters counted of the run. */
  readonly usage: AdapterUsage;
  /** Ends the run; returns its warnings. */
  end(): Promise<readonly string[]>;
};

export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  wait(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

export const NO_PLACES: HostServices["places"] = {
  stateDir: null,
  dataRoot: null,
  agentRoot: null,
  memoryDb: null,
  cachePath: null,
  summaryRoot: null,
};

/** Its threads start at the first document, and keep nothing of it. */
const parsers = createDocumentParsers();

export async function openBench(definition: AdapterDefinition, options: BenchOptions = {}): Promise<AdapterBench> {
  const { clock = realClock, secrets = {}, dryRun = false, traceId = crypto.randomUUID() } = options;
  const facts = options.facts ?? { uuid: () => crypto.randomUUID(), env: () => undefined };
  const all = [{ definition, settings: options.settings ?? {} }, ...(options.others ?? [])];
  const adapters = new Map<string, Adapter>();
  for (const one of all) {
    const linked = linkAdapter(one.definition, one.settings ?? {}, {
      services: { places: NO_PLACES, parsers, ...options.services } as HostServices,
      secret: async (name) => secrets[name],
      log: options.log ?? (() => {}),
      now: () => clock.wall(),
    });
    if (!linked.ok) throw adapterError("ADAPTER_BAD_SETTINGS", linked.issues.map((issue) => issue.message).join("; "));
    adapters.set(one.definition.name, linked.adapter);
  }
  const session = new AdapterSession({ adapters, clock, facts, traceId, dryRun });
  let calls = 0;
  const make = async (adapter: string, verb: string, args: readonly unknown[], signal?: AbortSignal): Promise<Json> => {
    calls += 1;
    const place = { callId: `${traceId}/1/n1/${calls}`, attempt: 1, runEndsAt: Number.POSITIVE_INFINITY };
    const call = session.start(adapter, verb, args as readonly Json[], place);
    try {
      const answer = await new Promise<unknown>((resolve, reject) => {
        const expired = (): void => reject(session.expire(call));
        const stop =
          call.endsAt() === Number.POSITIVE_INFINITY ? () => {} : clock.wait(call.endsAt() - clock.now(), expired);
        Promise.resolve(call.answer).then(resolve, reject).finally(stop);
        signal?.addEventListener("abort", () => {
          session.abandon(call);
          reject(new AdapterError("ADAPTER_CANCELLED", "the run was cancelled", { retryable: false }));
        });
      });
      return session.taken(call, answer);
    } catch (thrown) {
      throw session.failure(call, thrown);
    }
  };
  const { name } = definition;
  return {
    call: (verb, ...args) => make(name, verb, args),
    callUnder: (signal, verb, ...args) => make(name, verb, args, signal),
    code: (verb, ...args) =>
      make(name, verb, args).then(
        () => "no error",
        (thrown: unknown) => (thrown instanceof AdapterError ? thrown.code : String(thrown)),
      ),
    usage: session.usage,
    callOther: (adapter, verb, ...args) => make(adapter, verb, args),
    async end() {
      await session.close();
      return session.warnings;
    },
  };
}
