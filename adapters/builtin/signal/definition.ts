/** The adapter `signal`: a program waits for what others send to its job, or under a key (docs/durable.md). */
import { createHash } from "node:crypto";
import { readSpan } from "../../../compiler/catalog/time-span.ts";
import { EVENT_NAME_WORDS, EVENT_PREFIX, isEventName } from "../../../compiler/events.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import type { WaitSpec } from "../../../vm/calls/wait-spec.ts";
import { isReservedName, RESERVED_NAMES } from "../../../vm/durable/waits/signal-names.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { isStorable, STORABLE } from "../../../vm/values/storable-text.ts";
import { anyJson, arg, defineAdapter, setting, type VerbContext, verbsFor, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { cannotWait } from "../timer/waiting.ts";

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const MAX_NAMES = 16;
const UNBOUNDED_MS = 400 * 86_400_000;

const settings = {
  allow_names: setting
    .list("exact", ["signal"])
    .describe("names of signals that programs may wait for, or make links for"),
  allow_send: setting
    .operator(z.array(z.string()).default([]))
    .describe("names of signals that programs may send; none without it"),
  allow_links: setting.grant().describe("whether programs may make addresses that take a signal once"),
};
const verb = verbsFor<typeof settings>();
const stored = (most: number) => z.string().min(1).max(most).refine(isStorable, STORABLE);
const key = z.union([stored(256), z.number()]);

const nothing = { received: false, name: null, data: null, id: null, at: null };

export const signalAdapter = defineAdapter<typeof settings>({
  apiVersion: 1,
  name: "signal",
  version: "1.0.0",
  summary: "Waits for a signal that is sent to the job, or under a key, and sends them.",
  destructive: false,
  support: "extension_ecosystem",
  lane: "canonical",
  privilege: "local_state",
  sandboxSafe: true,
  networkFacing: false,
  durable: true,
  concurrent: true,
  maturity: "stable",
  settings,
  verbs: {
    wait: verb({
      summary:
        "Waits for the first signal with one of these names, or for an event; when the time is over, received is false.",
      effect: "io-read",
      kind: "read",
      determinism: "external",
      timeoutMs: UNBOUNDED_MS,
      maxTimeoutMs: UNBOUNDED_MS,
      args: z.tuple([arg("names", z.union([z.string(), z.array(z.string())]), { role: "signal" })]),
      options: z.strictObject({
        key: key.optional(),
        match: z.record(z.string(), anyJson()).optional(),
        timeout: z.union([z.number(), z.string()]).meta({ form: "span" }).optional(),
      }),
      result: z.object({
        received: z.boolean(),
        name: z.string().nullable(),
        data: anyJson(),
        id: z.string().nullable(),
        at: z.string().nullable(),
      }),
      examples: [],
      run({ args: [given], options: { key, match, timeout }, settings, ctx }) {
        const names = typeof given === "string" ? [given] : given;
        const event = eventOf(names);
        if (event === null) checkNames(names, settings.allow_names);
        if (event === null && match !== undefined)
          throw badArgs(`match is for events: signal.wait("event:orders/paid", match={"order": id})`);
        const span = timeout === undefined ? null : readSpan(timeout);
        if (timeout !== undefined && span === null)
          throw badArgs("timeout is a number of seconds, or text such as 3d, of a year at most");
        const times = span === null ? { until: null } : { until: ctx.now() + span, span };
        const under = key === undefined ? null : String(key);
        if (event !== null) checkAccepted(event, ctx);
        const spec: WaitSpec =
          event === null
            ? { kind: "signal", names, key: under, ...times }
            : { kind: "event", name: event, key: under, match: (match ?? {}) as JsonObject, ...times };
        const answer = ctx.run.wait?.(spec);
        if (answer !== undefined) return answer;
        if (span === 0) return nothing;
        throw cannotWait(NEEDS_JOB);
      },
    }),
    send: verb({
      exact: true,
      summary: "Sends a signal to a job, or to all jobs that wait under a key.",
      effect: "io-write",
      kind: "write",
      determinism: "external",
      idempotent: "keyed",
      destructive: false,
      args: z.tuple([arg("name", z.string()), arg("data", anyJson())]),
      options: z.strictObject({
        job: stored(64).optional(),
        key: key.optional(),
        id: stored(128).optional(),
        idempotency_key: z.string().min(1).max(256).optional(),
      }),
      result: z.object({ id: z.string(), delivered: z.enum(["now", "kept"]) }),
      examples: [],
      async run({ args: [name, data], options: { job, key, id }, settings, ctx }) {
        checkNames([name], undefined);
        if (isReservedName(name)) throw badArgs(RESERVED_NAMES);
        if (!settings.allow_send.includes(name)) throw notAllowed("allow_send");
        if ((job === undefined) === (key === undefined)) throw badArgs("a signal goes to either a job or a key");
        const target = job === undefined ? { key: String(key) } : { job };
        const sent =
          id ?? createHash("sha256").update(`${ctx.traceId}\n${ctx.idempotencyKey}`).digest("hex").slice(0, 32);
        return { id: sent, delivered: await deskOf(ctx).sendSignal({ id: sent, name, target, data }) };
      },
    }),
    link: verb({
      summary: "Makes an address that takes the signal for this job once.",
      effect: "io-write",
      kind: "write",
      determinism: "random",
      idempotent: "keyed",
      destructive: false,
      args: z.tuple([arg("name", z.string())]),
      options: z.strictObject({
        expires: z.union([z.number(), z.string()]).meta({ form: "span" }).default("7d"),
        idempotency_key: z.string().min(1).max(256).optional(),
      }),
      result: z.string(),
      examples: [],
      async run({ args: [name], options: { expires }, settings, ctx }) {
        checkNames([name], settings.allow_names);
        if (isReservedName(name)) throw badArgs(RESERVED_NAMES);
        if (!settings.allow_links) throw adapterError("ADAPTER_NOT_ALLOWED", "making links needs allow_links");
        const span = readSpan(expires);
        if (span === null || span === 0)
          throw badArgs("expires is a number of seconds, or text such as 7d, of a year at most");
        return deskOf(ctx).signalLink(name, ctx.now() + span);
      },
    }),
  },
});

const NEEDS_JOB = "signals reach durable jobs: queue the program as a job";
const NEEDS_DESK = "durable jobs send signals: queue the program (wf jobs submit) at a service that keeps its jobs";

function deskOf({ run }: VerbContext) {
  if (run.desk === undefined) throw cannotWait(NEEDS_DESK);
  return run.desk;
}

/** The event that is waited for; null: signals are. */
function eventOf(names: readonly string[]): string | null {
  if (!names.some((name) => name.startsWith(EVENT_PREFIX))) return null;
  const name = (names[0] ?? "").slice(EVENT_PREFIX.length);
  if (names.length === 1 && isEventName(name)) return name;
  throw badArgs(`a wait is for signals or for one event: ${EVENT_PREFIX} and ${EVENT_NAME_WORDS}`);
}

function checkAccepted(event: string, { run }: VerbContext): void {
  if (run.desk?.events === undefined)
    throw cannotWait(
      "durable jobs wait for events: queue the program (wf jobs submit) at a service that keeps its jobs",
    );
  if (!run.desk.events.accepts(event))
    throw adapterError("ADAPTER_NOT_ALLOWED", "the event is not on event.accept, or the adapter event is not enabled");
}

function badArgs(message: string): AdapterError {
  return adapterError("ADAPTER_BAD_ARGS", message);
}

function notAllowed(setting: string): AdapterError {
  return adapterError("ADAPTER_NOT_ALLOWED", `the signal is not on ${setting}`);
}

function checkNames(names: readonly string[], allowed: readonly string[] | undefined): void {
  if (names.length === 0 || names.length > MAX_NAMES || !names.every((name) => NAME.test(name)))
    throw badArgs(`a wait has 1 to ${MAX_NAMES} names of 1 to 64 characters of A-Z a-z 0-9 . _ -`);
  if (allowed !== undefined && !names.every((name) => allowed.includes(name))) throw notAllowed("allow_names");
}
