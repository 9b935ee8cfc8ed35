/** Reads what Graphviz says about places (its format `json0`): points, with `y` upwards from the lower edge. */
import type { Diagram } from "../../../compiler/diagram/model.ts";
import type { Drawing, PlacedArrow, Rectangle } from "./shapes.ts";

const POINTS_PER_INCH = 72;
const HEAD_WIDTH = 6;

type Point = readonly [x: number, y: number];
type Piece = {
  readonly name?: string;
  readonly bb?: string;
  readonly pos?: string;
  readonly width?: string;
  readonly height?: string;
  readonly lp?: string;
  readonly style?: string;
};
type Answer = { readonly bb?: string; readonly objects?: readonly Piece[]; readonly edges?: readonly Piece[] };

/** `text`: of the diagram as `toDot` wrote it, so edges stand in the order in which they were written. */
export function drawingOf(text: string, { arrows }: Diagram): Drawing {
  const { bb = "0,0,0,0", objects = [], edges = [] } = JSON.parse(text) as Answer;
  const [, , width = 0, height = 0] = numbersOf(bb);
  const places: Record<string, Rectangle> = Object.create(null);
  for (const piece of objects) {
    const place = placeOf(piece, height);
    if (place !== null && piece.name !== undefined) places[piece.name.replace(/^cluster_/, "")] = place;
  }
  const shown = edges.filter(({ style }) => style !== "invis");
  return { width, height, places, arrows: arrows.map((_, at) => arrowOf(shown[at], height)) };
}

const numbersOf = (text: string): readonly number[] => text.split(/[ ,]/).map(Number);

function placeOf({ bb, pos, width, height }: Piece, total: number): Rectangle | null {
  if (bb !== undefined) {
    const [left = 0, bottom = 0, right = 0, top = 0] = numbersOf(bb);
    return { x: left, y: total - top, width: right - left, height: top - bottom };
  }
  if (pos === undefined) return null;
  const [x = 0, y = 0] = numbersOf(pos);
  const [w, h] = [Number(width) * POINTS_PER_INCH, Number(height) * POINTS_PER_INCH];
  return { x: x - w / 2, y: total - y - h / 2, width: w, height: h };
}

/** `e,x,y x,y …`: where its head ends, and the points of a spline. */
function arrowOf(piece: Piece | undefined, total: number): PlacedArrow | null {
  if (piece?.pos === undefined) return null;
  const words = piece.pos.split(" ");
  const pointOf = (word: string): Point => {
    const [x = 0, y = 0] = numbersOf(word.replace(/^[es],/, ""));
    return [x, total - y];
  };
  const end = words.find((word) => word.startsWith("e,"));
  const points = words.filter((word) => !/^[es],/.test(word)).map(pointOf);
  const [first, ...rest] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const [x, y] = piece.lp === undefined ? [] : pointOf(piece.lp);
  return {
    path: `M${pair(first)}C${rest.map(pair).join(" ")}`,
    head: end === undefined ? "" : headOf(last, pointOf(end)),
    text: x === undefined || y === undefined ? null : { x, y },
  };
}

const pair = ([x, y]: Point): string => `${round(x)},${round(y)}`;
const round = (value: number): number => Math.round(value * 100) / 100;

function headOf([fromX, fromY]: Point, [x, y]: Point): string {
  const scale = HEAD_WIDTH / 2 / (Math.hypot(x - fromX, y - fromY) || 1);
  const [sideX, sideY] = [(fromY - y) * scale, (x - fromX) * scale];
  const corners: readonly Point[] = [
    [x, y],
    [fromX + sideX, fromY + sideY],
    [fromX - sideX, fromY - sideY],
  ];
  return corners.map(pair).join(" ");
}
