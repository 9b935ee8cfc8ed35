/** Expressions of operators, comparisons, subscripts and forms of values, over values of every kind. */
import type { Draw } from "../generate/draw.ts";
import { drawn, KINDS, type Kind } from "./values.ts";

const PLAIN = KINDS.filter((kind) => kind !== "function1" && kind !== "function2");
const NUMERIC: readonly Kind[] = ["int", "bigInt", "float", "edgeFloat", "bool"];
const SPECS = [
  "'5'",
  "'<6'",
  "'^7'",
  "'>8'",
  "'05d'",
  "',' ",
  "'_'",
  "'+d'",
  "'x'",
  "'#x'",
  "'b'",
  "'o'",
  "'c'",
  "'e'",
  "'.2e'",
  "'f'",
  "'.2f'",
  "'.0f'",
  "'10.3f'",
  "'g'",
  "'.3g'",
  "'.10g'",
  "'#.3g'",
  "'%'",
  "'.1%'",
  "',.2f'",
  "'_.1f'",
  "'*^9'",
  "'=+8'",
  "'s'",
  "'.2'",
  "'<5.1'",
  "'n'",
  "'G'",
  "'E'",
  "'F'",
  "' d'",
  "'-d'",
  "'08,.2f'",
  "'z.1f'",
  "'d'",
  "''",
  "'0>6'",
  "'é^5'",
  "'.400f'",
  "'999'",
  "'q'",
  "'.'",
  "'X'",
  "'#b'",
  "'010'",
  "'<010'",
  "'^+7.1f'",
]; // prettier-ignore
const PERCENTS = [
  "'%d'",
  "'%5d|'",
  "'%-5d|'",
  "'%05d'",
  "'%+d'",
  "'% d'",
  "'%x'",
  "'%#X'",
  "'%o'",
  "'%s'",
  "'%r'",
  "'%a'",
  "'%5s|'",
  "'%-5s|'",
  "'%.2s'",
  "'%f'",
  "'%.2f'",
  "'%08.3f'",
  "'%e'",
  "'%g'",
  "'%c'",
  "'%i'",
  "'%%'",
  "'%s %s'",
  "'%(a)s'",
  "'%*d'",
  "'%'",
  "'%y'",
  "'%#g'",
  "'%G'",
  "'%+.1e'",
  "'%.0f'",
  "'a%db%s'",
]; // prettier-ignore
const BINARY = ["+", "-", "*", "/", "//", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="];

/** Powers and shifts of large numbers, and long repetitions, take too long or too much memory. */
const SMALL = ["0", "1", "2", "3", "-1", "-2", "0.5", "2.0", "-0.5", "True", "10", "63"];

export function operatorExpression(draw: Draw): string {
  const any = (): string => drawn(draw, draw.pick(PLAIN));
  const same = (): [string, string] => {
    const kind = draw.pick(PLAIN);
    return [drawn(draw, kind), drawn(draw, kind)];
  };
  const number = (): string => drawn(draw, draw.pick(NUMERIC));
  return draw.weighted<() => string>([
    [6, () => `(${number()}) ${draw.pick(BINARY)} (${number()})`],
    [
      4,
      () =>
        same()
          .map((one) => `(${one})`)
          .join(` ${draw.pick(BINARY)} `),
    ],
    [3, () => `(${any()}) ${draw.pick(BINARY.filter((operator) => operator !== "*"))} (${any()})`],
    [1, () => `(${number()}) ** (${draw.pick(SMALL)})`],
    [
      1,
      () =>
        `(${drawn(draw, draw.pick(["int", "bigInt", "bool", "float"]))}) ${draw.pick(["<<", ">>"])} (${draw.pick(SMALL)})`,
    ],
    [1, () => `(${any()}) * (${draw.pick(SMALL)})`],
    [1, () => `${draw.pick(["-", "+", "~"])}(${draw.chance(0.7) ? number() : any()})`],
    [2, () => `(${any()}) in (${any()})`],
    [
      2,
      () =>
        `(${any()})[${draw.chance(0.7) ? drawn(draw, draw.pick(["int", "str", "none", "float", "bool", "bigInt"])) : slice(draw)}]`,
    ],
    [3, () => `format(${draw.chance(0.7) ? number() : any()}, ${draw.pick(SPECS)})`],
    [2, () => `${draw.pick(PERCENTS)} % ${draw.chance(0.6) ? `(${any()},)` : `(${any()})`}`],
    [1, () => `repr(${shown(draw)})`],
    [0.5, () => `(${any()}) is None`],
  ])();
}

function slice(draw: Draw): string {
  const bound = () =>
    draw.chance(0.3) ? "" : drawn(draw, draw.pick(["int", "int", "none", "bigInt", "bool", "float"]));
  return `${bound()}:${bound()}${draw.chance(0.4) ? `:${bound()}` : ""}`;
}

/** The text of a set with several members is not defined. */
function shown(draw: Draw): string {
  const kinds = PLAIN.filter((kind) => kind !== "set");
  const one = () => drawn(draw, draw.pick(kinds));
  return draw.pick([
    one,
    one,
    () => `[${one()}, ${one()}]`,
    () => `(${one()},)`,
    () => `{'k': ${one()}, 1: [${one()}]}`,
  ])();
}
