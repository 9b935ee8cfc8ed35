/** Patterns as trees, and what their parts match whatever the text is. */
import type { Has } from "./sets.ts";

export type Assertion = "start" | "line_start" | "end" | "last_line_end" | "line_end" | "edge" | "no_edge";

export type Node =
  | { readonly kind: "set"; readonly has: Has; readonly literal: string | null }
  | { readonly kind: "assert"; readonly what: Assertion; readonly isAscii: boolean }
  | { readonly kind: "group"; readonly number: number; readonly part: Node }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly choices: readonly Node[] }
  | Look
  | Repeat;
/** `(?=a)`, `(?!a)`, `(?<=a)`, `(?<!a)`. */
export type Look = {
  readonly kind: "look";
  readonly part: Node;
  readonly isNegative: boolean;
  /** How many code points before the place it begins; null: it looks ahead. */
  readonly back: number | null;
  readonly hasGroups: boolean;
};
type Repeat = {
  readonly kind: "repeat";
  readonly part: Node;
  readonly least: number;
  /** Infinity: without bound. */
  readonly most: number;
  readonly isLazy: boolean;
};

export function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case "set":
      return false;
    case "assert":
    case "look":
      return true;
    case "group":
      return canBeEmpty(node.part);
    case "sequence":
      return node.parts.every(canBeEmpty);
    case "choice":
      return node.choices.some(canBeEmpty);
    case "repeat":
      return node.least === 0 || canBeEmpty(node.part);
  }
}

/** How many code points a part matches, at least and at most. */
export function widthsOf(node: Node): { readonly least: number; readonly most: number } {
  switch (node.kind) {
    case "set":
      return { least: 1, most: 1 };
    case "assert":
    case "look":
      return { least: 0, most: 0 };
    case "group":
      return widthsOf(node.part);
    case "sequence": {
      const all = node.parts.map(widthsOf);
      return { least: sum(all.map(({ least }) => least)), most: sum(all.map(({ most }) => most)) };
    }
    case "choice": {
      const all = node.choices.map(widthsOf);
      return { least: Math.min(...all.map(({ least }) => least)), most: Math.max(...all.map(({ most }) => most)) };
    }
    case "repeat": {
      const { least, most } = widthsOf(node.part);
      return { least: least * node.least, most: most === 0 ? 0 : most * node.most };
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
