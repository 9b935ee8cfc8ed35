/**
 * A diagram as text for Graphviz. Every text of the program stands in a quoted string, in which nothing has a meaning. All of it is
 * Courier: what draws it need not have the font that it was measured with, and columns are the same in every monospace font.
 */
import { COLORS, MARK_COLOR } from "./colors.ts";
import type { Arrow, Box, BoxShape, Diagram, Group } from "./model.ts";

const SHAPES: Readonly<Record<BoxShape, string>> = {
  step: "shape=box",
  branch: "shape=diamond",
  label: 'shape=box, style="rounded,filled"',
  start: "shape=oval",
  endpoint: "shape=box, peripheries=2",
  missing: 'shape=box, style="dashed"',
};

/**
 * Where boxes stand best is sought in rounds that Graphviz does not bound: of thousands of boxes they take most of a minute. From this
 * many boxes the rounds are bounded by their number, and arrows may be a little longer than they had to be.
 */
const MANY_BOXES = 1000;
const BOUNDED_SEARCH = ", nslimit=1, nslimit1=1";

export function toDot({ groups, arrows }: Diagram): string {
  const search = boxesIn(groups) < MANY_BOXES ? "" : BOUNDED_SEARCH;
  return [
    "digraph program {",
    `  graph [fontname="Courier", fontsize=12, rankdir=TB${search}]`,
    `  node [fontname="Courier", fontsize=10, style="filled", fillcolor="${COLORS.pure.fill}", color="${COLORS.pure.line}"]`,
    '  edge [fontname="Courier", fontsize=9, color="#444444"]',
    ...groups.flatMap(groupLines),
    ...arrows.map(arrowLine),
    "}",
    "",
  ].join("\n");
}

export const boxesIn = (groups: readonly Group[]): number =>
  groups.reduce((count, { boxes }) => count + boxes.length, 0);

function groupLines({ id, title, boxes }: Group): string[] {
  if (title === null) return boxes.map((box) => `  ${boxLine(box)}`);
  return [
    `  subgraph cluster_${id} {`,
    '    color="#999999"',
    // A title is a box above the first step, because arrows go around boxes and would cross the label of a frame.
    `    ${titleId(id)} [label=${quoted([title])}, shape=plaintext, fontsize=12, style="", margin="0.05,0", height=0.2]`,
    ...boxes.map((box) => `    ${boxLine(box)}`),
    ...boxes.slice(0, 1).map((first) => `    ${titleId(id)} -> ${first.id} [style=invis, weight=10]`),
    "  }",
  ];
}

/** Of the box that shows the title of a group. */
export const titleId = (group: string): string => `${group}t`;

function boxLine({ id, shape, lines, tier, marked }: Box): string {
  const { fill, line } = COLORS[tier];
  const colors = tier === "pure" ? "" : `, fillcolor="${fill}", color="${line}"`;
  const mark = marked ? `, color="${MARK_COLOR}", penwidth=3` : "";
  return `${id} [label=${quoted(lines)}, ${SHAPES[shape]}${colors}${mark}]`;
}

function arrowLine({ from, to, text, failure, bold }: Arrow): string {
  const facts = [
    // The blank keeps the text off the line that it stands next to.
    ...(text === "" ? [] : [`label=${quoted([` ${text}`])}`]),
    ...(failure ? ['style="dashed"'] : []),
    ...(bold ? ["penwidth=3"] : []),
  ];
  return `  ${from} -> ${to}${facts.length === 0 ? "" : ` [${facts.join(", ")}]`}`;
}

/** Graphviz reads `\N` and the like inside strings, and entities such as `&lt;`. */
function quoted(lines: readonly string[]): string {
  const escaped = lines.map((line) => line.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("&", "&amp;"));
  return `"${escaped.join("\\n")}"`;
}
