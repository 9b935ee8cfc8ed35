/** `print`, and values of Python from answers of the host. */
import { raised, TYPE_ERROR } from "../exceptions.ts";
import { floatOf, PyFloat } from "../kinds/float.ts";
import type { PyTuple } from "../kinds/list.ts";
import { type Context, typeOf, type Value } from "../object.ts";
import { text } from "../operations.ts";
import type { Part } from "./registry.ts";

function print(ctx: Context, values: PyTuple, sep: Value, end: Value): Value {
  const parts = values.items.map((value) => text(value, ctx));
  ctx.print?.(parts.join(separator(sep, " ", "sep")) + separator(end, "\n", "end"));
  return null;
}

function separator(value: Value, usual: string, name: string): string {
  if (value === null) return usual;
  if (typeof value === "string") return value;
  throw raised(TYPE_ERROR, `${name} must be None or a string, not ${typeOf(value).name}`);
}

const MS = 1000;

/** The clock of the host counts milliseconds. */
function seconds(_ctx: Context, ms: Value): Value {
  return floatOf((ms instanceof PyFloat ? ms.value : Number(ms)) / MS);
}

export const HOST: Part = {
  natives: { print, "host.time": seconds, "host.slept": () => null },
};
