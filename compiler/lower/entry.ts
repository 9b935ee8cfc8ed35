/**
 * The label at which a run starts when the request names none (docs/language.md, inputs and entry).
 */
import type { Finding } from "../../grammar/diagnostic.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import { ANONYMOUS_LABEL } from "../ir/graph.ts";
import { sinkFor } from "./findings.ts";
import type { LabelTable, SourceLabel } from "./labels.ts";
import type { LoweredEndpoint } from "./lowered.ts";

/** Reports WF9015 when there is nothing to run and WF9027 when readers may expect another label. */
export function defaultEntry(
  table: LabelTable,
  endpoints: readonly LoweredEndpoint[],
  findings: Finding[],
): string | null {
  const main = table.labels.filter((label) => label.module.prefix === "");
  const first = main.find((label) => label.id !== ANONYMOUS_LABEL);
  if (first !== undefined) {
    noteOtherCandidate(first, table, endpoints, findings);
    return first.id;
  }
  const target = endpoints.find((endpoint) => endpoint.target?.exists === true)?.target;
  if (target != null) return target.id;
  const anonymous = main[0];
  if (anonymous?.steps.some(({ step }) => step.node) === true) return anonymous.id;
  // Of a file that is too large nothing was read.
  if (!findings.some(({ code }) => code === "WF1011")) sinkFor(findings).report("WF9015", null);
  return null;
}

function noteOtherCandidate(
  first: SourceLabel,
  table: LabelTable,
  endpoints: readonly LoweredEndpoint[],
  findings: Finding[],
): void {
  const endpoint = endpoints.find((one) => one.target?.exists === true)?.target?.id;
  const other = first.id !== "1" && table.get("1") !== undefined ? "1" : endpoint;
  if (other === undefined || other === first.id) return;
  sinkFor(findings, first.id).report("WF9027", first.span, {
    words: { id: writtenLabel(first.id), other: writtenLabel(other) },
  });
}
