/**
 * The instances that runs have of an adapter in a process of its own: opened there at their first use, opened again in the next process when
 * one ended, and asked for services only in the name of a request that is under way.
 */
import { setMaxListeners } from "node:events";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { OpenCall } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { type Asking, type HostReach, hostCallsOf, reachOf } from "./host-calls.ts";
import type { ReachFacts } from "./host-facts.ts";
import type { PluginProcess } from "./plugin-process.ts";

/** What the definition says of secrets and services. */
export type InstanceFacts = ReachFacts & {
  readonly secrets?: Readonly<Record<string, { readonly required?: boolean | undefined }>> | undefined;
};

/** What an instance of a run keeps on this side. */
export type Instance = {
  readonly number: number;
  readonly settings: unknown;
  readonly secrets: JsonObject;
  readonly reach: HostReach;
  /** The process that has it open. */
  generation: number;
  opening: Promise<Json> | null;
};

/** How long a plugin may take to open and close an instance, and to answer a health test. */
const OPEN_MS = 30_000;
const CLOSE_MS = 1000;

/** The instances of all runs, each opened at its first use in every process that it sees. */
export class Instances {
  readonly #plugin: PluginProcess;
  readonly #secrets: NonNullable<InstanceFacts["secrets"]>;
  readonly #facts: InstanceFacts;
  /** Requests under way that may ask for services, by id. */
  readonly #asking = new Map<number, Asking>();
  #numbers = 0;

  constructor(plugin: PluginProcess, facts: InstanceFacts) {
    this.#plugin = plugin;
    this.#facts = facts;
    this.#secrets = facts.secrets ?? {};
    plugin.serveHost(hostCallsOf((id) => this.#asking.get(id) ?? null));
  }

  async open(call: OpenCall<unknown>): Promise<Instance> {
    const secrets: { [name: string]: string } = {};
    for (const [name, { required }] of Object.entries(this.#secrets)) {
      const value = await call.secret(name);
      if (value !== undefined) secrets[name] = value;
      else if (required === true) throw adapterError("ADAPTER_NOT_CONFIGURED", `the secret ${name} is not set`);
    }
    this.#plugin.hide(Object.values(secrets));
    this.#numbers += 1;
    const instance: Instance = {
      number: this.#numbers,
      settings: call.settings,
      secrets,
      reach: reachOf(this.#facts, call),
      generation: 0,
      opening: null,
    };
    await this.#opened(instance);
    return instance;
  }

  async ask(instance: Instance, type: "call" | "check", members: JsonObject, signal: AbortSignal): Promise<Json> {
    await this.#opened(instance);
    return this.#request(instance, { type, members: { instance: instance.number, ...members }, signal });
  }

  async close(instance: Instance): Promise<void> {
    await instance.opening?.catch(() => {});
    await instance.reach.close();
    // A process that has ended holds nothing any more, and none is started for this.
    if (instance.generation !== this.#plugin.generation) return;
    await this.#plugin.request({ type: "close", members: { instance: instance.number }, timeoutMs: CLOSE_MS });
  }

  /** Opens the instance in the process that answers now. */
  async #opened(instance: Instance): Promise<void> {
    await this.#plugin.ready();
    if (instance.generation !== this.#plugin.generation) {
      instance.generation = this.#plugin.generation;
      const { number, settings, secrets } = instance;
      const members = { instance: number, settings: settings as JsonObject, secrets };
      instance.opening = this.#request(instance, { type: "open", members, timeoutMs: OPEN_MS });
      instance.opening.catch(() => {
        instance.generation = 0;
      });
    }
    await instance.opening;
  }

  async #request(
    instance: Instance,
    request: { type: "open" | "call" | "check"; members: JsonObject; signal?: AbortSignal; timeoutMs?: number },
  ): Promise<Json> {
    const over = new AbortController();
    const { signal } = request;
    let asked: number | null = null;
    try {
      return await this.#plugin.request({
        ...request,
        sent: (id) => {
          asked = id;
          const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
          // Every call that waits for a service listens to it, which is not a leak.
          setMaxListeners(0, either);
          this.#asking.set(id, { reach: instance.reach, signal: either });
        },
      });
    } finally {
      if (asked !== null) this.#asking.delete(asked);
      // What the plugin still asks for in the name of this call is of no use any more.
      over.abort();
    }
  }
}
