/**
 * The programs of a service that are tools: those with the tag `tool` that a person accepted. The list is looked at again every half minute; a
 * tool runs the version that its host was shown, until the host was notified of another one.
 */

import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { type AdapterCatalog, createCatalog } from "../../compiler/catalog.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import type { Clock } from "../../vm/run.ts";
import { type AskService, ServiceAway } from "../service/ask.ts";
import { type DeployedProgram, type ProgramTool, programTool, toolNameOf } from "./program-tool.ts";

export type ToolListOptions = {
  readonly ask: AskService;
  readonly clock: Clock;
  /** Versions that no person accepted are tools, too. */
  readonly unreviewed: boolean;
  /** Versions by name that do not change; other programs follow their current version. */
  readonly pins: ReadonlyMap<string, number>;
  /** Receives what an operator should know, each sentence once. */
  readonly warn: (message: string) => void;
};

const EVERY_MS = 30_000;
const PAGE = 200;
const MAX_TOOLS = 200;
/** Characters of IR that are read for a tool: looking through larger programs would hold the server. */
const MAX_IR = 2 * 1024 * 1024;

type Wanted = { readonly name: string; readonly version: number; readonly description: string | null };

export class ToolList {
  readonly #options: ToolListOptions;
  readonly #catalog: AdapterCatalog = createCatalog(builtinAdapters);
  readonly #warned = new Set<string>();
  #tools: ReadonlyMap<string, ProgramTool> = new Map();
  #listening: (() => void) | null = null;

  constructor(options: ToolListOptions) {
    this.#options = options;
  }

  /** By name of the tool. */
  get tools(): ReadonlyMap<string, ProgramTool> {
    return this.#tools;
  }

  hasProgram(name: string): boolean {
    return this.#tools.has(toolNameOf(name));
  }

  /** Rejects with ServiceAway, and with the reason of the signal. */
  async read(signal: AbortSignal): Promise<void> {
    const wanted = await this.#wanted(signal);
    const next = new Map<string, ProgramTool>();
    for (const one of wanted) {
      const known = this.#tools.get(toolNameOf(one.name));
      const tool = known?.version === one.version ? known : await this.#made(one, signal);
      if (tool !== null) next.set(tool.listing.name, tool);
    }
    const isSame = next.size === this.#tools.size && [...next].every(([name, tool]) => this.#tools.get(name) === tool);
    this.#tools = next;
    if (!isSame) this.#listening?.();
  }

  /** Looks again and again until it is stopped; a service that is away leaves the list as it was. */
  watch(changed: () => void): () => void {
    const stopping = new AbortController();
    let stopTimer = (): void => {};
    const again = (): void => {
      stopTimer = this.#options.clock.wait(EVERY_MS, () => {
        this.read(stopping.signal)
          .catch((cause: unknown) => {
            if (cause instanceof ServiceAway) this.#warn(cause.message);
            else if (!stopping.signal.aborted) throw cause;
          })
          .finally(() => {
            if (!stopping.signal.aborted) again();
          });
      });
    };
    this.#listening = changed;
    again();
    return () => {
      this.#listening = null;
      stopping.abort();
      stopTimer();
    };
  }

  async #wanted(signal: AbortSignal): Promise<readonly Wanted[]> {
    const { ask, unreviewed, pins } = this.#options;
    const wanted: Wanted[] = [];
    let cursor = "";
    do {
      const { status, body } = await ask("GET", `/programs?tag=tool&limit=${PAGE}${cursor}`, { signal });
      if (status !== 200) throw new ServiceAway(`the service does not list programs: ${shownRefusal(status, body)}`);
      for (const one of objects(body["programs"])) {
        const { name, version, enabled, accepted, description } = one;
        if (typeof name !== "string" || typeof version !== "number" || enabled !== true) continue;
        const pinned = pins.get(name);
        if (pinned === undefined && !isObject(accepted) && !unreviewed) {
          this.#warn(`${name} is left out: no person accepted its version ${version}`);
          continue;
        }
        wanted.push({
          name,
          version: pinned ?? version,
          description: typeof description === "string" ? description : null,
        });
      }
      const next = body["next_cursor"];
      cursor = typeof next === "string" ? `&cursor=${encodeURIComponent(next)}` : "";
    } while (cursor !== "" && wanted.length < MAX_TOOLS);
    if (wanted.length > MAX_TOOLS) this.#warn(`only the first ${MAX_TOOLS} programs are tools`);
    return wanted.slice(0, MAX_TOOLS);
  }

  async #made(wanted: Wanted, signal: AbortSignal): Promise<ProgramTool | null> {
    const { name, version, description } = wanted;
    const { status, body } = await this.#options.ask("GET", `/programs/${name}/versions/${version}`, { signal });
    const { ir, settings, accepted } = body;
    if (status !== 200 || !isObject(ir)) return this.#leftOut(name, shownRefusal(status, body));
    if (!isObject(accepted) && !this.#options.unreviewed) return this.#leftOut(name, "no person accepted this version");
    if (JSON.stringify(ir).length > MAX_IR) return this.#leftOut(name, "the program is too large");
    const { label, frame } = isObject(settings) ? settings : ({} as JsonObject);
    const program: DeployedProgram = {
      name,
      version,
      description,
      ir: ir as unknown as Ir,
      label: typeof label === "string" ? label : undefined,
      defaults: isObject(frame) ? Object.keys(frame) : [],
    };
    return programTool(program, this.#catalog) ?? this.#leftOut(name, "its name is too long for a tool");
  }

  #leftOut(name: string, why: string): null {
    this.#warn(`${name} is left out: ${why}`);
    return null;
  }

  #warn(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#options.warn(message);
  }
}

function objects(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter((one): one is JsonObject => isObject(one)) : [];
}

function shownRefusal(status: number, { message }: JsonObject): string {
  return typeof message === "string" ? message : `it answers ${status}`;
}
