/**
 * A run that has printed nothing for a second shows on a terminal what it waits for: the adapter call under way with its step, or how
 * far it has come. The line disappears when the run is over. Pipes, CI logs and `--quiet` get none.
 */
import { stepName } from "../../compiler/diagram/label-names.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Adapter, AdapterVerb, CallContext } from "../../vm/adapter.ts";
import type { Prepared } from "../../vm/admission/prepare.ts";
import type { Usage } from "../../vm/run.ts";
import { visible } from "../output/terminal/columns.ts";
import { canRedraw } from "../output/terminal/redrawn-line.ts";
import { startSpinner } from "../output/terminal/spinner.ts";
import { duration, grouped } from "../output/terminal/table.ts";
import type { Session } from "../session/session.ts";

const MUTE_MS = 1000;

export type Waiting = {
  /** The program with adapters whose calls are watched. */
  readonly prepared: Prepared;
  readonly progress: ((usage: Usage) => void) | undefined;
  end(): void;
};

export function showWaiting({ io, screen, environment }: Session, prepared: Prepared): Waiting {
  // Events of the log go to the same terminal and show already what happens.
  if (screen.quiet || environment.logLevel !== null || !canRedraw(io.stderr, environment))
    return { prepared, progress: undefined, end: () => undefined };
  const { clock } = io;
  const started = clock.now();
  const calls = new Set<string>();
  let steps = 0;
  const spinner = startSpinner(clock, io.stderr, environment.utf8, MUTE_MS);
  spinner.show(() => {
    const [call] = calls;
    const what = call === undefined ? `running  steps ${grouped(steps)}` : `waiting for ${call}`;
    return `${what}  ${duration(clock.now() - started)}`;
  });
  return {
    prepared: { ...prepared, adapters: watched(prepared.adapters, calls, prepared.ir) },
    progress: (usage) => {
      steps = usage.steps;
    },
    end: spinner.end,
  };
}

/** The same adapters; `calls` holds the calls that have no answer yet. */
function watched(adapters: ReadonlyMap<string, Adapter>, calls: Set<string>, ir: Ir): ReadonlyMap<string, Adapter> {
  return new Map([...adapters].map(([name, adapter]) => [name, watchedAdapter(adapter, calls, ir)]));
}

/** Adapters may be instances of classes, so their own functions are called on them. */
function watchedAdapter(adapter: Adapter, calls: Set<string>, ir: Ir): Adapter {
  const { open, close, check } = adapter;
  return {
    name: adapter.name,
    ...(adapter.lacks === undefined ? {} : { lacks: adapter.lacks }),
    concurrent: adapter.concurrent === true,
    verb: (word) => {
      const verb = adapter.verb(word);
      return verb === undefined ? undefined : watchedVerb(adapter.name, verb, calls, ir);
    },
    ...(open === undefined ? {} : { open: open.bind(adapter) }),
    ...(close === undefined ? {} : { close: close.bind(adapter) }),
    ...(check === undefined ? {} : { check: check.bind(adapter) }),
  };
}

function watchedVerb(adapter: string, verb: AdapterVerb, calls: Set<string>, ir: Ir): AdapterVerb {
  const bind: AdapterVerb["bind"] = (args) => {
    const bound = verb.bind(args);
    const run = (instance: unknown, context: CallContext): unknown => {
      const answer = bound.run(instance, context);
      if (!(answer instanceof Promise)) return answer;
      const call = `${visible(`${adapter}.${verb.name}`)}  ${visible(stepOf(context.callId, ir))}`;
      calls.add(call);
      return answer.finally(() => calls.delete(call));
    };
    const { timeoutMs, maxResultBytes, repeatable, harmless } = bound;
    return { timeoutMs, maxResultBytes, repeatable, ...(harmless === undefined ? {} : { harmless }), run };
  };
  return { name: verb.name, effectTier: verb.effectTier, bind };
}

/**
 * `<trace_id>/<label>/<node>/<visit>` → `main line 3`, and in a branch `<trace_id>/<its name>#3:<label>/…` → `main line 3 #3`. Ids of labels may
 * have slashes.
 */
function stepOf(callId: string, ir: Ir): string {
  const [branch = ""] = /#[0-9]+(?=:[^:]*$)/.exec(callId) ?? [];
  const parts = callId.slice((branch === "" ? callId.indexOf("/") : callId.lastIndexOf(":")) + 1).split("/");
  const place = { label: parts.slice(0, -2).join("/"), id: String(parts.at(-2)) };
  const node = ir.nodes.find(({ label, id }) => label === place.label && id === place.id);
  return `${stepName(ir, node ?? place)}${branch === "" ? "" : ` ${branch}`}`;
}
