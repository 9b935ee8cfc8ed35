/** The bytecode of the Python functions of a program. Immutable; many runs share it. */
import type { PyLabel } from "../../ir/graph.ts";

/** A constant as the IR writes it; the machine makes the value of it. */
export type PyConstant =
  | { readonly k: "value"; readonly v: string | number | boolean | null }
  | { readonly k: "unset" }
  | { readonly k: "int" | "float" | "bytes" | "lib"; readonly v: string };

export type PyRoutine = PyLabel & {
  readonly label: string;
  readonly pc: number;
  readonly end: number;
  /** Registers: parameters first, then variables, then what is computed meanwhile. */
  readonly registers: number;
  /** Name of each variable's register, for messages. */
  readonly variables: readonly string[];
  /** Register of a parameter that is captured → its cell. Pairs. */
  readonly cellParameters: readonly (readonly [register: number, cell: number])[];
  /** Rows (from, to, target): what the instructions from `from` up to `to` raise continues at `target`. By `from`. */
  readonly handlers: Int32Array;
};

/** Where an instruction comes from. `file`: null: the program itself. */
export type PySite = {
  readonly label: string;
  readonly node: string;
  readonly line: number | null;
  readonly file: string | null;
};

export type PyStub = Omit<PySite, "file"> & { readonly adapter: string; readonly verb: string };

export type PyCode = {
  readonly code: Int32Array;
  /** The first one is the file. */
  readonly routines: readonly PyRoutine[];
  readonly byLabel: ReadonlyMap<string, number>;
  readonly constants: readonly PyConstant[];
  /** Names of attributes and methods. */
  readonly names: readonly string[];
  /** Those of a file that the program imports have its name in front: `lib/mail/limit`. */
  readonly globals: readonly string[];
  readonly keywords: readonly (readonly string[])[];
  /** Rows (pc, site), by pc: the site of an instruction is that of the last row at or before it. */
  readonly siteAt: Int32Array;
  readonly sites: readonly PySite[];
  /** By number of an adapter call: where it stands, and what it calls. */
  readonly stubs: readonly PyStub[];
};

/** How a file itself names one of its globals. */
export function globalName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
