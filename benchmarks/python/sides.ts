/** The sides of the rows in Python, in the order of the report: Weft, its opcode form, CPython, Pydantic's Monty. */
import type { Pace } from "../measure.ts";
import { cpythonFigures } from "./cpython.ts";
import type { PythonRow } from "./rows.ts";

/** Processor milliseconds of one run, for each repetition, and what the last one gave. */
export type PythonMeasured = { readonly samples: readonly number[]; readonly result: unknown };

export type PythonSide = {
  readonly title: string;
  readonly isOf: (row: PythonRow) => boolean;
  /** null: it is not installed. */
  measure(row: PythonRow, root: string, pace: Pace): Promise<PythonMeasured | null>;
};

const all = (): boolean => true;

export const PYTHON_SIDES = {
  weft: {
    title: "Weft",
    isOf: all,
    measure: async (row, root, pace) => (await import("./weft.ts")).weftFigures(row, root, pace),
  },
  opcode: {
    title: "opcode twin",
    isOf: ({ twin }) => twin !== undefined,
    measure: async (row, root, pace) => (await import("./weft.ts")).opcodeFigures(row, root, pace),
  },
  cpython: { title: "CPython", isOf: all, measure: cpythonFigures },
  monty: {
    title: "Monty",
    isOf: all,
    measure: async (row, root, pace) => (await import("./monty.ts")).montyFigures(row, root, pace),
  },
} as const satisfies Record<string, PythonSide>;

export type PythonSideName = keyof typeof PYTHON_SIDES;
export const PYTHON_SIDE_NAMES = Object.keys(PYTHON_SIDES) as PythonSideName[];
