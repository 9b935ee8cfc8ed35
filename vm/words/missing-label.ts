/** What is said when a run is to begin at a label that does not exist, or to go to one: the nearest, else the labels there are, bounded. */
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { listed } from "../../grammar/english.ts";
import { isBlockLabel } from "../../grammar/indented/graph-names.ts";
import { writtenLabel } from "../../grammar/written-label.ts";
import { codePointSlice } from "../code-points.ts";
import type { Host } from "../host.ts";

const MOST_NAMED = 20;
const LONGEST_NAMED = 60;

/** To go behind a sentence: `; did you mean L2?`, or `; the program has L1, L_two and 5 more`. */
export function missingLabelHint(ir: Ir, near: readonly string[]): string {
  return near.length > 0
    ? `; did you mean ${listed(near.map(writtenLabel), "or")}?`
    : `; the program has ${labelsOf(ir)}`;
}

/** The same for programs that mend the request by themselves: also with a near one they learn which labels there are. */
export function missingLabelDetail(ir: Ir, near: readonly string[]): string {
  const hint = missingLabelHint(ir, near);
  return near.length > 0 ? `${hint} The program has ${labelsOf(ir)}` : hint;
}

/** The labels nearest to the one that a program goes to and does not have: what `data` of RUNTIME_UNKNOWN_LABEL names. */
export function nearTarget(host: Pick<Host, "resolveLabel">, ir: Ir, { target }: JsonObject): readonly string[] {
  const found = host.resolveLabel(ir, String(target));
  return found.id === null ? found.near : [];
}

/** Labels that the notation made for blocks are nobody's entries. */
function labelsOf(ir: Ir): string {
  const written = Object.keys(ir.labels).filter((id) => !isBlockLabel(id));
  const named = written.slice(0, MOST_NAMED).map((id) => shortened(writtenLabel(id)));
  const more = written.length - named.length;
  if (written.length === 0) return "no labels";
  return listed(more === 0 ? named : [...named, `${more} more`]);
}

function shortened(label: string): string {
  return label.length <= LONGEST_NAMED ? label : `${codePointSlice(label, 0, LONGEST_NAMED)}…`;
}
