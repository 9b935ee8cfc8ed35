/** Puts a number or a text into its width: sign, prefix, grouped digits, rest, padding (as CPython's calc_number_widths). */
import { textLength } from "../operators/texts.ts";
import type { Spec } from "./spec.ts";

export type NumberParts = {
  readonly isNegative: boolean;
  /** `0x`; "" without. */
  readonly prefix: string;
  /** Digits before the point. */
  readonly digits: string;
  /** What follows them: `.25e+10`, `inf`, `%`. */
  readonly rest: string;
  /** Digits of a group. */
  readonly group: 3 | 4;
};

export function layOutNumber(spec: Readonly<Spec>, parts: NumberParts): string {
  const { isNegative, prefix, digits, rest, group } = parts;
  const sign = isNegative ? "-" : spec.sign === "+" || spec.sign === " " ? spec.sign : "";
  const others = sign.length + prefix.length + textLength(rest);
  const least = spec.fill === "0" && spec.align === "=" ? spec.width - others : 0;
  const grouped = digits === "" ? "" : groupedDigits(digits, least, spec.grouping, group);
  return padded(spec, sign + prefix, grouped + rest, others + grouped.length);
}

/** `length`: of both parts in code points. Of `=` the padding stands between them. */
export function padded({ fill, align, width }: Readonly<Spec>, before: string, after: string, length: number): string {
  const padding = width - length;
  if (padding <= 0) return before + after;
  switch (align) {
    case "<":
      return before + after + fill.repeat(padding);
    case ">":
      return fill.repeat(padding) + before + after;
    case "=":
      return before + fill.repeat(padding) + after;
    default: {
      const left = padding >> 1;
      return fill.repeat(left) + before + after + fill.repeat(padding - left);
    }
  }
}

/** Digits in groups; zeros before them are grouped as well until the whole is at least so long. */
function groupedDigits(digits: string, least: number, separator: string, group: number): string {
  if (separator === "") return digits.padStart(least, "0");
  const groups: string[] = [];
  let end = digits.length;
  let wanted = least;
  for (;;) {
    const size = Math.min(group, Math.max(end, wanted, 1));
    groups.push(digits.slice(Math.max(0, end - size), end).padStart(size, "0"));
    end = Math.max(0, end - size);
    wanted -= size;
    if (end === 0 && wanted <= 0) return groups.reverse().join(separator);
    wanted -= 1;
  }
}
