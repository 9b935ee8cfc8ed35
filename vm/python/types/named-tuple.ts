/** Tuples whose elements have names, as functions of modules give them: `Match(a=0, b=4, size=5)`. */
import { type PyTuple, TUPLE_TYPE } from "../kinds/list.ts";
import { notExact } from "../not-exact.ts";
import { type Context, PyType, setType, type Value } from "../object.ts";
import { repr } from "../operators/text.ts";

/** Makes the type of a class of such tuples. `name`: with its module. */
export function nameElements(made: { readonly prototype: PyTuple }, name: string, fields: readonly string[]): PyType {
  const word = name.slice(name.lastIndexOf(".") + 1);
  const slots = {
    repr: ({ items }: PyTuple, ctx: Context) =>
      `${word}(${fields.map((field, at) => `${field}=${repr(items[at] as Value, ctx)}`).join(", ")})`,
    attribute({ items }: PyTuple, field: string): Value | undefined {
      if (field.startsWith("_")) throw notExact(`${field} of ${word} is not supported`);
      const at = fields.indexOf(field);
      return at < 0 ? undefined : items[at];
    },
  };
  return setType(made, new PyType(word, [TUPLE_TYPE], slots, name));
}
