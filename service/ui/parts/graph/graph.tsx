/** The graph of a program with what a run did. It can be searched, fitted, enlarged and collapsed to its labels; a list says the same. */
import { useState } from "preact/hooks";
import { type Box, type Layout, MAX_DRAWN } from "../../../console/layout/shapes.ts";
import { number } from "../../words.ts";
import { GraphList } from "./graph-list.tsx";
import type { GraphMarks } from "./graph-marks.ts";
import { Picture } from "./graph-picture.tsx";

const NO_MARKS: GraphMarks = { visits: new Map(), present: null, failed: null };

/** Why labels stand in the order of the program. */
const WHY = {
  too_large: "The graph is large, so its labels stand in the order of the program.",
  too_slow: "A better drawing took too long, so labels stand in the order of the program.",
  package_missing:
    "Labels stand in the order of the program: a better drawing needs the package @hpcc-js/wasm-graphviz on the server.",
} as const;
const ZOOMS = [0.5, 1, 1.5, 2];
/** Larger graphs are not fitted: they would be too small to read, and only what can be seen of them is drawn. */
const MAX_FITTED = 1000;

/** By the privilege tier of a step. */
const LETTERS: Readonly<Record<string, string>> = {
  local_state: "[L] local state",
  network: "[N] network",
  operator_sensitive: "[O] operator-sensitive",
};

type GraphOf = {
  readonly layout: Layout;
  readonly marks?: GraphMarks;
  /** One box for each label. */
  readonly isCollapsed: boolean;
  /** null: it cannot be chosen here. */
  readonly collapse: ((isCollapsed: boolean) => void) | null;
  /** null: the program has no lines to be drawn by instead. */
  readonly machine?: MachineSwitch | null;
};

/** Whether the steps are drawn that the compiler made, and not the lines of the source. */
export type MachineSwitch = { readonly isShown: boolean; readonly show: (isShown: boolean) => void };

export function Graph({ layout, marks = NO_MARKS, isCollapsed, collapse, machine = null }: GraphOf) {
  const [chosen, setZoom] = useState<number | null>(null);
  const [isListed, setListed] = useState(false);
  const [sought, setSought] = useState("");
  const { drawing, why, boxes, groups, arrows } = layout;
  const isLarge = boxes > MAX_FITTED;
  const zoom = chosen ?? (isLarge ? 1 : null);
  return (
    <div class="graph">
      <p class="actions">
        {collapse === null ? null : (
          <label class="check">
            <input type="checkbox" checked={isCollapsed} onChange={(event) => collapse(event.currentTarget.checked)} />
            {layout.isPython ? "Functions only" : "Labels only"}
          </label>
        )}
        {machine === null || isCollapsed ? null : (
          <label class="check">
            <input
              type="checkbox"
              checked={machine.isShown}
              onChange={(event) => machine.show(event.currentTarget.checked)}
            />
            Steps of the machine
          </label>
        )}
        {drawing === null ? null : (
          <>
            <label>
              Size
              <select
                value={zoom ?? "fit"}
                onChange={({ currentTarget: { value } }) => setZoom(value === "fit" ? null : Number(value))}
              >
                {isLarge ? null : <option value="fit">fit</option>}
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
      {why === null ? null : <p class="quiet">{drawing === null ? undrawn(layout, isCollapsed) : WHY[why]}</p>}
      {drawing === null ? (
        <section class="listed" aria-label="Graph of the program, as a list" tabIndex={0}>
          <GraphList groups={groups} arrows={arrows} />
        </section>
      ) : (
        <>
          <Picture
            layout={layout}
            drawing={drawing}
            marks={marks}
            zoom={zoom}
            isLarge={isLarge}
            sought={sought.trim().toLowerCase()}
          />
          <Letters groups={groups} />
          <details open={isListed} onToggle={(event) => setListed(event.currentTarget.open)}>
            <summary>As a list</summary>
            {isListed ? <GraphList groups={groups} arrows={arrows} /> : null}
          </details>
        </>
      )}
    </div>
  );
}

function undrawn({ boxes, more, labels }: Layout, isCollapsed: boolean): string {
  const shown = more ? ", of which the first are listed" : "";
  const instead = isCollapsed || labels >= MAX_DRAWN ? "" : ` Labels only draws its ${number(labels)} labels.`;
  return `The graph has ${number(boxes)} boxes, too many to be drawn${shown}.${instead}`;
}

/** What the letters in the boxes mean, as far as there are any. */
function Letters({ groups }: Pick<Layout, "groups">) {
  const tiers = new Set(groups.flatMap(({ boxes }) => boxes.map(({ tier }) => tier)));
  const shown = Object.entries(LETTERS).filter(([tier]) => tiers.has(tier as Box["tier"]));
  return shown.length === 0 ? null : <p class="quiet">{shown.map(([, words]) => words).join(", ")}</p>;
}
