/**
 * An adapter under test in a fixture of its own: programs run against it through compiler and dispatcher, everything it does is
 * counted, and nothing depends on the wall clock. One bench serves any number of runs and is thrown away.
 */
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { createCatalog } from "../../compiler/catalog.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Adapter } from "../../vm/adapter.ts";
import { isPromise } from "../../vm/calls/session.ts";
import type { RunDesk } from "../../vm/durable/approvals.ts";
import { createHost, type Host, type HostRunRequest, type RunAnswer } from "../../vm/host.ts";
import type { Clock } from "../../vm/run.ts";
import { catalogEntryOf } from "../definition/catalog-entry.ts";
import { callProgram } from "../definition/check-definition.ts";
import type { AdapterDefinition, VerbDefinition } from "../definition/define.ts";
import type { HostServices } from "../definition/host-services.ts";
import { linkAdapter } from "../definition/link.ts";
import { type Watch, watchedServices } from "./watched-services.ts";

/** The world an adapter works in, made anew for each bench. */
export type Fixture = {
  /** Under which every example works; an example's own settings come on top. */
  readonly settings: JsonObject;
  readonly services: HostServices;
  readonly secrets?: Readonly<Record<string, string>>;
  /** What programs of the suite read, such as the address of a server. */
  readonly frame?: JsonObject;
  /** Other adapters of the same runs. */
  readonly beside?: readonly { readonly definition: AdapterDefinition; readonly settings: JsonObject }[];
  /** What a durable job gives to its run; absent: runs belong to none. */
  readonly desk?: RunDesk;
  /** Texts that must never leave the adapter in addition to the secrets, such as the paths of the fixture. */
  readonly hidden?: readonly string[];
  /** What an outsider sees of what the adapter keeps; absent: it keeps nothing. */
  observe?(): Promise<Json>;
  stop(): Promise<void>;
};

/** What the adapter did: calls of `open` and `run`, instances that are open, and calls that are not over. */
type Tally = { opened: number; live: number; ran: number; running: number };

export type Program = { readonly source: string; readonly settings?: JsonObject; readonly frame?: JsonObject };

/** Runs of one adapter over one fixture. */
export type Bench = {
  readonly fixture: Fixture;
  readonly tally: Readonly<Tally>;
  readonly watch: Watch;
  /** Lines of the operator's log. */
  readonly logged: readonly string[];
  run(program: Program, request?: Partial<HostRunRequest>): Promise<RunAnswer>;
  /** One call with these arguments. */
  call(verb: string, args: readonly Json[], request?: Partial<HostRunRequest>): Promise<RunAnswer>;
  observed(): Promise<Json>;
  /** Advances the time that programs and adapters see by `ms` milliseconds. */
  advance(ms: number): void;
  stop(): Promise<void>;
};

const BEGIN = Date.UTC(2030, 0, 1);

/** The time that programs see stands still until it is advanced; deadlines use real time. */
function standingClock(): Clock & { advance(ms: number): void } {
  let wall = BEGIN;
  return {
    now: () => performance.now(),
    wall: () => wall,
    wait(ms, then) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    advance(ms) {
      wall += ms;
    },
  };
}

/** Starts a fixture and a host with the adapter; `stop` ends both. */
export async function openBench(definition: AdapterDefinition, start: () => Promise<Fixture>): Promise<Bench> {
  const fixture = await start();
  const { services, watch } = watchedServices(fixture.services);
  const tally: Tally = { opened: 0, live: 0, ran: 0, running: 0 };
  const logged: string[] = [];
  const counted = countedDefinition(definition, tally);
  const clock = standingClock();
  const host = hostOf(definition, clock);

  const adaptersUnder = (settings: JsonObject): ReadonlyMap<string, Adapter> => {
    const all = [{ definition: counted, settings: { ...fixture.settings, ...settings } }, ...(fixture.beside ?? [])];
    return new Map(
      all.map((one) => {
        const linked = linkAdapter(one.definition, one.settings, {
          services,
          secret: async (name) => fixture.secrets?.[name],
          log: (event, fields) => logged.push(JSON.stringify({ event, ...fields })),
          now: clock.wall,
        });
        if (!linked.ok) throw new Error(linked.issues.map(({ path, message }) => `${path}: ${message}`).join("; "));
        return [one.definition.name, linked.adapter];
      }),
    );
  };

  const run: Bench["run"] = async ({ source, settings = {}, frame: given = {} }, request = {}) => {
    const frame = { ...fixture.frame, ...given };
    const { ir, diagnostics } = host.compile(source, { strict: false, inputs: Object.keys(frame) });
    if (ir === null) throw new Error(`${diagnostics[0]?.message ?? "does not compile"}: ${source}`);
    const { desk } = fixture;
    return host.run({ ir, frame, desk, adapters: adaptersUnder(settings), limits: LIMITS, ...request });
  };

  return {
    fixture,
    tally,
    watch,
    logged,
    run,
    call: (verb, args, request) => run(callProgram(definition.name, verb, args), request),
    observed: async () => (await fixture.observe?.()) ?? null,
    advance: clock.advance,
    stop: () => fixture.stop(),
  };
}

const LIMITS = { max_time_ms: 20_000 };

function hostOf(definition: AdapterDefinition, clock: Clock): Host {
  const others = builtinAdapters.filter(({ name }) => name !== definition.name);
  let ids = 0;
  return createHost({
    clock,
    facts: {
      uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
      env: () => undefined,
      random: () => 0.5,
    },
    catalog: createCatalog([...others, catalogEntryOf(definition)]),
    adapters: new Map(),
    traceId: () => `run-${++ids}`,
  });
}

function countedDefinition(definition: AdapterDefinition, tally: Tally): AdapterDefinition {
  const verbs = Object.entries(definition.verbs).map(([name, verb]): [string, VerbDefinition] => [
    name,
    {
      ...verb,
      run(call) {
        tally.ran += 1;
        const answer = verb.run(call);
        if (!isPromise(answer)) return answer;
        tally.running += 1;
        const over = (): void => {
          tally.running -= 1;
        };
        answer.then(over, over);
        return answer;
      },
    },
  ]);
  return {
    ...definition,
    verbs: Object.fromEntries(verbs),
    open(call) {
      tally.opened += 1;
      const instance = definition.open?.(call);
      if (!isPromise(instance)) {
        tally.live += 1;
        return instance;
      }
      return instance.then((opened) => {
        tally.live += 1;
        return opened;
      });
    },
    close(instance) {
      tally.live -= 1;
      return definition.close?.(instance);
    },
  };
}
