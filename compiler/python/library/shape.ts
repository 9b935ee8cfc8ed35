/** The library of the Python form as completion offers it, made from its rows when it is first asked for. */
import type { LibraryMember, LibraryShape } from "../../../grammar/generate/shape.ts";
import { formsOf } from "../names/forms.ts";
import { BUILTIN_NAMES, KNOWN_MODULES, membersOf } from "./known.ts";
import { LIBRARY_ROWS } from "./rows.ts";

function memberOf(whole: string): LibraryMember {
  const name = whole.slice(whole.lastIndexOf(".") + 1);
  const row = LIBRARY_ROWS.get(whole);
  if (row === undefined) return plain(name);
  return { name, params: row.params.replace(/^self(?:, |$)/, ""), result: row.result, help: row.help };
}

const plain = (name: string): LibraryMember => ({ name, params: null, result: "", help: "" });

/** What annotations take from typing, which has no rows. */
const TYPING =
  "Annotated Any Callable Dict Final Iterable Iterator List Literal Mapping NotRequired Optional Required Sequence Set Tuple TypedDict Union"
    .split(" ")
    .map(plain);

export const LIBRARY_SHAPE: LibraryShape = {
  modules: [...KNOWN_MODULES, "weft"],
  get builtins() {
    return [...BUILTIN_NAMES].filter((name) => !name.startsWith("_")).map(memberOf);
  },
  under(owner) {
    if (owner === "typing") return TYPING;
    const names = new Set([...membersOf(owner), ...formsOf(owner)]);
    return [...names].map((name) => memberOf(`${owner}.${name}`));
  },
};
