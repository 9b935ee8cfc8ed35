/**
 * A graph as the console draws it: what it shows, in the order of the program, and where Graphviz puts it. Lengths are points, and `y`
 * grows downwards. Pages and service share these shapes; nothing here knows Node.
 */
import type { Arrow, Box, Group } from "../../../compiler/diagram/model.ts";

/** Boxes of a graph that is drawn. */
export const MAX_DRAWN = 10_000;

export type Rectangle = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
export type PlacedArrow = {
  /** Path of SVG, without the head. */
  readonly path: string;
  /** Points of the head, as SVG writes them. */
  readonly head: string;
  /** Middle of its text; null: it has none. */
  readonly text: { readonly x: number; readonly y: number } | null;
};
export type Drawing = {
  readonly width: number;
  readonly height: number;
  /** By id of the box, of the group, and of the box of a title. */
  readonly places: Readonly<Record<string, Rectangle>>;
  /** In the order of the arrows of the graph. */
  readonly arrows: readonly (PlacedArrow | null)[];
};

export type Layout = {
  readonly checksum: string;
  /** Its labels are functions, and it can be drawn by the lines of its source. */
  readonly isPython: boolean;
  readonly labels: number;
  readonly boxes: number;
  readonly groups: readonly Group[];
  readonly arrows: readonly Arrow[];
  /** More boxes than are listed. */
  readonly more: boolean;
  /** null: the graph is listed only. */
  readonly drawing: Drawing | null;
  /** Why Graphviz did not place the boxes: they stand in the order of the program, or are listed only. */
  readonly why: "too_large" | "too_slow" | "package_missing" | null;
};

export type { Arrow, Box };
