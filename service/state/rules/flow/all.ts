/** All rules about when jobs begin, by name. */
import { forgetFlow, heldBy } from "./reads.ts";
import { lookAtFlow } from "./step.ts";

export const flowReads = { heldBy };
export const flowChanges = { lookAtFlow, forgetFlow };
