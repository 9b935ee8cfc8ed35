/** The right side of the playground: what the compiler knows of the program, and what a run of it did. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { labelNames } from "../../../compiler/diagram/label-names.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { SecurityReport } from "../../../compiler/policy/report-shape.ts";
import type { Fix } from "../../../grammar/diagnostic.ts";
import type { RunResult } from "../data.ts";
import type { LiveDrawing } from "../parts/graph/drawing.ts";
import { Graph, type MachineSwitch } from "../parts/graph/graph.tsx";
import { Meters } from "../parts/meters.tsx";
import { Value } from "../parts/value.tsx";
import { useWork } from "../work.ts";
import { BoundsView } from "./bounds.tsx";
import { bytecodeOf, type Compiled, reported } from "./compiler.ts";
import { Findings } from "./findings.tsx";
import { ReportView } from "./report.tsx";
import type { RunLine } from "./run-lines.ts";
import { Stepper } from "./stepper.tsx";
import type { TraceStep } from "./trace-step.ts";

export const TABS = ["Findings", "Graph", "Report", "Bounds", "Bytecode", "Result", "Steps"] as const;
export type Tab = (typeof TABS)[number];

export type RunView = {
  readonly steps: readonly TraceStep[];
  /** The one that is looked at, as a person counts them. */
  readonly at: number;
  /** The program went to the service, which ran it; that of a file did not. */
  readonly isSent: boolean;
  /** As it was when it ran; null: it is the text as it stands. */
  readonly program: Compiled | null;
};

type ViewOf = {
  readonly tab: Tab;
  readonly text: string;
  readonly program: Compiled | null;
  readonly outcome: RunResult | null;
  /** null: no run is there to be stepped through. */
  readonly run: RunView | null;
  readonly lines: readonly RunLine[];
  readonly move: (to: number) => void;
  readonly drawing: LiveDrawing;
  readonly isCollapsed: boolean;
  readonly collapse: (isCollapsed: boolean) => void;
  readonly machine: MachineSwitch | null;
  readonly apply: (fix: Fix) => void;
  readonly showLine: (line: number) => void;
};

export function View(view: ViewOf) {
  const { tab, text, program, outcome, run, lines, move, drawing, apply, showLine } = view;
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
    const ran = run.program ?? program;
    const layout = drawing.of === (ran?.source ?? text) ? drawing.layout : null;
    return <Stepper steps={run.steps} lines={lines} at={run.at} move={move} layout={layout} program={ran} />;
  }
  if (tab === "Graph") return <Drawing {...view} />;
  if (program === null) return <p class="quiet">compiling</p>;
  if (tab === "Findings") return <Findings diagnostics={program.diagnostics} apply={apply} showLine={showLine} />;
  const { ir } = program;
  if (ir === null) return <p class="quiet">The program has errors; see its findings.</p>;
  if (tab === "Report") return <Worked key={tab} ir={ir} work={reported} show={showReport} />;
  if (tab === "Bounds") return <Worked key={tab} ir={ir} work={reported} show={showBounds} />;
  const listing = bytecodeOf(ir);
  return listing === null ? (
    <p class="quiet">Bytecode is listed for the opcode form.</p>
  ) : (
    <pre class="value">{listing}</pre>
  );
}

/** The graph is drawn while the program is written. */
function Drawing({ drawing: { layout, isOld, problem }, isCollapsed, collapse, machine }: ViewOf) {
  return (
    <>
      {problem === null ? null : <p class="notice bad">{problem}</p>}
      {layout === null ? (
        <p class="quiet">{isOld ? "The program has errors; see its findings." : problem === null ? "drawing" : ""}</p>
      ) : (
        <Graph layout={layout} isCollapsed={isCollapsed} collapse={collapse} machine={machine} />
      )}
      <p class="quiet small">
        {isOld && layout !== null ? "This is the last text that could be read. " : ""}
        While the graph is shown, the text goes to the service to be laid out, which keeps nothing of it.
      </p>
    </>
  );
}

const showReport = (report: SecurityReport, ir: Ir) => <ReportView report={report} nameOf={labelNames(ir)} />;
const showBounds = ({ summary }: SecurityReport, ir: Ir) => <BoundsView summary={summary} nameOf={labelNames(ir)} />;

type WorkedOf<T> = {
  readonly ir: Ir;
  readonly work: (ir: Ir, signal: AbortSignal) => Promise<T>;
  readonly show: (result: T, ir: Ir) => ComponentChildren;
};

/** What the compiler finds out about a program. Of the one before it stays until that is there. */
function Worked<T>({ ir, work, show }: WorkedOf<T>) {
  const { result } = useWork((signal) => work(ir, signal), [ir]);
  return useMemo(() => (result === null ? <p class="quiet">reading</p> : show(result, ir)), [result]);
}
