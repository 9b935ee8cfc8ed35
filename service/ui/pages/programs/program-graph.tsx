/** The graph of a program by its checksum, with what a run of it did. */
import { useState } from "preact/hooks";
import type { Layout } from "../../../console/layout/shapes.ts";
import { useData } from "../../loading.ts";
import { FaultNotice } from "../../parts/fault.tsx";
import { Graph } from "../../parts/graph/graph.tsx";
import type { GraphMarks } from "../../parts/graph/graph-marks.ts";

/** `marks`: absent for a program that is not run. */
export function ProgramGraph({ checksum, marks }: { readonly checksum: string; readonly marks?: GraphMarks }) {
  const [isCollapsed, collapse] = useState(false);
  const { data, fault } = useData<Layout>(`/ui/layout/${checksum}?view=${isCollapsed ? "labels" : "steps"}`, null);
  return (
    <section aria-label="Graph">
      <FaultNotice fault={fault} />
      {data === null ? (
        fault === null ? (
          <p class="quiet">drawing</p>
        ) : null
      ) : (
        <Graph
          layout={data}
          {...(marks === undefined ? {} : { marks: marksIn(data, marks) })}
          isCollapsed={isCollapsed}
          collapse={collapse}
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
    : { ...marks, failed: { ...failed, label: failed.label.replace(/^L/, "") } };
}
