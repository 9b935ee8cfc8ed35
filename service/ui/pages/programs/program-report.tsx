/** What a version of a program may reach, and the bounds of a run. The compiler of the page reads its IR. */
import { useState } from "preact/hooks";
import { labelNames } from "../../../../compiler/diagram/label-names.ts";
import type { Ir } from "../../../../compiler/ir/graph.ts";
import type { SecurityReport } from "../../../../compiler/policy/report-shape.ts";
import type { ProgramVersion } from "../../data.ts";
import { BoundsView } from "../../playground/bounds.tsx";
import { ReportView } from "../../playground/report.tsx";
import { number } from "../../words.ts";
import { useWork } from "../../work.ts";

/** Steps of programs that are read without being asked: it takes the page long. */
const MAX_STEPS = 5000;

export function VersionReport({ version: { version, checksum, ir } }: { readonly version: ProgramVersion }) {
  const { nodes } = ir as unknown as Ir;
  const nameOf = labelNames(ir as unknown as Ir);
  const [wanted, want] = useState<string | null>(null);
  const isWanted = nodes.length <= MAX_STEPS || wanted === checksum;
  const { result: report, isDone } = useWork<SecurityReport>(
    isWanted ? (signal) => readReport(ir as unknown as Ir, signal) : null,
    [checksum, isWanted],
  );
  return (
    <section aria-label="Report">
      <h2>What version {version} may reach</h2>
      {isWanted ? null : (
        <p class="actions">
          <button type="button" onClick={() => want(checksum)}>
            Read its {number(nodes.length)} steps
          </button>
        </p>
      )}
      {isDone && report === null ? <p class="quiet">The compiler could not be loaded: load the page again.</p> : null}
      {!isDone || report === null ? null : (
        <>
          <ReportView report={report} nameOf={nameOf} />
          <details>
            <summary>Bounds of a run</summary>
            <BoundsView summary={report.summary} nameOf={nameOf} />
          </details>
        </>
      )}
    </section>
  );
}

async function readReport(ir: Ir, signal: AbortSignal): Promise<SecurityReport> {
  const { reported } = await import("../../playground/compiler.ts");
  return reported(ir, signal);
}
