/**
 * A plugin's process: started at its first use, restarted after it died (with a growing pause), and ended with the runtime.
 * Instances of runs outlive a process: an instance that was opened in an earlier process is opened again before its next call.
 */
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { ProcessService } from "../../engine/process/service.ts";
import { createProcessService } from "../../engine/process/service.ts";
import type { Timers } from "../../engine/timers.ts";
import { adapterError } from "../../errors.ts";
import { HiddenValues } from "../../operator/secrets.ts";
import type { LoadDeps } from "../loading.ts";
import type { Request } from "./channel.ts";
import { Channel } from "./channel.ts";
import type { HostCalls } from "./host-facts.ts";
import { PluginOutput } from "./output.ts";

/** The first pause after a death; it doubles up to the longest. */
const FIRST_PAUSE_MS = 100;

const MAX_PAUSE_MS = 5000;

/** The one in use, and others on their way out. */
const MAX_PROCESSES = 4;

const ALWAYS_PASSED: readonly string[] = ["PATH", "LANG"];

export class PluginProcess {
  readonly #command: readonly string[];
  readonly #env: readonly string[];
  readonly #deps: LoadDeps;
  readonly #timers: Timers;
  #service: ProcessService;
  readonly #output: PluginOutput;
  /** How codes of its own begin; null: it has not told its name. */
  #codes: string | null = null;
  /** Values of secrets that the plugin was given. */
  readonly #hidden = new HiddenValues();
  #channel: Promise<Channel> | null = null;
  /** Counts processes: an instance belongs to one of them. */
  #generation = 0;
  #deaths = 0;
  #notBefore = 0;
  #hostCalls: HostCalls = () => Promise.reject(adapterError("ADAPTER_NOT_ALLOWED", "no call is under way"));

  constructor(command: readonly string[], origin: string, env: readonly string[], deps: LoadDeps, timers: Timers) {
    this.#command = command;
    this.#env = [...new Set([...ALWAYS_PASSED, ...env])];
    this.#deps = deps;
    this.#timers = timers;
    this.#service = this.#processes();
    this.#output = new PluginOutput(origin, deps.log, timers, (text) => this.scrubbed(text));
  }

  /** The id of the current process; 0 without one. */
  get generation(): number {
    return this.#channel === null ? 0 : this.#generation;
  }

  /** The adapter that it turned out to be. */
  isNamed(name: string): void {
    this.#codes = `ADAPTER_${name.toUpperCase()}_`;
  }

  /** What answers the plugin's own requests. */
  serveHost(calls: HostCalls): void {
    this.#hostCalls = calls;
  }

  /** These texts are taken out of everything that the plugin says. */
  hide(values: readonly string[]): void {
    for (const value of values) this.#hidden.add(value);
  }

  scrubbed(text: string): string {
    return this.#hidden.scrubbed(text);
  }

  /** Rejects with ADAPTER_UNAVAILABLE while it must not be started again, and as `Channel.request`. */
  async request(request: Request): Promise<Json> {
    const channel = await this.ready();
    const result = await channel.request(request);
    if (request.type === "call") this.#deaths = 0;
    return result;
  }

  /** The current process, started if necessary. */
  async ready(): Promise<Channel> {
    if (this.#channel !== null) return this.#channel;
    const pause = this.#notBefore - this.#timers.now();
    if (pause > 0)
      throw adapterError("ADAPTER_UNAVAILABLE", "the process of the plugin is started again soon", {
        retryAfterMs: Math.ceil(pause),
      });
    this.#channel = this.#start();
    return this.#channel;
  }

  /** Ends the process until the next request. */
  rest(): void {
    void this.#channel?.then((channel) => channel.stop()).catch(() => {});
    this.#channel = null;
  }

  /** Ends all of its processes. It can be used again: what shares this plugin may end at different times. */
  async close(): Promise<void> {
    this.rest();
    const service = this.#service;
    this.#service = this.#processes();
    await service.close();
  }

  #processes(): ProcessService {
    return createProcessService({ environment: this.#deps.environment, most: MAX_PROCESSES });
  }

  async #start(): Promise<Channel> {
    this.#generation += 1;
    try {
      const command = { argv: this.#command, env: this.#env, cwd: this.#deps.baseFolder };
      const process = await this.#service.start(command, new AbortController().signal);
      this.#output.readStderr(process.stderr);
      const channel: Channel = new Channel(process, {
        timers: this.#timers,
        heard: (message) => this.#heard(channel, message),
        ended: (broken) => this.#ended(broken),
        isOwnCode: (code) => this.#codes !== null && code.startsWith(this.#codes),
        scrubbed: (text) => this.scrubbed(text),
      });
      return channel;
    } catch (cause) {
      this.#ended("it cannot be started");
      throw cause;
    }
  }

  #ended(broken: string | null): void {
    this.#channel = null;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#deaths, MAX_PAUSE_MS);
    this.#deaths += 1;
    this.#notBefore = this.#timers.now() + pause;
    this.#output.note("plugin_process_ended", { fault: broken });
  }

  #heard(channel: Channel, message: JsonObject): void {
    if (message["type"] === "log") {
      this.#output.log(message);
      return;
    }
    const { id = null } = message;
    this.#hostCalls(message).then(
      (result) => channel.answer(id, { result }),
      (thrown: unknown) => channel.answer(id, { error: wireError(thrown) }),
    );
  }
}

function wireError(thrown: unknown): JsonObject {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string")
    return { code: "ADAPTER_FAILED", message: "the host failed", retryable: false, data: null };
  const { code, message, retryable, data } = thrown as Error & { code: string; retryable?: boolean; data?: Json };
  return { code, message, retryable: retryable === true, data: data ?? null };
}
