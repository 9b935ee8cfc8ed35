/** What a diagram shows, apart from how it is written: boxes, groups and arrows with texts. `draw.ts` makes it, `mermaid.ts` and `dot.ts` spell it. */
import type { PrivilegeTier } from "../catalog.ts";
import type { Port } from "../ir/graph.ts";

/** What runs did with a program: how often a step was visited and an edge taken. Keys: `stepKey`, `edgeKey`. */
export type StepVisits = { readonly count: number; readonly ms: number; readonly errors: number };
export type Visits = {
  readonly steps: ReadonlyMap<string, StepVisits>;
  readonly edges: ReadonlyMap<string, number>;
};

export type DiagramOptions = {
  /** Id of the one label to show; null: all of them. */
  readonly label?: string | null;
  /** One box per label instead of one per step. */
  readonly labelsOnly?: boolean;
  /** Steps of one label stand together in a frame; default true. */
  readonly clusters?: boolean;
  /** Steps with an error of the compiler, by `stepKey`. */
  readonly marked?: ReadonlySet<string>;
  readonly visits?: Visits | null;
};

/** `step`, `branch` (If), `label` (a whole label), `start`, `endpoint`, and `missing`: a label that does not exist. */
export type BoxShape = "step" | "branch" | "label" | "start" | "endpoint" | "missing";
export type Box = {
  readonly id: string;
  readonly shape: BoxShape;
  readonly lines: readonly string[];
  readonly tier: PrivilegeTier;
  readonly marked: boolean;
  /** Ids of its label and node; null: it is not a step. `others`: of a line of source, the other steps that it became. */
  readonly step: (StepId & { readonly others?: readonly StepId[] }) | null;
};
export type StepId = { readonly label: string; readonly node: string };
export type Arrow = {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Drawn dashed: the way of a failure. */
  readonly failure: boolean;
  readonly bold: boolean;
};
/** `title` null: no frame. */
export type Group = { readonly id: string; readonly title: string | null; readonly boxes: readonly Box[] };
export type Diagram = { readonly groups: readonly Group[]; readonly arrows: readonly Arrow[] };

/** Shown next to the color, so that color is never the only sign. */
export const TIER_LETTERS: Readonly<Record<PrivilegeTier, string>> = {
  pure: "",
  local_state: "L",
  network: "N",
  operator_sensitive: "O",
};

export const stepKey = (label: string, node: string): string => JSON.stringify([label, node]);
export const edgeKey = (label: string, node: string, port: Port): string => JSON.stringify([label, node, port]);
