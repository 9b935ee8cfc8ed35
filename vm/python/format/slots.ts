/** Gives int, float, bool and str their formats. */
import type { PyFloat } from "../kinds/float.ts";
import { type Context, FLOAT_TYPE, fillSlots, INT_TYPE, STR_TYPE, type Value } from "../object.ts";
import { text } from "../operators/text.ts";
import { formatFloat } from "./floats.ts";
import { formatInt } from "./ints.ts";
import { parseSpec } from "./spec.ts";
import { formatText } from "./texts.ts";

type Int = number | bigint | boolean;

/** bool inherits it. */
fillSlots<Int>(INT_TYPE, {
  format: (self: Int, spec: string, ctx: Context) =>
    formatInt(
      typeof self === "boolean" ? Number(self) : self,
      spec === "" ? text(self, ctx) : "",
      spec,
      typeof self === "boolean" ? "bool" : "int",
    ),
});
fillSlots<number | PyFloat>(FLOAT_TYPE, {
  format: (self: number | PyFloat, spec: string, ctx: Context) =>
    spec === ""
      ? text(self as Value, ctx)
      : formatFloat(typeof self === "number" ? self : self.value, parseSpec(spec, "float", "", ">")),
});
fillSlots<string>(STR_TYPE, { format: (self: string, spec: string) => formatText(self, spec) });
