/** What a file of the program has under a name, for other files. */
import { listed } from "../../../grammar/text/english.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import type { FileModule, Imported } from "../names/scopes.ts";
import type { Refusal } from "../refusal.ts";

/** A row of the table of refusals and its words. */
export type Fault = Pick<Refusal, "row" | "words">;

/** A variable of the file, by its name in the IR; what the file imported; a file of its folder. */
export type Member = { readonly global: string } | { readonly imported: Imported } | { readonly file: FileModule };

export function memberOf({ name: module, key, code, members }: FileModule, name: string): Member | Fault {
  const file = members.get(name);
  const imported = code?.scope.imports.get(name);
  const isBound = code?.scope.bound.has(name) === true;
  if (file !== undefined && (isBound || (imported !== undefined && imported.file !== file)))
    return { row: "import_two_meanings", words: { module, name } };
  if (file !== undefined) return { file };
  if (imported !== undefined) return { imported };
  if (code?.certain.has(name) === true) return { global: `${key}/${name}` };
  if (isBound) return { row: "import_uncertain", words: { module, name } };
  const names = [...(code === null ? [] : [...code.scope.bound, ...code.scope.imports.keys()]), ...members.keys()];
  const near = nearest(name, names);
  if (near !== null) return { row: "unknown_member_near", words: { module, name, near } };
  if (names.length === 0) return { row: "unknown_member", words: { module, name } };
  return { row: "import_no_name", words: { module, name, names: shownNames(names) } };
}

const MOST_SHOWN = 10;

export function shownNames(names: readonly string[]): string {
  const some = names.slice(0, MOST_SHOWN);
  return listed(names.length > some.length ? [...some, `${names.length - some.length} more`] : some);
}
