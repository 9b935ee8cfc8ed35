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
  const around = framesAround({ groups, arrows }, places);
  const rows = [...new Set([...around.values()].map(({ y }) => y))].sort((a, b) => a - b);
  /** Arrows that leave a box, as far as they are drawn: their texts stand below each other. */
  const leaving = new Map<string, number>();
  const placed = arrows.map(({ from, to, text }) => {
    const before = leaving.get(from) ?? 0;
    if (text !== "") leaving.set(from, before + 1);
    const ends = [endOf(from, places, around), endOf(to, places, around)] as const;
    if (ends[0] === null || ends[1] === null) return null;
    return isNear(ends[0].frame, ends[1].frame)
      ? curveOf(ends[0].box, ends[1].box, text, before)
      : detourOf(ends[0], ends[1], rows, text, before);
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
  // Arrows from afar run above the rows and down on the left of frames.
  let [x, y, rowHeight, wide] = [GAP / 2, GAP, 0, 0];
  for (const frame of frames) {
    if (x > GAP / 2 && x + frame.width > most) {
      y += rowHeight + 2 * GAP;
      [x, rowHeight] = [GAP / 2, 0];
    }
    placeBoxes(frame, x, y, places);
    x += frame.width + GAP;
    wide = Math.max(wide, x - GAP);
    rowHeight = Math.max(rowHeight, frame.height);
  }
  // Arrows that lead upwards begin below their box, and those to another row on the right of their frame.
  return { width: wide + GAP / 2, height: y + rowHeight + GAP };
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

/** A box, and the frame that it stands in. */
type End = { readonly box: Rectangle; readonly frame: Rectangle };

/** The frame of each box, by the id of the box. Boxes without one have the place that they take together. */
function framesAround({ groups }: Diagram, places: Drawing["places"]): ReadonlyMap<string, Rectangle> {
  return new Map(
    groups.flatMap(({ id, boxes }) => {
      const own = boxes.flatMap((box) => places[box.id] ?? []);
      const [x, y] = [Math.min(...own.map((place) => place.x)), own[0]?.y ?? 0];
      const frame = places[id] ?? { x, y, width: Math.max(...own.map(({ width }) => width)), height: 0 };
      return boxes.map((box) => [box.id, frame] as const);
    }),
  );
}

function endOf(id: string, places: Drawing["places"], around: ReadonlyMap<string, Rectangle>): End | null {
  const box = places[id];
  const frame = around.get(id);
  return box === undefined || frame === undefined ? null : { box, frame };
}

/** The same frame, or the next one of its row. */
const isNear = (from: Rectangle, to: Rectangle): boolean =>
  from.y === to.y && (from.x === to.x || Math.abs(from.x + from.width + GAP - to.x) < 1);

/** From the lower edge of one box to the upper edge of the other; one that leads straight upwards goes around on the right. */
function curveOf(from: Rectangle, to: Rectangle, text: string, before: number): PlacedArrow {
  const [startX, startY] = [from.x + from.width / 2, from.y + from.height];
  const [endX, endY] = [to.x + to.width / 2, to.y];
  const bend = Math.max(GAP, (endY - startY) / 3);
  const side = endY <= startY && Math.abs(endX - startX) < 1 ? Math.max(from.width, to.width) : 0;
  const controls = [startX + side, startY + bend, endX + side, endY - bend] as const;
  return {
    path: `M${pair(startX, startY)}C${pair(controls[0], controls[1])} ${pair(controls[2], controls[3])} ${pair(endX, endY - HEAD)}`,
    head: [pair(endX, endY), pair(endX - HEAD / 2, endY - HEAD), pair(endX + HEAD / 2, endY - HEAD)].join(" "),
    text: textAt(text, startX + side / 4, startY + LINE / 2 + before * (LINE - 2)),
  };
}

/**
 * In the room between frames, so that it crosses no title and no step of another label: out on the right, above the row of the other frame, in
 * on the left. Rows between are passed on the left of all. `rows`: their upper edges.
 */
function detourOf(from: End, to: End, rows: readonly number[], text: string, before: number): PlacedArrow {
  const [startX, startY] = [from.box.x + from.box.width, from.box.y + from.box.height / 2];
  const [endX, endY] = [to.box.x, to.box.y + to.box.height / 2];
  const [outX, inX] = [from.frame.x + from.frame.width + GAP / 2, to.frame.x - GAP / 2];
  const [aboveFrom, aboveTo] = [from.frame.y - GAP / 2, to.frame.y - GAP / 2];
  const below = rows.indexOf(to.frame.y) - rows.indexOf(from.frame.y);
  const passing =
    below === 0 || below === 1 ? [] : [pair(outX, aboveFrom), pair(GAP / 4, aboveFrom), pair(GAP / 4, aboveTo)];
  const across = passing.length === 0 ? [pair(outX, aboveTo)] : passing;
  const corners = [pair(outX, startY), ...across, pair(inX, aboveTo), pair(inX, endY), pair(endX - HEAD, endY)];
  return {
    path: `M${pair(startX, startY)}L${corners.join(" ")}`,
    head: [pair(endX, endY), pair(endX - HEAD, endY - HEAD / 2), pair(endX - HEAD, endY + HEAD / 2)].join(" "),
    text: textAt(text, startX, startY - LINE / 2 - before * (LINE - 2)),
  };
}

/** On the right of `x`: the page draws a text around its middle. */
function textAt(text: string, x: number, y: number): PlacedArrow["text"] {
  return text === "" ? null : { x: x + COLUMN + (COLUMN * columnsOf(text).length) / 2, y };
}

const round = (value: number): number => Math.round(value * 10) / 10;
const pair = (x: number, y: number): string => `${round(x)},${round(y)}`;
