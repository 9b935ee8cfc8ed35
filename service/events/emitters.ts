/**
 * What a program starts by the events that it may emit: who emits acts through the programs that hear, each of which has a grant of its own
 * (docs/events.md). Read from the deployments of the moment whenever it is asked.
 */
import { admitsEvent } from "../../compiler/events.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { type ProgramReach, reachTask } from "../../compiler/policy/reach.ts";
import type { CallerRequest } from "../../vm/admission/caller-request.ts";
import { inTurns } from "../../vm/tasks/task.ts";
import type { Services } from "../services.ts";
import { ServiceFault } from "../wire/errors.ts";
import type { EventStore, Heard } from "./event.ts";
import { eventPatterns } from "./event-job.ts";

/** Subscribers that are shown; the others are counted. */
const SHOWN_EMITTED = 100;

type Reached = Pick<Heard, "program" | "version"> & {
  readonly event: string;
  readonly adapters: ProgramReach["adapters"];
};
/** `names`: of events that may be emitted, or patterns of such. `more`: further subscribers, beyond those shown. */
export type Emitted = {
  readonly names: readonly string[];
  readonly subscribers: readonly Reached[];
  readonly more: number;
};

export class Emitters {
  readonly #services: Pick<Services, "gateway" | "programs" | "clock">;
  readonly #store: Pick<EventStore, "heard">;
  readonly #reached = new WeakMap<object, ProgramReach>();

  constructor(services: Pick<Services, "gateway" | "programs" | "clock">, store: Pick<EventStore, "heard">) {
    this.#services = services;
    this.#store = store;
  }

  /** The same as `emitted`, of a program. */
  async emittedBy(ir: Pick<Ir, "nodes">, within: CallerRequest): Promise<Emitted | null> {
    return this.emitted((await this.#reachOf(ir)).emits, within);
  }

  /** null: the program emits nothing, or its deployment may not. Rejects with ServiceFault store_unavailable. */
  async emitted({ names: written, computed }: ProgramReach["emits"], within: CallerRequest): Promise<Emitted | null> {
    if (!computed && written.length === 0) return null;
    const admission = this.#services.gateway.admit({}, within);
    const granted = admission.ok ? eventPatterns(admission, "emit") : [];
    const names = computed ? granted : written.filter((name) => granted.some((one) => admitsEvent(one, name)));
    if (names.length === 0) return null;
    const { found, total } = await this.#store.heard(names, SHOWN_EMITTED);
    const subscribers: Reached[] = [];
    for (const one of found) subscribers.push(...(await this.#subscriber(one)));
    return { names, subscribers, more: Math.max(0, total - found.length) };
  }

  async #subscriber({ name: event, program, version }: Heard): Promise<readonly Reached[]> {
    const loaded = await this.#services.programs?.kept(program, version).catch((cause: unknown) => {
      // It was removed meanwhile.
      if (cause instanceof ServiceFault && cause.error === "program_not_found") return undefined;
      throw cause;
    });
    if (loaded === undefined) return [];
    return [{ event, program, version, adapters: (await this.#reachOf(loaded.ir)).adapters }];
  }

  async #reachOf(ir: Pick<Ir, "nodes">): Promise<ProgramReach> {
    const known = this.#reached.get(ir);
    if (known !== undefined) return known;
    const { gateway, clock } = this.#services;
    const reach = await inTurns(reachTask(ir, gateway.host.catalog), clock, setImmediate);
    this.#reached.set(ir, reach);
    return reach;
  }
}
