/** A pure core call that is computed in pieces: admitted already, timed, recorded and observed like one that is answered at once. */
import type { Json } from "../../../compiler/json.ts";
import { causeOf } from "../../calls/call-errors.ts";
import { timed } from "../../calls/call-times.ts";
import { measured } from "../../memory/long-work.ts";
import type { Task } from "../../tasks/task.ts";
import { callAt } from "../journal-hooks.ts";
import type { Machine } from "../machine.ts";
import { tellObserver } from "../observer-hooks.ts";

type LongCore = { readonly verb: string; readonly args: readonly Json[]; readonly task: Task<Json> };

export function* longCore(m: Machine, pc: number, { verb, args, task }: LongCore): Task<Json> {
  const { deps, observer } = m.options;
  const journal = m.options.journal ?? null;
  const call = { adapter: "core", verb, args };
  const before = deps.clock.now();
  m.checkTimeAt(before);
  journal?.begin(callAt(m, pc, { ...call, pure: true }));
  let result: Json;
  try {
    result = yield* measured(task, m);
  } catch (thrown) {
    journal?.threw(thrown);
    const ms = deps.clock.now() - before;
    timed(m, "core", ms);
    const cause = causeOf(thrown);
    if (observer !== undefined && cause !== null) tellObserver(m, observer, pc, call, { cause }, ms);
    throw thrown;
  }
  journal?.end({ ok: true, result });
  const after = deps.clock.now();
  timed(m, "core", after - before);
  if (observer !== undefined) tellObserver(m, observer, pc, call, { result }, after - before);
  m.checkTimeAt(after);
  return result;
}
