/** All rules about jobs that start jobs, and about rounds of jobs, by name. */
import { lookAtFamilies, overJobs } from "./look.ts";
import { familyMembers, familyTree, forgetFamilies, knownChild, sharedBudget } from "./reads.ts";
import { isTooFast, jobRounds, nextRound } from "./rounds.ts";
import { startChild } from "./start.ts";

export const familyReads = { overJobs, knownChild, familyMembers, familyTree, jobRounds, isTooFast, sharedBudget };
export const familyChanges = { startChild, nextRound, lookAtFamilies, forgetFamilies };
