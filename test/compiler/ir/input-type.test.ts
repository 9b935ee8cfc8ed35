/** console-2 § 2: types of inputs are said in the words of the program. */
import { expect, it } from "vitest";
import { annotationOf } from "../../../compiler/ir/input-type.ts";

it.each([
  [[], "Any"],
  [["A[number]"], "list[float]"],
  [["M[integer]"], "dict[str, int]"],
  [["text?"], "str | None"],
  [["M[A[number]]?"], "dict[str, list[float]] | None"],
  [["integer", "text"], "int | str"],
  [["U[integer,A[U[text,boolean]]]?"], "int | list[str | bool] | None"],
  [["E[a,b]"], 'Literal["a", "b"]'],
  [['L["a",1,true,null]'], 'Literal["a", 1, True, None]'],
  [["Line"], "Line"],
  [["constructor"], "constructor"],
])("writes %j as an annotation of Python", (types, expected) => {
  expect(annotationOf(types)).toBe(expected);
});
