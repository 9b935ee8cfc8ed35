/**
 * A diagram as Graphviz lays it out. It measures without fonts and counts bytes, so it is given an `x` for each column, and the texts are
 * put in afterwards.
 */
import { widthOf } from "../../grammar/text/width.ts";
import type { Diagram } from "./model.ts";

/** The diagram as it is laid out: of texts only the width is left. */
export function measured(diagram: Diagram): Diagram {
  const groups = diagram.groups.map((group) => ({
    ...group,
    title: group.title === null ? null : columnsOf(group.title),
    boxes: group.boxes.map((box) => ({ ...box, lines: box.lines.map(columnsOf) })),
  }));
  return { ...diagram, groups };
}

export const columnsOf = (line: string): string => "x".repeat(Math.max(1, widthOf(line)));
