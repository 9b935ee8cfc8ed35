/**
 * Functions of texts and times, whose results are the same for a well-typed argument of either form: the functions of the opcode form with a border
 * around them. Their arguments are checked before (`kinds.ts`), so that nothing is converted inside.
 */
import type { Json } from "../../../../compiler/json.ts";
import { OperationFailure } from "../../../errors/failures.ts";
import { functionOf } from "../../../functions/table.ts";
import type { Task } from "../../../tasks/task.ts";
import type { WorkMeter } from "../../../tasks/work-meter.ts";
import { entered, left } from "../../borders.ts";
import { raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import type { Calling, Context, NativeRun, Value } from "../../object.ts";
import type { Functions } from "./kinds.ts";

/** Arguments that are left out at the end are not given. */
function bridge(name: string): NativeRun {
  const run = functionOf(name, "call");
  if (run === undefined) throw new Error(`no function ${name}`);
  return (ctx, ...args: (Value | undefined)[]) => {
    const given: Json[] = [];
    let last = args.length;
    while (last > 0 && (args[last - 1] ?? null) === null) last -= 1;
    for (const value of args.slice(0, last)) given.push(left(value ?? null, ctx));
    const meter: WorkMeter = { charge: (units) => ctx.charge(units), checkRoom: (bytes) => ctx.room(bytes) };
    try {
      const task = run.task?.(given, meter) ?? null;
      return task === null ? entered(run(given, meter), ctx) : pieces(task, ctx);
    } catch (error) {
      throw asException(error);
    }
  };
}

function* pieces(task: Task<Json>, ctx: Context): Calling {
  try {
    for (;;) {
      const step = task.next();
      if (step.done === true) return entered(step.value, ctx);
      yield null;
    }
  } catch (error) {
    throw asException(error);
  }
}

function asException(error: unknown): unknown {
  if (!(error instanceof OperationFailure)) return error;
  return raised(error.causeType === "type_error" ? TYPE_ERROR : VALUE_ERROR, error.message);
}

function bridged(kinds: Readonly<Record<string, string>>): Functions {
  return Object.fromEntries(Object.entries(kinds).map(([name, words]) => [name, [words, bridge(name)]]));
}

export const BRIDGED: Functions = bridged({
  trim: "str",
  substr: "str int int?",
  capitalize: "str",
  title: "str",
  chars: "str",
  lines: "str",
  words: "str",
  pad: "str int str str",
  match: "str str",
  find_all: "str str",
  replace_all: "str str str",
  split_by: "str str",
  date_parse: "str str?",
  date_format: "time str? str?",
  date_add: "time int str str?",
  date_diff: "time time str str?",
  date_part: "time str str?",
  date_trunc: "time str str?",
  iso_ts: "number",
});
