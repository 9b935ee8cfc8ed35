/** Names for the parts of the API's bodies that the pages show. Their shapes are those of the OpenAPI document (client/api-types.ts). */
import type {
  ErrorBody,
  JobList,
  JobWaits,
  JournalPage,
  ProgramVersionList,
  RunSuccess,
} from "../../client/api-types.ts";

export type {
  Approval,
  ApprovalPage,
  Backfilled,
  DeadLetterList,
  EventDetail,
  EventList,
  Job,
  JobCalls,
  JobFrame,
  JobList,
  JobState,
  JobStats,
  JobVariables,
  JobWaits,
  JournalPage,
  Metrics,
  NextTimes,
  NoticeList,
  Program,
  ProgramList,
  ProgramVersion,
  ProgramVersionList,
  Proposal,
  ProposalList,
  RecentRunList,
  RetryRehearsed,
  Schedule,
  ScheduleList,
} from "../../client/api-types.ts";

export type ListedJob = JobList["jobs"][number];
export type JobWait = JobWaits["waits"][number];
/** `kind` says which of the members a record has (docs/durable.md). */
export type JournalRecord = JournalPage["records"][number];
export type ListedVersion = ProgramVersionList["versions"][number];
export type RunResult = RunSuccess | ErrorBody;
