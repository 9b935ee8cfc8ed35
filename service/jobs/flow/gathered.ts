/** Checks of inputs that become an item of a list (`batch`). */
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { frameWarnings } from "../../run/frame-check.ts";
import type { RunPlan } from "../../run/plan.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { writtenFlow } from "./flow-of.ts";
import { ITEMS } from "./gathered-text.ts";
import type { FlowMembers } from "./members.ts";

type Begun = { readonly prepared: { readonly ir: Ir }; readonly entry: string | null };
type Said = readonly Pick<FlowMembers, "batch">[];

export function isBatch(said: Said): boolean {
  return said.some(({ batch }) => batch != null);
}

/** Whether the inputs of a run come as a list. `said`: besides `@job`. */
export function isGathered({ prepared: { ir }, entry }: Begun, said: Said): boolean {
  return isBatch(said) || writtenFlow(ir, entry).batch != null;
}

/** The warnings about inputs, which become an item of a list if `gathered`. Throws ServiceFault input_invalid. `root`: pointer of them in the body. */
export function inputWarnings(
  plan: RunPlan,
  asked: Parameters<typeof frameWarnings>[1],
  frame: JsonObject,
  { gathered, root = "/frame" }: { readonly gathered: boolean; readonly root?: string },
): readonly string[] {
  if (!gathered) return frameWarnings(plan, asked, frame, root);
  try {
    return frameWarnings(plan, asked, { [ITEMS]: [frame] }, root);
  } catch (thrown) {
    if (!(thrown instanceof ServiceFault) || thrown.error !== "input_invalid") throw thrown;
    // The path is that of the input as it was sent.
    const inList = `${root}/${ITEMS}/0`;
    const issues = (thrown.members.issues ?? []).map(({ path, ...issue }) => ({
      ...issue,
      path: path.startsWith(inList) ? `${root}${path.slice(inList.length)}` : path,
    }));
    throw new ServiceFault("input_invalid", thrown.message, { issues });
  }
}
