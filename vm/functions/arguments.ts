/**
 * How functions read their arguments: required ones by position, and the failures for missing ones. The type every
 * function has.
 */
import type { Json } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import { completed, Pace, type Task } from "../tasks/task.ts";
import { charge, unmetered, type WorkMeter } from "../tasks/work-meter.ts";
import { readNumber, readWhole } from "../values/numbers.ts";
import { textOf, textTask } from "../values/text.ts";
import { isMarked, markTask } from "../values/text-marks.ts";
import { isContainer, MAX_TEXT_UNITS, SIZE, type Sized, tooLarge } from "../values/values.ts";

/**
 * Depends on its arguments only and never changes them. Throws OperationFailure, or whatever the meter throws.
 * `task`: of one that may take long. The same in pieces; null when the arguments are small, so that it is called at once.
 */
export type PureFunction = {
  (args: readonly Json[], meter: WorkMeter): Json;
  readonly task?: (args: readonly Json[], meter: WorkMeter) => Task<Json> | null;
};

/** A function in pieces, from arguments and the pace that counts its work. */
export type PacedFunction = (args: readonly Json[], pace: Pace, meter: WorkMeter) => Task<Json>;

type Options = {
  /** The same for small arguments, where it is worth having. */
  readonly atOnce?: PureFunction;
  /** Whether the function is done at once. Default: by the size of the arguments. */
  readonly isQuick?: (args: readonly Json[], meter: WorkMeter) => boolean;
};

/** A function that works in pieces. */
export function resumable(paced: PacedFunction, options: Options = {}): PureFunction {
  function* task(args: readonly Json[], meter: WorkMeter): Task<Json> {
    const pace = new Pace(meter);
    const value = yield* paced(args, pace, meter);
    pace.end();
    return value;
  }
  const whole: PureFunction = (args, meter) => completed(task(args, meter));
  const { atOnce = whole, isQuick = isSmall } = options;
  const call: PureFunction = (args, meter) => (isQuick(args, meter) ? atOnce : whole)(args, meter);
  return Object.assign(call, {
    task: (args: readonly Json[], meter: WorkMeter) => (isQuick(args, meter) ? null : task(args, meter)),
  });
}

/** Units of all arguments together up to which every function is done in a millisecond. */
const SMALL_ARGUMENTS = 4096;

/** Whether no function takes long over these: containers say their size. */
function isSmall(args: readonly Json[]): boolean {
  let units = 0;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (typeof arg === "string") units += arg.length;
    else if (typeof arg === "object" && arg !== null) {
      const size = (arg as Sized)[SIZE];
      if (size === undefined && !(Array.isArray(arg) && arg.length === 0)) return false;
      units += size ?? 0;
    }
  }
  return units <= SMALL_ARGUMENTS;
}

/** The functions of one file by canonical name. */
export type FunctionGroup = Readonly<Record<string, PureFunction>>;

/**
 * `work` on a text, whose code points are looked for first where that takes long. `asText`: whether it takes the text of a
 * container; else containers are its own affair.
 */
export function onMarkedText(work: PureFunction, asText: (container: Json) => boolean): PureFunction {
  return resumable(
    function* (args, pace, meter) {
      const source = args[0] as Json;
      const text = yield* textTask(source, pace);
      yield* markTask(text, meter);
      return work([text, ...args.slice(1)], meter);
    },
    {
      atOnce: work,
      isQuick: ([source], meter) => {
        if (typeof source === "string") return isMarked(source, meter);
        return !isContainer(source) || !asText(source);
      },
    },
  );
}

export function missingArgument(position: number, name: string): OperationFailure {
  return new OperationFailure(`missing argument ${position} of ${name}`, "missing_argument");
}

export function required(args: readonly Json[], index: number, name: string): Json {
  const value = args[index];
  if (value === undefined) throw missingArgument(index + 1, name);
  return value;
}

export function requiredNumber(args: readonly Json[], index: number, name: string): number {
  return readNumber(required(args, index, name));
}

export function requiredText(args: readonly Json[], index: number, name: string, meter: WorkMeter = unmetered): string {
  return textOf(required(args, index, name), meter);
}

export function* requiredTextTask(args: readonly Json[], index: number, name: string, pace: Pace): Task<string> {
  return yield* textTask(required(args, index, name), pace);
}

/** A whole number by num, cut; `fallback` when the argument is not given. */
export function optionalWhole(args: readonly Json[], index: number, fallback: number): number {
  const value = args[index];
  return value === undefined ? fallback : readWhole(value);
}

/** `a` followed by `b`, within the cap. */
export function joinTwo(a: string, b: string, meter: WorkMeter): string {
  const length = a.length + b.length;
  if (length > MAX_TEXT_UNITS) throw tooLarge();
  charge(meter, length);
  return a + b;
}
