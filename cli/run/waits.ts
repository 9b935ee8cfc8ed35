/** What `wf run` answers a program that waits for a time or a signal: `--skip-timers` and `--signal`. */
import type { Json } from "../../compiler/json.ts";
import type { RunScope } from "../../vm/adapter.ts";
import type { Clock } from "../../vm/run.ts";
import { parseJson } from "../input/frame.ts";
import { usageFault } from "../session/faults.ts";

type GivenSignal = { readonly name: string; readonly key: string | null; readonly data: Json };

export type WaitFlags = { readonly skipTimers: boolean; readonly signals: readonly string[] };

/** undefined: the run waits as one without a store does. Throws a usage fault for a signal that is not NAME[@KEY]=JSON. */
export function waitsOf({ skipTimers, signals }: WaitFlags, clock: Pick<Clock, "wall">): RunScope["wait"] {
  if (!skipTimers && signals.length === 0) return undefined;
  const given = signals.map(readSignal);
  let number = 0;
  return (spec) => {
    if (spec.kind === "timer") return skipTimers ? Promise.resolve({ at: isoTime(spec.until) }) : null;
    if (spec.kind !== "signal") return null;
    const at = given.findIndex(({ name, key }) => spec.names.includes(name) && key === spec.key);
    const [signal] = at < 0 ? [] : given.splice(at, 1);
    if (signal !== undefined) {
      number += 1;
      const { name, data } = signal;
      return Promise.resolve({ received: true, name, data, id: `signal-${number}`, at: isoTime(clock.wall()) });
    }
    const isOver = spec.until !== null && (skipTimers || spec.until <= clock.wall());
    return isOver ? Promise.resolve({ received: false, name: null, data: null, id: null, at: null }) : null;
  };
}

function readSignal(text: string): GivenSignal {
  const cut = text.indexOf("=");
  const target = cut < 0 ? text : text.slice(0, cut);
  const mark = target.indexOf("@");
  const name = mark < 0 ? target : target.slice(0, mark);
  const key = mark < 0 ? null : target.slice(mark + 1);
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(name) || key === "")
    throw usageFault(`option --signal needs NAME[@KEY]=JSON, such as delivered='{"door": true}'`);
  return { name, key, data: cut < 0 ? null : parseJson("option --signal", { file: null, text: text.slice(cut + 1) }) };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
