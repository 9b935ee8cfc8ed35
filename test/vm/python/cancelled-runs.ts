/** Runs of Python programs that are cancelled: by `ext.cancel()`, or while `ext.hold()` waits for an answer that never comes. */

import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { createCatalog } from "../../../compiler/catalog.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Json } from "../../../compiler/json.ts";
import type { Adapter, AdapterVerb } from "../../../vm/adapter.ts";
import type { OnUnknown } from "../../../vm/durable/call-options.ts";
import type { DurableEnd } from "../../../vm/durable/durable-request.ts";
import type { MemoryJournal } from "../../../vm/durable/memory-journal.ts";
import { createHost, type RunAnswer } from "../../../vm/host.ts";
import type { Clock, Limits } from "../../../vm/run.ts";
import { Cancelling } from "../../../vm/runs/cancellation.ts";
import { facts } from "../../support/answered-calls.ts";
import { extEntry, WRITES } from "../../support/ext-entry.ts";

export type Cancelled = {
  readonly limits?: Limits;
  readonly halt?: Cancelling;
  /** The run is cancelled before it begins. */
  readonly before?: boolean;
  /** Milliseconds that pass when a second call holds. */
  readonly passes?: number;
};

const VERBS = ["w", "u", "hold", "cancel", "halt"] as const;
type Verb = (typeof VERBS)[number];

const catalog = createCatalog([
  ...builtinCatalog
    .names()
    .map((name) => builtinCatalog.adapter(name))
    .flatMap((entry) => (entry === undefined || entry.name === "ext" ? [] : [entry])),
  extEntry(VERBS, WRITES),
]);

/** Time stands still until somebody moves it. */
class TestClock implements Clock {
  #now = 1000;
  #timers: { at: number; then: () => void }[] = [];
  now = (): number => this.#now;
  wall = (): number => 1_700_000_000_000 + this.#now;
  wait = (ms: number, then: () => void): (() => void) => {
    const timer = { at: this.#now + ms, then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };
  pass(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { then } of due) then();
  }
}

type World = {
  readonly cancel: Cancelling;
  readonly halt: Cancelling;
  readonly clock: TestClock;
  holds: boolean;
  passes: number;
};

function ext(made: string[], world: World, concurrent = false): Adapter {
  const acts: Readonly<Record<Verb, () => unknown>> = {
    w: () => null,
    u: () => null,
    hold: () => {
      if (!world.holds) return null;
      queueMicrotask(() => {
        if (world.halt.aborted) return;
        if (!world.cancel.aborted) world.cancel.abort("enough");
        else world.clock.pass(world.passes);
      });
      return new Promise(() => {});
    },
    cancel: () => {
      if (world.holds) world.cancel.abort("enough");
      return null;
    },
    halt: () => {
      world.halt.abort("at once");
      return null;
    },
  };
  const verbs = new Map<string, AdapterVerb>(
    VERBS.map((name) => [
      name,
      {
        name: name.toUpperCase(),
        effectTier: "io-write",
        bind: (args: readonly Json[]) => ({
          timeoutMs: null,
          maxResultBytes: null,
          repeatable: name !== "u",
          run: async () => {
            made.push([name, ...args.map(String)].join(" "));
            return acts[name]();
          },
        }),
      },
    ]),
  );
  return { name: "ext", concurrent, verb: (word) => verbs.get(word.toLowerCase()) };
}

function irOf(source: string) {
  const { ir, diagnostics } = compile(source, { catalog });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  return ir;
}

function hostOf(world: World, made: string[], concurrent = false) {
  return createHost({
    clock: world.clock,
    facts,
    catalog,
    adapters: new Map([["ext", ext(made, world, concurrent)]]),
    traceId: () => "t",
  });
}

function worldOf(holds: boolean, passes: number, halt = new Cancelling()): World {
  return { cancel: new Cancelling(), halt, clock: new TestClock(), holds, passes };
}

export async function cancelledAt(
  source: string,
  { limits = {}, halt, before = false, passes = 0 }: Cancelled = {},
): Promise<{ readonly made: readonly string[]; readonly answer: RunAnswer }> {
  const made: string[] = [];
  const world = worldOf(true, passes, halt);
  if (before) world.cancel.abort("enough");
  const answer = await hostOf(world, made).run({
    ...{ ir: irOf(source), frame: {}, limits, signal: world.cancel },
    ...(halt === undefined ? {} : { halt }),
  });
  return { made, answer };
}

type Durably = { readonly cancels?: boolean; readonly onUnknown?: OnUnknown; readonly concurrent?: boolean };

/** `cancels`: calls of `cancel` and `hold` cancel the run; else they return at once. */
export async function durably(
  source: string,
  journal: MemoryJournal,
  { cancels = false, onUnknown = "fail", concurrent = false }: Durably,
): Promise<{ readonly made: readonly string[]; readonly end: DurableEnd }> {
  const made: string[] = [];
  const world = worldOf(cancels, 0);
  const { result } = hostOf(world, made, concurrent).durable({
    ...{ ir: irOf(source), frame: {}, signal: world.cancel, journal },
    onUnknown: () => onUnknown,
  });
  return { made, end: await result };
}
