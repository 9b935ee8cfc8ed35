/** A file of a program: the program itself, or one that it imports. */
import type { Module } from "../../../grammar/python/tree.ts";
import type { Scopes } from "../names/scope-walk.ts";
import type { FileImports } from "../names/scopes.ts";
import type { Fault } from "./members.ts";

export type PythonFile = {
  /** As messages call it, from the folder of the program; null: the program itself. */
  readonly path: string | null;
  /** `lib/mail`; the program itself has nothing there. */
  readonly key: string;
  readonly text: string;
  readonly module: Module;
  readonly scopes: Scopes;
  readonly imports: FileImports;
  /** What is wrong with its imports, by statement or name. */
  readonly faults: ReadonlyMap<object, Fault>;
};

/** What stands in front of its labels and globals in the IR. */
export function prefixOf({ key }: Pick<PythonFile, "key">): string {
  return key === "" ? "" : `${key}/`;
}

/** The label of what stands at the top of a program, and of a file. */
export const MODULE_LABEL = "_file";
export function topLabel(file: Pick<PythonFile, "key">): string {
  return prefixOf(file) + MODULE_LABEL;
}

/** The global that says that a file has run. No variable has such a name. */
export function ranGlobal(file: Pick<PythonFile, "key">): string {
  return prefixOf(file);
}
