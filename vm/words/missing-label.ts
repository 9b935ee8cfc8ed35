/** The hint for a label that does not exist, as the entry or as a target: the nearest label, otherwise a bounded list of all labels. */
import type { Ir } from "../../compiler/ir/graph.ts";
import { labelName } from "../../compiler/ir/references.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { listed } from "../../grammar/text/english.ts";
import { isBlockLabel } from "../../grammar/text/written-label.ts";
import type { Host } from "../host.ts";
import { codePointSlice } from "../values/code-points.ts";

const MAX_NAMED = 20;
const MAX_NAMED_LENGTH = 60;

/** To append to a sentence: `; did you mean L2?`, or `; the program has L1, L_two and 5 more`. */
export function missingLabelHint(ir: Ir, near: readonly string[]): string {
  return near.length > 0
    ? `; did you mean ${listed(
        near.map((id) => labelName(ir, id)),
        "or",
      )}?`
    : `; the program has ${labelsOf(ir)}`;
}

/** The same for clients that fix their request automatically: even with a near label the hint lists all labels. */
export function missingLabelDetail(ir: Ir, near: readonly string[]): string {
  const hint = missingLabelHint(ir, near);
  return near.length > 0 ? `${hint} The program has ${labelsOf(ir)}` : hint;
}

/** The labels nearest to a missing target, for `data` of RUNTIME_UNKNOWN_LABEL. */
export function nearTarget(host: Pick<Host, "resolveLabel">, ir: Ir, { target }: JsonObject): readonly string[] {
  const found = host.resolveLabel(ir, String(target));
  return found.id === null ? found.near : [];
}

/** Labels that stand for blocks, functions inside of functions or of imported files, and the top of a file are omitted: a client does not ask for them. */
function labelsOf(ir: Ir): string {
  const isAsked = (id: string): boolean => {
    const python = ir.labels[id]?.python;
    return python === undefined ? !isBlockLabel(id) : python.kind !== "module" && !/[./]/.test(id);
  };
  const written = Object.keys(ir.labels).filter(isAsked);
  const named = written.slice(0, MAX_NAMED).map((id) => shortened(labelName(ir, id)));
  const more = written.length - named.length;
  if (written.length === 0) return "no labels";
  return listed(more === 0 ? named : [...named, `${more} more`]);
}

function shortened(label: string): string {
  return label.length <= MAX_NAMED_LENGTH ? label : `${codePointSlice(label, 0, MAX_NAMED_LENGTH)}…`;
}
