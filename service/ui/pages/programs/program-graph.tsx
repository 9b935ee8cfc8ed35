/**
 * The graph of a program with what a run of it did: by the lines of its source; where that is not known, or in several files, by their numbers.
 * A switch shows the steps that the compiler made.
 */
import { useState } from "preact/hooks";
import { resolveReference } from "../../../../compiler/ir/references.ts";
import type { Layout } from "../../../console/layout/shapes.ts";
import { useData } from "../../loading.ts";
import { FaultNotice } from "../../parts/fault.tsx";
import { useLiveDrawing } from "../../parts/graph/drawing.ts";
import { Graph } from "../../parts/graph/graph.tsx";
import type { GraphMarks } from "../../parts/graph/graph-marks.ts";

type ProgramGraphOf = {
  readonly checksum: string;
  /** null: it is not known. */
  readonly code: string | null;
  /** Absent for a program that is not run. */
  readonly marks?: GraphMarks;
};

export function ProgramGraph({ checksum, code, marks }: ProgramGraphOf) {
  const [isCollapsed, collapse] = useState(false);
  const [isMachine, showMachine] = useState(false);
  const byLines = code !== null && !isCollapsed && !isMachine;
  const drawn = useLiveDrawing(code, "source", byLines);
  // A program of several files, or of another compiler, does not fit its source.
  const hasLines = byLines && drawn.problem === null && (drawn.layout === null || drawn.layout.checksum === checksum);
  const view = isCollapsed ? "labels" : isMachine ? "steps" : "source";
  const { data, fault } = useData<Layout>(hasLines ? null : `/ui/layout/${checksum}?view=${view}`, null);
  const layout = hasLines ? drawn.layout : data;
  return (
    <section aria-label="Graph">
      <FaultNotice fault={fault} />
      {layout === null ? (
        fault === null ? (
          <p class="quiet">drawing</p>
        ) : null
      ) : (
        <Graph
          layout={layout}
          {...(marks === undefined ? {} : { marks: marksIn(layout, marks) })}
          isCollapsed={isCollapsed}
          collapse={collapse}
          machine={layout.isPython ? { isShown: isMachine, show: showMachine } : null}
        />
      )}
    </section>
  );
}

/** A label of the opcode form is written with an L in errors, and without it in the graph. A function has its own name in both. */
function marksIn({ isPython }: Layout, marks: GraphMarks): GraphMarks {
  const { failed } = marks;
  return isPython || failed === null
    ? marks
    : { ...marks, failed: { ...failed, label: resolveReference(failed.label, () => false) } };
}
