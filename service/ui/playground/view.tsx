/** The right side of the playground: what the compiler knows of the program, and what a run of it did. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Diagram } from "../../../compiler/diagram/model.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { SecurityReport } from "../../../compiler/policy/report-shape.ts";
import type { Fix } from "../../../grammar/diagnostic.ts";
import type { Layout } from "../../console/layout/shapes.ts";
import type { RunResult } from "../data.ts";
import { Graph } from "../parts/graph/graph.tsx";
import { GraphList } from "../parts/graph/graph-list.tsx";
import { Meters } from "../parts/meters.tsx";
import { Value } from "../parts/value.tsx";
import { useWork } from "../work.ts";
import { BoundsView } from "./bounds.tsx";
import { bytecodeOf, type Compiled, drawn, reported } from "./compiler.ts";
import { Findings } from "./findings.tsx";
import { ReportView } from "./report.tsx";
import { Stepper, type TraceStep } from "./stepper.tsx";

export const TABS = ["Findings", "Graph", "Report", "Bounds", "Bytecode", "Result", "Steps"] as const;
export type Tab = (typeof TABS)[number];

export type RunView = { readonly steps: readonly TraceStep[]; readonly at: number };

type ViewOf = {
  readonly tab: Tab;
  readonly text: string;
  readonly program: Compiled | null;
  readonly outcome: RunResult | null;
  /** null: no run is there to be stepped through. */
  readonly run: RunView | null;
  readonly move: (to: number) => void;
  /** Of the text as it stands; null: it was not asked for. */
  readonly layout: Layout | null;
  readonly isCollapsed: boolean;
  readonly draw: (isCollapsed: boolean) => void;
  readonly apply: (fix: Fix) => void;
  readonly showLine: (line: number) => void;
};

export function View(view: ViewOf) {
  const { tab, program, outcome, run, move, layout, isCollapsed, draw, apply, showLine } = view;
  if (tab === "Result") {
    if (outcome === null) return <p class="quiet">It has not run yet.</p>;
    return (
      <>
        {outcome.ok ? <Value value={outcome.out} /> : <p class="notice bad">{outcome.message}</p>}
        <Meters usage={outcome.usage} limits={outcome.limits} />
      </>
    );
  }
  if (tab === "Steps") {
    if (run === null) return <p class="quiet">It has not run yet. A record or a journal can be opened from a file.</p>;
    return <Stepper {...run} move={move} layout={isCollapsed ? null : layout} />;
  }
  if (program === null) return <p class="quiet">compiling</p>;
  if (tab === "Findings") return <Findings diagnostics={program.diagnostics} apply={apply} showLine={showLine} />;
  const { ir } = program;
  if (ir === null) return <p class="quiet">The program has errors; see its findings.</p>;
  if (tab === "Report") return <Worked key={tab} ir={ir} work={reported} show={showReport} />;
  if (tab === "Bounds") return <Worked key={tab} ir={ir} work={reported} show={showBounds} />;
  if (tab === "Bytecode")
    return bytecodeOf(ir) === null ? (
      <p class="quiet">Bytecode is listed for the opcode form.</p>
    ) : (
      <pre class="value">{bytecodeOf(ir)}</pre>
    );
  if (layout !== null) return <Graph layout={layout} isCollapsed={isCollapsed} collapse={draw} />;
  return (
    <>
      <p class="actions">
        <button type="button" onClick={() => draw(false)}>
          Draw it
        </button>
        <span class="quiet">This sends the text to the service, which keeps nothing of it.</span>
      </p>
      <Worked key={tab} ir={ir} work={drawn} show={showList} />
    </>
  );
}

const showReport = (report: SecurityReport) => <ReportView report={report} />;
const showBounds = ({ summary }: SecurityReport) => <BoundsView summary={summary} />;
const showList = (diagram: Diagram) => <GraphList {...diagram} />;

type WorkedOf<T> = {
  readonly ir: Ir;
  readonly work: (ir: Ir, signal: AbortSignal) => Promise<T>;
  readonly show: (result: T) => ComponentChildren;
};

/** What the compiler finds out about a program. Of the one before it stays until that is there. */
function Worked<T>({ ir, work, show }: WorkedOf<T>) {
  const { result } = useWork((signal) => work(ir, signal), [ir]);
  return useMemo(() => (result === null ? <p class="quiet">reading</p> : show(result)), [result]);
}
