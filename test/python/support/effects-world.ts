/** Python programs whose adapter `http` answers as a test says, recorded, replayed, and continued from any part of a journal. */
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { CallContext } from "../../../vm/adapter.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import type { JournalRecord, RunJournal } from "../../../vm/durable/records.ts";
import { createHost, type Host, type RunAnswer } from "../../../vm/host.ts";
import type { Clock, Limits } from "../../../vm/run.ts";
import { compiled } from "./weft.ts";

export type Answering = (url: string, context: CallContext) => Json | Promise<Json>;

/** Time passes only where a run waits: the waits are kept, and are over at once. */
export function waitingClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  let ms = 0;
  return {
    waits,
    now: () => ms,
    wall: () => 1_700_000_000_000 + ms,
    wait: (asked, then) => {
      const timer = setImmediate(() => {
        waits.push(asked);
        ms += asked;
        then();
      });
      return () => clearImmediate(timer);
    },
  };
}

function irOf(source: string | Ir): Ir {
  if (typeof source !== "string") return source;
  const made = compiled(source);
  if ("refused" in made) throw new Error(JSON.stringify(made.refused));
  return made.ir;
}

function effectsHost(answer: Answering, clock: Clock = waitingClock()): Host {
  const http = plainAdapter(
    "http",
    {},
    {
      repeatable: true,
      concurrent: true,
      fallback:
        () =>
        ([url], context) =>
          answer(url as string, context),
    },
  );
  return createHost({
    clock,
    facts: { uuid: () => "00000000-0000-4000-8000-000000000000", env: () => undefined },
    catalog: builtinCatalog,
    adapters: new Map([["http", http]]),
    traceId: () => "run",
  });
}

export type Asked = { readonly frame?: JsonObject; readonly limits?: Limits; readonly clock?: Clock };

export function run(source: string | Ir, answer: Answering, asked: Asked & JsonObject = {}): Promise<RunAnswer> {
  const { clock, frame = {}, limits = {}, ...more } = asked;
  return effectsHost(answer, clock).run({
    ir: irOf(source),
    frame,
    limits,
    allowedAdapters: ["core", "http"],
    ...more,
  });
}

/** A run with a journal that holds `kept` already; what it has at the end. */
export async function durable(
  source: string,
  answer: Answering,
  kept: readonly JournalRecord[] = [],
): Promise<{ readonly answer: RunAnswer; readonly records: readonly JournalRecord[] }> {
  const records = [...kept];
  const journal: RunJournal = {
    load: async () => ({ records: structuredClone(records) }),
    async append(some) {
      for (const record of some) if (record.seq > records.length) records.push(record);
      return "kept";
    },
    park: async () => {
      throw new Error("nothing here may be parked");
    },
    keep: () => {},
  };
  const started = effectsHost(answer).durable({ ir: irOf(source), frame: {}, journal, onUnknown: () => "retry" });
  const end = await started.result;
  if (end.state !== "ended") throw new Error(`the run is ${end.state}`);
  return { answer: end.answer as RunAnswer, records };
}
