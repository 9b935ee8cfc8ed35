/** The bytecode of a Python program made ready: constants as values, routines with what every call needs. One for many runs. */
import { globalName, type PyCode, type PyConstant } from "../../../compiler/bytecode/python/code.ts";
import type { IrIndex } from "../../../compiler/ir/ir-index.ts";
import { FatalFailure } from "../../errors/failures.ts";
import type { Made } from "../borders.ts";
import { PyBytes } from "../kinds/bytes.ts";
import { floatOf, intOf } from "../kinds/float.ts";
import { library } from "../library/library.ts";
import type { Native, PyType, Value } from "../object.ts";
import { type Beginning, beginningOf } from "./beginning.ts";
import type { Built, Routine } from "./frames.ts";

export type PyProgram = {
  readonly code: PyCode;
  readonly constants: readonly (Value | undefined)[];
  readonly routines: readonly Routine[];
  /** null: the file runs in every run. */
  readonly beginning: Beginning | null;
  /** Builtins by global: what a global means that the file does not set. */
  readonly builtins: readonly (Value | undefined)[];
  /** By name of a method: the type that it was looked up in last, and what was found. */
  readonly lookups: (Lookup | undefined)[];
  /** By number of an adapter call. */
  readonly stubs: readonly StubPlace[];
  /** null: its routines stay in the loop. */
  readonly builder: RoutineBuilder | null;
  /** What its steps are, for traced runs; null: for others. */
  readonly graph: IrIndex | null;
};

/** Makes routines that were called often into generated code. */
export type RoutineBuilder = {
  /** Calls and passes before it does. */
  readonly heat: number;
  /** null: this one stays in the loop. */
  build(program: PyProgram, routine: Routine): Built | null;
};

type Lookup = { readonly type: PyType; readonly method: Native };

/** The stub of an adapter call: its instruction, the variables of its arguments, and that of its answer. */
export type StubPlace = {
  readonly pc: number;
  readonly slots: readonly number[];
  readonly answer: number;
  readonly made: Made;
};

export function loadPython(
  code: PyCode,
  stubs: readonly StubPlace[],
  graph: IrIndex | null,
  builder: RoutineBuilder | null,
): PyProgram {
  const constants = code.constants.map(constantOf);
  const routines = code.routines.map(
    (routine): Routine => ({
      ...routine,
      heat: 0,
      built: null,
      empty: new Array<undefined>(routine.registers).fill(undefined),
      isSimple:
        routine.kind !== "generator" &&
        routine.cells.length === 0 &&
        routine.params.every(({ kind, optional }) => (kind === "any" || kind === "position") && !optional),
    }),
  );
  return {
    code,
    constants,
    routines,
    beginning: graph === null ? beginningOf(code, constants, routines) : null,
    lookups: new Array<undefined>(code.names.length).fill(undefined),
    stubs,
    graph,
    builder,
    builtins: code.globals.map((name) => library().values.get(globalName(name))),
  };
}

const SPECIAL_FLOATS: Readonly<Record<string, number>> = { inf: Infinity, "-inf": -Infinity, nan: Number.NaN };

function constantOf(constant: PyConstant): Value | undefined {
  switch (constant.k) {
    case "value":
      return constant.v;
    case "unset":
      return undefined;
    case "int":
      return intOf(BigInt(constant.v));
    case "float":
      return floatOf(SPECIAL_FLOATS[constant.v] ?? Number(constant.v));
    case "bytes":
      return new PyBytes(Uint8Array.from(constant.v, (unit) => unit.charCodeAt(0)));
    case "lib": {
      const found = library().values.get(constant.v);
      if (found !== undefined) return found;
      throw new FatalFailure("RUNTIME_X_UNKNOWN_FN", `unknown function ${constant.v}`, "program", { fn: constant.v });
    }
  }
}
