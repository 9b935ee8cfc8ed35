/**
 * Layouts of programs, by checksum: Graphviz works in a thread of its own, one graph after the other, at most five seconds for each, and
 * the last results are kept. Five seconds are those of a clock, so on a busy machine Graphviz gets a part of them: what it does not finish is
 * placed plainly.
 */
import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { helperPath } from "../../../adapters/engine/helpers.ts";
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import type { AdapterCatalog } from "../../../compiler/catalog.ts";
import { toDot } from "../../../compiler/diagram/dot.ts";
import { diagramOf } from "../../../compiler/diagram/draw.ts";
import { hasSourceLines } from "../../../compiler/diagram/label-names.ts";
import { measured } from "../../../compiler/diagram/measured.ts";
import type { Diagram } from "../../../compiler/diagram/model.ts";
import { lineDiagramOf } from "../../../compiler/diagram/source-lines.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Clock } from "../../../vm/run.ts";
import { later } from "../../wire/errors.ts";
import { drawingOf } from "./drawing.ts";
import { plainDrawing } from "./plain-drawing.ts";
import { type Layout, MAX_DRAWN } from "./shapes.ts";
import type { FromLayout, ToLayout } from "./thread.ts";

/** `source`: a box for each line of a program in Python, of any other the steps. */
export type LayoutView = "source" | "steps" | "labels";

const MAX_MS = 5000;
/** Larger graphs take Graphviz more than its time, also where nothing else is done. */
const MAX_PLACED = 3000;
/** Beyond, a graph is listed in part. */
const MAX_LISTED = 2000;
const MAX_WAITING = 16;
const KEPT = 64;
const MAX_HEAP_MB = 512;

const keyOf = (source: string): string => `source ${createHash("sha256").update(source).digest("hex")}`;

export class Layouts {
  readonly #catalog: AdapterCatalog;
  readonly #clock: Pick<Clock, "wait">;
  readonly #kept = new BoundedMap<Layout>({ max: KEPT });
  readonly #program: string;
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `program`: of the thread; for tests. */
  constructor(catalog: AdapterCatalog, clock: Pick<Clock, "wait">, program: string = helperPath("graph-layout")) {
    this.#catalog = catalog;
    this.#clock = clock;
    this.#program = program;
  }

  /** Of a text that was drawn by its lines before: it need not be compiled again. */
  known(source: string): Layout | undefined {
    return this.#kept.use(keyOf(source));
  }

  /** `source`: null where it is not known. Rejects with ServiceFault server_busy. */
  async of(ir: Ir, view: LayoutView, source: string | null = null): Promise<Layout> {
    const byLines = view === "source" && hasSourceLines(ir);
    const key = byLines && source !== null ? keyOf(source) : `${view} ${ir.checksum}`;
    const known = this.#kept.use(key);
    if (known !== undefined) return known;
    const diagram = byLines
      ? lineDiagramOf(ir, source, this.#catalog)
      : diagramOf(ir, this.#catalog, { labelsOnly: view === "labels" });
    const boxes = diagram.groups.reduce((sum, group) => sum + group.boxes.length, 0);
    const answer = boxes > MAX_PLACED ? null : await this.#inTurn(toDot(measured(diagram)));
    const state = answer?.state ?? "too_large";
    const isDrawn = boxes <= MAX_DRAWN;
    const layout: Layout = {
      checksum: ir.checksum,
      isPython: hasSourceLines(ir),
      labels: Object.keys(ir.labels).length,
      boxes,
      ...(isDrawn ? diagram : listed(diagram)),
      more: !isDrawn && boxes > MAX_LISTED,
      drawing: answer?.state === "placed" ? drawingOf(answer.json, diagram) : isDrawn ? plainDrawing(diagram) : null,
      why: state === "placed" ? null : state,
    };
    // The package may be installed later, and a busy machine may be less so.
    if (state === "placed" || boxes > MAX_PLACED) this.#kept.set(key, layout);
    return layout;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  async #inTurn(text: string): Promise<FromLayout | { readonly state: "too_slow" }> {
    if (this.#waiting >= MAX_WAITING) throw later("server_busy", "too many graphs are waiting to be laid out", 1);
    this.#waiting += 1;
    const turn = this.#last.then(() => this.#placed(text));
    this.#last = turn.catch(() => {});
    return turn.finally(() => {
      this.#waiting -= 1;
    });
  }

  #placed(text: string): Promise<FromLayout | { readonly state: "too_slow" }> {
    const worker = this.#worker ?? this.#started();
    return new Promise((resolve) => {
      const finish = (answer: FromLayout | { readonly state: "too_slow" }): void => {
        stop();
        worker.off("message", finish).off("exit", gone).off("error", gone);
        resolve(answer);
      };
      const drop = (): void => {
        this.#worker = null;
        void worker.terminate();
      };
      const gone = (): void => {
        drop();
        finish({ state: "too_large" });
      };
      const stop = this.#clock.wait(MAX_MS, () => {
        drop();
        finish({ state: "too_slow" });
      });
      worker.once("message", finish).once("exit", gone).once("error", gone);
      worker.postMessage({ text } satisfies ToLayout);
    });
  }

  #started(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    const worker = new Worker(this.#program, { env: {}, execArgv: [], resourceLimits });
    worker.unref();
    // An error between two graphs would end the process without a listener.
    worker.on("error", () => {});
    this.#worker = worker;
    return worker;
  }
}

/** The first groups, with the arrows between their boxes. */
function listed({ groups, arrows }: Diagram): Diagram {
  const shown: Diagram["groups"][number][] = [];
  let count = 0;
  for (const group of groups) {
    const boxes = group.boxes.slice(0, MAX_LISTED - count);
    if (boxes.length === 0) break;
    shown.push({ ...group, boxes });
    count += boxes.length;
  }
  const ids = new Set(shown.flatMap(({ boxes }) => boxes.map(({ id }) => id)));
  return { groups: shown, arrows: arrows.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}
