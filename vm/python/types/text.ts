/** Operators of texts, by code points. */
import { OVERFLOW_ERROR, raised, TYPE_ERROR } from "../exceptions.ts";
import { percentFormat } from "../format/percent.ts";
import { PySlice } from "../kinds/slice.ts";
import {
  Bytes,
  type Context,
  END,
  fillSlots,
  type Next,
  PyIterator,
  type PyType,
  STR_TYPE,
  setType,
  typeOf,
  type Value,
} from "../object.ts";
import { placeOf, positionsOf } from "../operators/index.ts";
import { isInt } from "../operators/numbers.ts";
import { isPlain, offsetOf, textAt, textLength } from "../operators/texts.ts";
import { iteratorType } from "./elements.ts";
import { timesOf } from "./repeat.ts";

/** Walks code points. */
class PyTextIterator extends PyIterator {
  declare readonly type: PyType;
  readonly #text: string;
  #offset = 0;
  constructor(text: string) {
    super();
    this.#text = text;
  }
  next(): Next {
    const point = this.#text.codePointAt(this.#offset);
    if (point === undefined) return END;
    if (point > 0xffff) {
      this.#offset += 2;
      return this.#text.slice(this.#offset - 2, this.#offset);
    }
    return this.#text[this.#offset++] as string;
  }
}
setType(PyTextIterator, iteratorType("str_iterator"));

fillSlots<string>(STR_TYPE, {
  length: textLength,
  iterate: (self) => new PyTextIterator(self),
  contains(self, item, ctx) {
    if (typeof item !== "string")
      throw raised(TYPE_ERROR, `'in <string>' requires string as left operand, not ${typeOf(item).name}`);
    ctx.charge(self.length >> 3);
    return self.includes(item);
  },
  item(self, at, ctx) {
    if (at instanceof PySlice) return sliceOf(self, at, ctx);
    if (!isInt(at)) throw raised(TYPE_ERROR, `string indices must be integers, not '${typeOf(at).name}'`);
    return textAt(self, placeOf(at, textLength(self), "string index"));
  },
  binary(self, op, other, ctx) {
    if (op === "*") return multiplied(self, other, ctx);
    if (op === "+") throw raised(TYPE_ERROR, `can only concatenate str (not "${typeOf(other).name}") to str`);
    if (op === "%") return percentFormat(self, other, ctx);
    return undefined;
  },
  reflected: (self, op, other, ctx) => (op === "*" ? multiplied(self, other, ctx) : undefined),
});

function multiplied(text: string, other: Value, ctx: Context): string {
  if (isInt(other) && text.length > 1 && Number(other) < 2 ** 63 && Number(other) * textLength(text) >= 2 ** 63)
    throw raised(OVERFLOW_ERROR, "repeated string is too long");
  return text.repeat(timesOf(other, text.length * Bytes.Unit, ctx));
}

function sliceOf(text: string, slice: PySlice, ctx: Context): string {
  const { start, step, count } = positionsOf(slice, textLength(text));
  if (count === 0) return "";
  let part = "";
  if (step === 1) part = text.slice(offsetOf(text, start), offsetOf(text, start + count));
  else {
    ctx.charge(count);
    part = isPlain(text) ? unitsOf(text, start, step, count) : pointsOf(text, start, step, count);
  }
  ctx.alloc(part.length * Bytes.Unit);
  return part;
}

/** Code units that become a text at once. */
const AT_ONCE = 8_192;

function unitsOf(text: string, start: number, step: number, count: number): string {
  let part = "";
  for (let done = 0; done < count; done += AT_ONCE) {
    const units = new Uint16Array(Math.min(AT_ONCE, count - done));
    for (let index = 0; index < units.length; index += 1) units[index] = text.charCodeAt(start + (done + index) * step);
    part += String.fromCharCode.apply(null, units as unknown as number[]);
  }
  return part;
}

function pointsOf(text: string, start: number, step: number, count: number): string {
  const points = Array.from(text);
  return Array.from({ length: count }, (_, index) => points[start + index * step]).join("");
}
