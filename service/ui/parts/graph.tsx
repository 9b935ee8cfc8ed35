/**
 * The drawing of a program as elements of SVG, with what a run did: how often a step was visited, which one failed, and where the run is.
 * It can be searched, fitted and enlarged; a list says the same.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Arrow, Box, Drawing, Layout, Rectangle } from "../../console/layout/shapes.ts";
import { duration, number } from "../words.ts";
import { GraphList } from "./graph-list.tsx";

export type StepPlace = { readonly label: string; readonly node: string };
export type StepVisits = { readonly count: number; readonly ms: number; readonly failures: number };
export type GraphMarks = {
  /** By `placeKey`. */
  readonly visits: ReadonlyMap<string, StepVisits>;
  /** Where the run is, or what it waits at. */
  readonly present: StepPlace | null;
  readonly failed: StepPlace | null;
};

export const placeKey = ({ label, node }: StepPlace): string => `${label}\n${node}`;
const NO_MARKS: GraphMarks = { visits: new Map(), present: null, failed: null };

const WHY = {
  too_large: "The graph is too large to be drawn.",
  too_slow: "Drawing the graph took too long.",
  package_missing: "Drawing needs the package @hpcc-js/wasm-graphviz on the server.",
} as const;
const ZOOMS = [0.5, 1, 1.5, 2];
/** Points from one line of a box to the next. */
const LINE = 12;

type GraphOf = {
  readonly layout: Layout;
  readonly marks?: GraphMarks;
  /** One box for each label. */
  readonly isCollapsed: boolean;
  readonly collapse: (isCollapsed: boolean) => void;
};

export function Graph({ layout, marks = NO_MARKS, isCollapsed, collapse }: GraphOf) {
  const [zoom, setZoom] = useState<number | null>(null);
  const [sought, setSought] = useState("");
  const { drawing, why, boxes, more, groups, arrows } = layout;
  return (
    <div class="graph">
      <p class="actions">
        <label class="check">
          <input type="checkbox" checked={isCollapsed} onChange={(event) => collapse(event.currentTarget.checked)} />
          Labels only
        </label>
        {drawing === null ? null : (
          <>
            <label>
              Size
              <select
                value={zoom ?? "fit"}
                onChange={({ currentTarget: { value } }) => setZoom(value === "fit" ? null : Number(value))}
              >
                <option value="fit">fit</option>
                {ZOOMS.map((each) => (
                  <option key={each} value={each}>
                    {each * 100} %
                  </option>
                ))}
              </select>
            </label>
            <label>
              Search the graph
              <input value={sought} onInput={(event) => setSought(event.currentTarget.value)} />
            </label>
          </>
        )}
      </p>
      {why === null ? null : <p class="quiet">{WHY[why]}</p>}
      {more ? <p class="quiet">These are the first of {number(boxes)} boxes.</p> : null}
      {drawing === null ? (
        <GraphList groups={groups} arrows={arrows} />
      ) : (
        <>
          <Picture layout={layout} drawing={drawing} marks={marks} zoom={zoom} sought={sought.trim().toLowerCase()} />
          <details>
            <summary>As a list</summary>
            <GraphList groups={groups} arrows={arrows} />
          </details>
        </>
      )}
    </div>
  );
}

type PictureOf = {
  readonly layout: Layout;
  readonly drawing: Drawing;
  readonly marks: GraphMarks;
  readonly zoom: number | null;
  readonly sought: string;
};

function Picture({ layout: { groups, arrows }, drawing, marks, zoom, sought }: PictureOf) {
  const { width, height, places } = drawing;
  const size = zoom === null ? { class: "fit" } : { width: width * zoom, height: height * zoom };
  const hits = new Set(sought === "" ? [] : groups.flatMap(({ boxes }) => boxes.filter(hasText(sought)).map(idOf)));
  const first = [...hits][0] ?? null;
  return (
    <section class="picture" aria-label="Graph of the program, listed below" tabIndex={0}>
      <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} {...size}>
        {groups.map(({ id, title }) => (title === null ? null : <Frame key={id} place={places[id]} />))}
        {arrows.map((arrow, at) => (
          <ArrowOf key={`${arrow.from} ${arrow.to} ${arrow.text}`} arrow={arrow} drawing={drawing} at={at} />
        ))}
        {groups.map(({ id, title }) =>
          title === null ? null : <Lines key={id} lines={[title]} place={places[`${id}t`]} title />,
        )}
        {groups.map(({ boxes }) =>
          boxes.map((box) => (
            <BoxOf
              key={box.id}
              box={box}
              place={places[box.id]}
              marks={marks}
              isHit={hits.has(box.id)}
              isShown={box.id === first}
            />
          )),
        )}
      </svg>
    </section>
  );
}

const idOf = ({ id }: Box): string => id;
const hasText = (sought: string) => (box: Box) => box.lines.join(" ").toLowerCase().includes(sought);

function Frame({ place }: { readonly place: Rectangle | undefined }) {
  return place === undefined ? null : <rect class="frame" {...place} />;
}

function ArrowOf({ arrow: { text, failure }, drawing, at }: { arrow: Arrow; drawing: Drawing; at: number }) {
  const placed = drawing.arrows[at];
  if (placed == null) return null;
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
  /** It is to be scrolled to. */
  readonly isShown: boolean;
};

function BoxOf({ box: { shape, lines, tier, step }, place, marks, isHit, isShown }: BoxView) {
  const element = useRef<SVGGElement>(null);
  const key = step === null ? null : placeKey(step);
  const isPresent = key !== null && marks.present !== null && placeKey(marks.present) === key;
  const isFailed = key !== null && marks.failed !== null && placeKey(marks.failed) === key;
  const visits = key === null ? undefined : marks.visits.get(key);
  useEffect(() => {
    if (isShown || isPresent) element.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isShown, isPresent]);
  if (place === undefined) return null;
  const states = [tier, ...(isPresent ? ["present"] : []), ...(isFailed ? ["failed"] : []), ...(isHit ? ["hit"] : [])];
  const said = [
    ...(isPresent ? ["the run is here"] : []),
    ...(isFailed ? ["it failed"] : []),
    ...(visits === undefined ? [] : [visitText(visits)]),
  ];
  return (
    <g ref={element} class={`box ${states.join(" ")}`}>
      <title>{[lines.join(" "), ...said].join(", ")}</title>
      <Shape shape={shape} place={place} />
      <Lines lines={lines} place={place} />
      {visits === undefined && said.length === 0 ? null : (
        <text class="visits" x={place.x} y={place.y + place.height + LINE - 2}>
          {visits === undefined ? (isPresent ? "◀ here" : "✗ failed") : visitText(visits)}
        </text>
      )}
    </g>
  );
}

function visitText({ count, ms, failures }: StepVisits): string {
  return `${count}× ${duration(ms)}${failures === 0 ? "" : `, ${failures} failed`}`;
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
