/**
 * Places for boxes without Graphviz: labels stand in the order of the program, in rows, and their steps below each other. It takes a moment for
 * any graph, so it is what a graph gets that Graphviz has no time for, and every graph where Graphviz is missing.
 */
import { columnsOf } from "../../../compiler/diagram/measured.ts";
import type { Box, Diagram, Group } from "../../../compiler/diagram/model.ts";
import type { Drawing, PlacedArrow, Rectangle } from "./shapes.ts";

/** Points; a column is one of the letters that the page draws. */
const COLUMN = 6;
const LINE = 12;
const TITLE_COLUMN = 7.5;
const TITLE = 24;
const PADDING = 12;
const GAP = 30;
const MIN_WIDTH = 54;
/** A diamond around a text is this much larger than the text. */
const DIAMOND = 1.6;
const HEAD = 6;

type Size = { readonly width: number; readonly height: number };
type Frame = Size & { readonly group: Group; readonly boxes: readonly Size[] };

export function plainDrawing({ groups, arrows }: Diagram): Drawing {
  const frames = [...groups.filter(isStart), ...groups.filter((group) => !isStart(group))].map(frameOf);
  const places: Record<string, Rectangle> = Object.create(null);
  const size = placeFrames(frames, places);
  /** Arrows that leave a box, as far as they are drawn: their texts stand below each other. */
  const leaving = new Map<string, number>();
  const placed = arrows.map(({ from, to, text }) => {
    const before = leaving.get(from) ?? 0;
    if (text !== "") leaving.set(from, before + 1);
    return arrowOf(places[from], places[to], text, before);
  });
  return { ...size, places, arrows: placed };
}

/** Where runs begin: they are read first. */
const isStart = ({ boxes }: Group): boolean => boxes.every(({ shape }) => shape === "start" || shape === "endpoint");

function sizeOf({ lines, shape }: Box): Size {
  const width = Math.max(MIN_WIDTH, COLUMN * columnsIn(lines) + 2 * PADDING);
  const height = LINE * lines.length + 2 * PADDING;
  return shape === "branch" ? { width: DIAMOND * width, height: DIAMOND * height } : { width, height };
}

const columnsIn = (lines: readonly string[]): number => Math.max(0, ...lines.map((line) => columnsOf(line).length));

function frameOf(group: Group): Frame {
  const boxes = group.boxes.map(sizeOf);
  const title = group.title === null ? 0 : TITLE_COLUMN * columnsOf(group.title).length;
  const inside = Math.max(title, ...boxes.map(({ width }) => width));
  const height = boxes.reduce((sum, box) => sum + box.height + GAP, -GAP);
  if (group.title === null) return { group, boxes, width: inside, height };
  return { group, boxes, width: inside + 2 * PADDING, height: height + TITLE + 2 * PADDING };
}

/** In rows that are together about as wide as they are high. */
function placeFrames(frames: readonly Frame[], places: Record<string, Rectangle>): Size {
  const area = frames.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0);
  const most = Math.max(Math.sqrt(area), ...frames.map(({ width }) => width));
  let [x, y, rowHeight, wide] = [0, 0, 0, 0];
  for (const frame of frames) {
    if (x > 0 && x + frame.width > most) {
      y += rowHeight + 2 * GAP;
      [x, rowHeight] = [0, 0];
    }
    placeBoxes(frame, x, y, places);
    x += frame.width + GAP;
    wide = Math.max(wide, x - GAP);
    rowHeight = Math.max(rowHeight, frame.height);
  }
  // Arrows that lead upwards begin below their box.
  return { width: wide, height: y + rowHeight + GAP };
}

function placeBoxes(
  { group, boxes, width, height }: Frame,
  x: number,
  y: number,
  places: Record<string, Rectangle>,
): void {
  let top = y;
  if (group.title !== null) {
    places[group.id] = { x, y, width, height };
    places[`${group.id}t`] = { x, y: y + PADDING / 2, width, height: TITLE };
    top += TITLE + PADDING;
  }
  for (const [at, box] of group.boxes.entries()) {
    const size = boxes[at] as Size;
    places[box.id] = { x: x + (width - size.width) / 2, y: top, ...size };
    top += size.height + GAP;
  }
}

/** From the lower edge of one box to the upper edge of the other; one that leads straight upwards goes around on the right. */
function arrowOf(
  from: Rectangle | undefined,
  to: Rectangle | undefined,
  text: string,
  before: number,
): PlacedArrow | null {
  if (from === undefined || to === undefined) return null;
  const [startX, startY] = [from.x + from.width / 2, from.y + from.height];
  const [endX, endY] = [to.x + to.width / 2, to.y];
  const bend = Math.max(GAP, (endY - startY) / 3);
  const side = endY <= startY && Math.abs(endX - startX) < 1 ? Math.max(from.width, to.width) : 0;
  const controls = [startX + side, startY + bend, endX + side, endY - bend] as const;
  return {
    path: `M${round(startX)},${round(startY)}C${pair(controls[0], controls[1])} ${pair(controls[2], controls[3])} ${pair(endX, endY - HEAD)}`,
    head: [pair(endX, endY), pair(endX - HEAD / 2, endY - HEAD), pair(endX + HEAD / 2, endY - HEAD)].join(" "),
    text: text === "" ? null : { x: startX + side / 4 + COLUMN, y: startY + LINE / 2 + before * (LINE - 2) },
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
const pair = (x: number, y: number): string => `${round(x)},${round(y)}`;
