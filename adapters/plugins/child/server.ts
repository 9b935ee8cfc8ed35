/** The plugin's side of the protocol for a definition of this library: instances by number, calls by id, errors as data. */
import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { RunScope } from "../../../vm/adapter.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { badArguments } from "../../definition/bind.ts";
import { itemsOf } from "../../definition/catalog-entry.ts";
import type { AdapterDefinition, ArgsSchema, OpenCall, VerbCall, VerbDefinition } from "../../definition/define.ts";
import type { AdapterLog } from "../../definition/effect.ts";
import { adapterError, cancelledCall } from "../../errors.ts";
import { adopted } from "../adopt.ts";
import { completed } from "../complete.ts";
import { HostClient } from "./host-client.ts";
import { specOf } from "./spec-of.ts";

type Send = (message: JsonObject) => void;
type Instance = {
  readonly value: unknown;
  readonly settings: unknown;
  readonly secrets: JsonObject;
  readonly releases: (() => void | Promise<void>)[];
};

export class PluginServer {
  readonly #definition: AdapterDefinition;
  readonly #send: Send;
  readonly #host: HostClient;
  readonly #instances = new Map<Json, Instance>();
  readonly #aborts = new Map<Json, AbortController>();

  /** `value` is sent as it is: the other side checks it. */
  constructor(value: unknown, send: Send) {
    this.#definition = adopted(completed(value).definition as AdapterDefinition);
    this.#send = send;
    this.#host = new HostClient(send);
  }

  take(message: JsonObject): void {
    const { type, id = null } = message;
    if (type === "cancel") this.#aborts.get(id)?.abort(cancelledCall());
    else if (type === "host") this.#host.answered(message);
    else void this.#answer(id, message);
  }

  async #answer(id: Json, message: JsonObject): Promise<void> {
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    try {
      const result = await this.#host.during(id, () => this.#done(message, abort.signal));
      this.#send({ id, result: (result ?? null) as Json });
    } catch (thrown) {
      this.#send({ id, error: abort.signal.aborted ? wireError(cancelledCall()) : wireError(thrown) });
    } finally {
      this.#aborts.delete(id);
    }
  }

  async #done(message: JsonObject, signal: AbortSignal): Promise<unknown> {
    switch (message["type"]) {
      case "spec":
        return specOf(this.#definition);
      case "open":
        return this.#open(message);
      case "call":
        return this.#call(message, signal);
      case "check": {
        const { value, settings } = this.#instance(message);
        await this.#definition.check?.({ instance: value as never, settings: settings as never, signal });
        return null;
      }
      case "close":
        return this.#close(message);
      default:
        throw adapterError("ADAPTER_BAD_ARGS", "no such message is known");
    }
  }

  async #open({ instance = null, settings, secrets }: JsonObject): Promise<null> {
    const releases: Instance["releases"] = [];
    const given = (secrets ?? {}) as JsonObject;
    const call: OpenCall<unknown> = {
      settings,
      host: this.#host.services,
      secret: async (name) => secretOf(given, name),
      log: this.#log,
      run: scopeOf("", releases, this.#log),
      now: () => Date.now(),
    };
    const value = await this.#definition.open?.(call as OpenCall<never>);
    this.#instances.set(instance, { value, settings, secrets: given, releases });
    return null;
  }

  async #call(message: JsonObject, signal: AbortSignal): Promise<unknown> {
    const { verb = null, args, options, call_id, idempotency_key, attempt, trace_id, now_ms, deadline_ms } = message;
    const known = this.#definition.verbs[String(verb)];
    if (known === undefined) throw adapterError("ADAPTER_UNKNOWN_VERB", "the adapter has no such verb");
    const instance = this.#instance(message);
    const { positional, chosen } = checkedArguments(known, args as readonly Json[], options as JsonObject);
    const began = performance.now();
    const left = (): number =>
      typeof deadline_ms === "number"
        ? Math.max(0, deadline_ms - (performance.now() - began))
        : Number.POSITIVE_INFINITY;
    const call: VerbCall<unknown, unknown, unknown, unknown> = {
      args: positional,
      options: chosen,
      settings: instance.settings,
      instance: instance.value,
      ctx: {
        signal,
        deadlineMs: began + left(),
        remainingMs: left,
        callId: String(call_id),
        idempotencyKey: String(idempotency_key),
        attempt: Number(attempt),
        traceId: String(trace_id),
        run: scopeOf(String(trace_id), instance.releases, this.#log),
        now: () => Number(now_ms) + (performance.now() - began),
        uuid: () => randomUUID(),
        random: () => Math.random(),
        secret: async (name) => secretOf(instance.secrets, name),
        log: this.#log,
        host: this.#host.services,
      },
    };
    return known.run(call as VerbCall<never, never, never, never>);
  }

  async #close(message: JsonObject): Promise<null> {
    const { value, releases } = this.#instance(message);
    this.#instances.delete(message["instance"] ?? null);
    for (const release of releases.reverse()) await release();
    await this.#definition.close?.(value as never);
    return null;
  }

  #instance({ instance = null }: JsonObject): Instance {
    const known = this.#instances.get(instance);
    if (known === undefined) throw adapterError("ADAPTER_FAILED", "no such instance is open");
    return known;
  }

  readonly #log: AdapterLog = (event, fields) => {
    this.#send({ type: "log", level: "info", event, fields: { ...fields } });
  };
}

function secretOf(secrets: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** What of a run reaches its plugin: the end of the instance. Other adapters do not. */
function scopeOf(traceId: string, releases: Instance["releases"], log: AdapterLog): RunScope {
  return {
    traceId,
    onEnd: (release) => void releases.push(release),
    warn: (text) => log("run_warning", { text }),
    usage: {},
    instanceOf: () => undefined,
  };
}

/** Checks with the definition's own schemas, which may ask for more than JSON Schema can say. */
function checkedArguments(verb: VerbDefinition, args: readonly Json[], options: JsonObject) {
  for (const form of [verb.args, ...(verb.forms ?? [])]) {
    const read = form.safeParse(withoutLeftOut(form, args));
    const chosen = verb.options?.safeParse(options);
    if (read.success && chosen?.success !== false) return { positional: read.data, chosen: chosen?.data ?? {} };
  }
  throw badArguments([{ path: "", expected: "what the verb's schemas describe", got: "something else" }]);
}

/** Null in an optional place without a meaning of its own for null says that nothing was given. */
function withoutLeftOut(form: ArgsSchema, args: readonly Json[]): readonly unknown[] {
  const places = itemsOf(form);
  const given: unknown[] = args.map((value, place) => {
    const schema = places[place];
    if (value !== null || schema === undefined) return value;
    return schema.safeParse(undefined).success && !schema.safeParse(null).success ? undefined : null;
  });
  while (given.length > 0 && given.at(-1) === undefined) given.pop();
  return given;
}

/** Any error that is not an adapter error is a defect of the plugin: its stack trace goes to stderr. */
function wireError(thrown: unknown): JsonObject {
  if (!(thrown instanceof AdapterError)) {
    process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : "a plugin threw no error"}\n`);
    return { code: "ADAPTER_FAILED", message: "the plugin failed", retryable: false };
  }
  const { code, message, retryable, retryAfterMs, data } = thrown;
  return { code, message, retryable, retry_after_ms: retryAfterMs, data };
}
