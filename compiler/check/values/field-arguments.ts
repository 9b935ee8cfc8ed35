/**
 * Fields written as the member of an element, as in `sort_by(rows, r.n)`: elsewhere a function reads the member of each element, and here the field
 * is a text. `r.n` was the path of a member `r`, and `rows.n` the null that a list has there, so nothing was sorted.
 */
import type { Operand } from "../../../grammar/ast.ts";
import type { Advice, Place, Rule } from "./call-advice.ts";

/** Names of an element in general. */
const ITEMS: ReadonlySet<string> = new Set(["item", "it", "row", "each", "elem", "element", "entry", "record", "obj"]);

function rootOf(operand: Operand | undefined): string | null {
  if (operand?.k === "name" || operand?.k === "var") return operand.v;
  return operand?.k === "path" ? (operand.segments.at(-1) ?? null) : null;
}

/** Whether a name is that of an element: `r`, `row` and `item` of `rows`, where nothing sets it. */
function isElement(name: string, list: string | null): boolean {
  return name.length === 1 || ITEMS.has(name) || (list !== null && list.length > name.length && list.startsWith(name));
}

const PLACES: Readonly<Record<string, number>> = { key: 0, name: 0, value: 1, count: 1 };

/** `sort_by(entries(d), "value")`: its elements are pairs. */
const ofPairs: Rule = ({ args: [list, field] }, { types }) => {
  if (list === undefined || types.of(list) !== "A[pair]") return null;
  if (field?.k !== "str" || /^-?[0-9]/.test(field.v)) return null;
  const own = Object.hasOwn(PLACES, field.v) ? String(PLACES[field.v]) : null;
  const suggestion = "elements of entries are pairs: write 0 for the key, 1 for the value";
  const edits = own === null ? [] : [{ span: field.span, new_text: own }];
  return { suggestion, fix: own === null ? null : { title: `write ${own}`, edits } };
};

const byField: Rule = (call, place) => {
  const [list, field] = call.args;
  if (field?.k === "str") return ofPairs(call, place);
  if (field?.k !== "path") return null;
  const name = rootOf(list);
  // With a text the file does not set the root.
  const isMeant = (list?.k !== "path" && field.root === name) || (field.text !== null && isElement(field.root, name));
  return isMeant ? quoted(field, field.segments.join("."), place) : null;
};

/** `sum(rows.n)` */
const ofList: Rule = (call, place) => {
  const [list, ...more] = call.args;
  if (list?.k !== "path" || more.length > 0 || list.segments.length !== 1) return byField(call, place);
  const [member = ""] = list.segments;
  if (!place.isList({ k: "var", v: list.root, span: list.span }) || /^-?[0-9]+$/.test(member)) return null;
  const written = `${list.root}, "${member}"`;
  const suggestion = `the field is a text: write ${written}`;
  return {
    suggestion,
    fix: place.isMarked ? { title: `write ${written}`, edits: [{ span: list.span, new_text: written }] } : null,
  };
};

function quoted({ span }: Operand, field: string, { isMarked }: Place): Advice {
  const written = `"${field}"`;
  const suggestion = `the field is a text: write ${written}`;
  return { suggestion, fix: isMarked ? { title: `write ${written}`, edits: [{ span, new_text: written }] } : null };
}

export const FIELD_RULES: Readonly<Record<string, Rule | undefined>> = {
  ...Object.fromEntries(
    "sort_by group_by count_by index_by min_by max_by find".split(" ").map((name) => [name, byField]),
  ),
  sum: ofList,
  avg: ofList,
};
