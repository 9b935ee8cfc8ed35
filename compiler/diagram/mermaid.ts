/** A diagram as Mermaid flowchart text. Every text of the program is quoted, and all but plain characters are written as entities. */
import type { PrivilegeTier } from "../catalog.ts";
import { COLORS, MARK_COLOR } from "./colors.ts";
import type { Arrow, Box, BoxShape, Diagram, Group } from "./model.ts";

const FRAMES: Readonly<Record<BoxShape, readonly [open: string, close: string]>> = {
  step: ["[", "]"],
  branch: ["{", "}"],
  label: ["(", ")"],
  start: ["([", "])"],
  endpoint: ["[[", "]]"],
  missing: ["{{", "}}"],
};

export function toMermaid({ groups, arrows }: Diagram): string {
  const boxes = groups.flatMap((group) => group.boxes);
  const bold = arrows.flatMap((arrow, at) => (arrow.bold ? [at] : []));
  return [
    "flowchart TD",
    ...groups.flatMap(groupLines),
    ...arrows.map(arrowLine),
    ...(Object.keys(COLORS) as PrivilegeTier[]).flatMap((tier) => tierLines(tier, boxes)),
    ...markLines(boxes),
    ...(bold.length === 0 ? [] : [`  linkStyle ${bold.join(",")} stroke-width:4px`]),
    "",
  ].join("\n");
}

function groupLines({ id, title, boxes }: Group): string[] {
  if (title === null) return boxes.map((box) => `  ${boxText(box)}`);
  return [`  subgraph ${id}[${quoted(title)}]`, ...boxes.map((box) => `    ${boxText(box)}`), "  end"];
}

function boxText({ id, shape, lines }: Box): string {
  const [open, close] = FRAMES[shape];
  return `${id}${open}"${lines.map(escaped).join("<br/>")}"${close}`;
}

function arrowLine({ from, to, text, failure }: Arrow): string {
  return `  ${from} ${failure ? "-.->" : "-->"}${text === "" ? "" : `|${quoted(text)}|`} ${to}`;
}

function tierLines(tier: PrivilegeTier, boxes: readonly Box[]): string[] {
  const ids = boxes.filter((box) => box.tier === tier).map(({ id }) => id);
  if (tier === "pure" || ids.length === 0) return [];
  const { fill, line } = COLORS[tier];
  return [`  classDef ${tier} fill:${fill},stroke:${line},color:#000000`, `  class ${ids.join(",")} ${tier}`];
}

function markLines(boxes: readonly Box[]): string[] {
  const ids = boxes.filter((box) => box.marked).map(({ id }) => id);
  if (ids.length === 0) return [];
  return [`  classDef marked stroke:${MARK_COLOR},stroke-width:4px`, `  class ${ids.join(",")} marked`];
}

const quoted = (text: string): string => `"${escaped(text)}"`;

/** Mermaid writes a character by its number as `#35;`. Letters and digits of any script, and a few signs, are safe as they are. */
function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N} _.,:/=+×…✗()[\]-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
}
