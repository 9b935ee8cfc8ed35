/** All rules about jobs that start jobs, by name. */
import { lookAtFamilies } from "./look.ts";
import { familyMembers, familyTree, forgetFamilies, knownChild } from "./reads.ts";
import { startChild } from "./start.ts";

export const familyReads = { knownChild, familyMembers, familyTree };
export const familyChanges = { startChild, lookAtFamilies, forgetFamilies };
