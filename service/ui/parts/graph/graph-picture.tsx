/**
 * The drawing of a program as elements of SVG, with what a run did: how often a step was visited, which one failed, and where the run is.
 * Of a large graph, only what can be seen is drawn.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Arrow, Box, Drawing, Layout, PlacedArrow, Rectangle } from "../../../console/layout/shapes.ts";
import { duration } from "../../words.ts";
import { type GraphMarks, isAt, type StepVisits, visitsOf } from "./graph-marks.ts";

/** Points from one line of a box to the next. */
const LINE = 12;
/** Pixels around what can be seen that are drawn as well; what is drawn changes in steps of this many. */
const SPARE = 400;
/** Lines at the edge of a drawing are half outside of it. */
const MARGIN = 4;
/** A small drawing is enlarged this far to fit, and a large one made small only as far as it can be read. */
const MAX_FIT = 1.5;
const MIN_FIT = 0.75;

type PictureOf = {
  readonly layout: Layout;
  readonly drawing: Drawing;
  readonly marks: GraphMarks;
  /** null: as large as there is room. */
  readonly zoom: number | null;
  readonly isLarge: boolean;
  readonly sought: string;
};

export function Picture({ layout: { groups, arrows }, drawing, marks, zoom, isLarge, sought }: PictureOf) {
  const { width, height, places } = drawing;
  const box = useRef<HTMLElement>(null);
  const [seen, setSeen] = useState<Rectangle | null>(null);
  const boxes = useMemo(() => groups.flatMap((group) => group.boxes), [groups]);
  const hits = useMemo(() => new Set(sought === "" ? [] : boxes.filter(hasText(sought)).map(idOf)), [boxes, sought]);
  const bounds = useMemo(() => (isLarge ? drawing.arrows.map((placed) => placed && boundsOf(placed)) : []), [drawing]);
  const target = [...hits][0] ?? presentIn(boxes, marks);
  const look = () => {
    if (isLarge && box.current !== null) setSeen((before) => seenIn(box.current as HTMLElement, zoom ?? 1, before));
  };
  useEffect(() => {
    const place = target === undefined ? undefined : places[target];
    // The drawing moves in its box, and not the page under the reader.
    if (place !== undefined) showPlace(box.current, place, zoom ?? fitIn(box.current, width, height));
    look();
  }, [target, zoom, drawing]);
  const isSeen = (place: Rectangle | null | undefined) =>
    place != null && (!isLarge || (seen !== null && meets(place, seen)));
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN];
  const size =
    zoom === null
      ? {
          class: "fit",
          style: {
            maxWidth: `${MAX_FIT * wide}px`,
            minWidth: `${MIN_FIT * wide}px`,
            minHeight: `${MIN_FIT * high}px`,
          },
        }
      : { width: wide * zoom, height: high * zoom };
  return (
    <section class="picture" aria-label="Graph of the program, listed below" tabIndex={0} ref={box} onScroll={look}>
      <svg aria-hidden="true" viewBox={`${-MARGIN} ${-MARGIN} ${wide} ${high}`} {...size}>
        {groups.map(({ id, title }) =>
          title === null || !isSeen(places[id]) ? null : <Frame key={id} place={places[id]} />,
        )}
        {arrows.map((arrow, at) => {
          const placed = drawing.arrows[at];
          if (placed == null || (isLarge && !isSeen(bounds[at]))) return null;
          return <ArrowOf key={`${arrow.from} ${arrow.to} ${arrow.text}`} arrow={arrow} placed={placed} />;
        })}
        {groups.map(({ id, title }) =>
          title === null || !isSeen(places[`${id}t`]) ? null : (
            <Lines key={id} lines={[title]} place={places[`${id}t`]} title />
          ),
        )}
        {boxes.map((each) =>
          isSeen(places[each.id]) ? (
            <BoxOf key={each.id} box={each} place={places[each.id]} marks={marks} isHit={hits.has(each.id)} />
          ) : null,
        )}
      </svg>
    </section>
  );
}

function presentIn(boxes: readonly Box[], { present }: GraphMarks): string | undefined {
  return boxes.find((box) => isAt(box, present))?.id;
}

/** How large a drawing is that was made to fit. */
function fitIn(box: HTMLElement | null, width: number, height: number): number {
  const drawn = box?.querySelector("svg")?.getBoundingClientRect();
  return drawn === undefined ? 1 : Math.min(drawn.width / width, drawn.height / height);
}

function showPlace(box: HTMLElement | null, { x, y, width, height }: Rectangle, zoom: number): void {
  box?.scrollTo({
    left: (x + width / 2) * zoom - box.clientWidth / 2,
    top: (y + height / 2) * zoom - box.clientHeight / 2,
  });
}

/** What can be seen, and a little more, in the lengths of the drawing. The same object while it is the same. */
function seenIn(box: HTMLElement, zoom: number, before: Rectangle | null): Rectangle {
  const step = (pixels: number) => (Math.floor(pixels / SPARE) * SPARE - SPARE) / zoom;
  const now = {
    x: step(box.scrollLeft),
    y: step(box.scrollTop),
    width: (box.clientWidth + 3 * SPARE) / zoom,
    height: (box.clientHeight + 3 * SPARE) / zoom,
  };
  const isSame =
    before !== null && (["x", "y", "width", "height"] as const).every((name) => now[name] === before[name]);
  return isSame ? before : now;
}

const meets = (one: Rectangle, other: Rectangle): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** The rectangle around the numbers of a path. */
function boundsOf({ path, head }: PlacedArrow): Rectangle {
  const numbers = (`${path} ${head}`.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  const [xs, ys] = [0, 1].map((which) => numbers.filter((_, at) => at % 2 === which)) as [number[], number[]];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 };
}

const idOf = ({ id }: Box): string => id;
const hasText = (sought: string) => (box: Box) => box.lines.join(" ").toLowerCase().includes(sought);

function Frame({ place }: { readonly place: Rectangle | undefined }) {
  return place === undefined ? null : <rect class="frame" {...place} />;
}

function ArrowOf({ arrow: { text, failure }, placed }: { readonly arrow: Arrow; readonly placed: PlacedArrow }) {
  return (
    <g class={failure ? "arrow failure" : "arrow"}>
      <path d={placed.path} />
      <polygon points={placed.head} />
      {placed.text === null ? null : (
        <text x={placed.text.x} y={placed.text.y + LINE / 4} class="port">
          {text}
        </text>
      )}
    </g>
  );
}

type BoxView = {
  readonly box: Box;
  readonly place: Rectangle | undefined;
  readonly marks: GraphMarks;
  readonly isHit: boolean;
};

function BoxOf({ box, place, marks, isHit }: BoxView) {
  const { shape, lines, tier } = box;
  const isPresent = isAt(box, marks.present);
  const isFailed = isAt(box, marks.failed);
  const visits = visitsOf(box, marks);
  if (place === undefined) return null;
  const states = [tier, ...(isPresent ? ["present"] : []), ...(isFailed ? ["failed"] : []), ...(isHit ? ["hit"] : [])];
  const said = [
    ...(isPresent ? ["the run is here"] : []),
    ...(isFailed ? ["it failed"] : []),
    ...(visits === undefined ? [] : [visitText(visits)]),
  ];
  return (
    <g class={`box ${states.join(" ")}`}>
      <title>{[lines.join(" "), ...said].join(", ")}</title>
      <Shape shape={shape} place={place} />
      <Lines lines={lines} place={place} />
      {visits === undefined && said.length === 0 ? null : (
        <text class="visits" x={place.x} y={place.y + place.height + LINE - 2}>
          {[
            ...(visits === undefined ? [] : [visitText(visits)]),
            ...(isPresent ? ["◀ here"] : []),
            ...(isFailed ? ["✗ failed"] : []),
          ].join(" ")}
        </text>
      )}
    </g>
  );
}

function visitText({ count, ms, failures }: StepVisits): string {
  return `${count}×${ms === 0 ? "" : ` ${duration(ms)}`}${failures === 0 ? "" : `, ${failures} failed`}`;
}

function Shape({ shape, place: { x, y, width, height } }: { readonly shape: Box["shape"]; readonly place: Rectangle }) {
  if (shape === "branch") {
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    return <polygon points={`${middleX},${y} ${x + width},${middleY} ${middleX},${y + height} ${x},${middleY}`} />;
  }
  return <rect class={shape} x={x} y={y} width={width} height={height} rx={shape === "start" ? height / 2 : 2} />;
}

function Lines({
  lines,
  place,
  title = false,
}: {
  readonly lines: readonly string[];
  readonly place: Rectangle | undefined;
  readonly title?: boolean;
}) {
  if (place === undefined) return null;
  const { x, y, width, height } = place;
  const top = y + height / 2 - ((lines.length - 1) * LINE) / 2 + LINE / 4;
  return lines.map((line, at) => (
    <text key={`${at} ${line}`} class={title ? "title" : undefined} x={x + width / 2} y={top + at * LINE}>
      {line}
    </text>
  ));
}
