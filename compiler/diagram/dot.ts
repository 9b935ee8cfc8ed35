/** A diagram as text for Graphviz. Every text of the program stands in a quoted string, in which nothing has a meaning. */
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

export function toDot({ groups, arrows }: Diagram): string {
  return [
    "digraph program {",
    '  graph [fontname="Helvetica", rankdir=TB]',
    `  node [fontname="Helvetica", fontsize=11, style="filled", fillcolor="${COLORS.pure.fill}", color="${COLORS.pure.line}"]`,
    '  edge [fontname="Helvetica", fontsize=10, color="#444444"]',
    ...groups.flatMap(groupLines),
    ...arrows.map(arrowLine),
    "}",
    "",
  ].join("\n");
}

function groupLines({ id, title, boxes }: Group): string[] {
  if (title === null) return boxes.map((box) => `  ${boxLine(box)}`);
  return [
    `  subgraph cluster_${id} {`,
    `    label=${quoted([title])}`,
    '    color="#999999"',
    ...boxes.map((box) => `    ${boxLine(box)}`),
    "  }",
  ];
}

function boxLine({ id, shape, lines, tier, marked }: Box): string {
  const { fill, line } = COLORS[tier];
  const colors = tier === "pure" ? "" : `, fillcolor="${fill}", color="${line}"`;
  const mark = marked ? `, color="${MARK_COLOR}", penwidth=3` : "";
  return `${id} [label=${quoted(lines)}, ${SHAPES[shape]}${colors}${mark}]`;
}

function arrowLine({ from, to, text, failure, bold }: Arrow): string {
  const facts = [
    ...(text === "" ? [] : [`label=${quoted([text])}`]),
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
