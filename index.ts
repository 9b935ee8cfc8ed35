/**
 * The library: compile programs, check and format them, read IR from outside, and run it on a host. Everything else is internal and may
 * change; what is exported here follows semantic versioning.
 */

export { systemClock } from "./adapters/engine/system-clock.ts";
export { emptyHostConfig, type HostConfig, readHostConfig } from "./adapters/operator/host-config.ts";
export { StartFault } from "./adapters/operator/start-fault.ts";
export type { LoadedPlugin } from "./adapters/plugins/load.ts";
export { type HostAdapters, openAdapters } from "./adapters/plugins/open.ts";
export { openRuntime, type Runtime, type RuntimeOptions } from "./adapters/runtime.ts";
export { type SqliteJournal, sqliteJournal } from "./adapters/store/sqlite-journal.ts";
export { builtinAdapters, builtinCatalog } from "./compiler/catalog/builtin.ts";
export { type AdapterCatalog, type AdapterEntry, createCatalog, type VerbEntry } from "./compiler/catalog.ts";
export { compile } from "./compiler/compile.ts";
export { DIAGNOSTIC_CODES, type DiagnosticCode } from "./compiler/diagnostic-codes.ts";
export { FUNCTIONS, type FunctionSignature, findFunction } from "./compiler/functions.ts";
export { grammarShape } from "./compiler/grammar-shape.ts";
export { canonicalJson } from "./compiler/ir/canonical.ts";
export { IR_VERSION, type Ir, type IrEdge, type IrNode } from "./compiler/ir/graph.ts";
export { normalize } from "./compiler/ir/supplied/normalize.ts";
export type { Json, JsonObject } from "./compiler/json.ts";
export type {
  CompileOptions,
  CompileRequest,
  CompileResult,
  IncludeReader,
  IncludeResult,
} from "./compiler/options.ts";
export { complete } from "./grammar/complete.ts";
export type { Candidate, Completion, Surroundings } from "./grammar/completion.ts";
export type { Diagnostic, Edit, Fix, Severity } from "./grammar/diagnostic.ts";
export { type LinesResult, type ProgramLine, sourceOfLines } from "./grammar/generate/json-schema.ts";
export { plausible } from "./grammar/plausible.ts";
export { format } from "./grammar/print/print.ts";
export type { Span } from "./grammar/text/span.ts";
export type { Adapter, AdapterVerb, BoundCall, CallContext, RunScope } from "./vm/adapter.ts";
export type { Admission, ServerSide } from "./vm/admission/admit.ts";
export type { Prepared } from "./vm/admission/prepare.ts";
export type { PlanRefused, PrepareRefused } from "./vm/admission/refusal.ts";
export type { BatchResult } from "./vm/batch/result.ts";
export type { RowFailure, Rows, RowsPart } from "./vm/batch/rows/rows-part.ts";
export type { BatchPace } from "./vm/batch/run-groups.ts";
export { type BatchOptions, type RowsOptions, runBatch } from "./vm/batch.ts";
export { type PlainAdapterOptions, type PlainVerb, plainAdapter } from "./vm/calls/plain-adapter.ts";
export type { OnUnknown } from "./vm/durable/call-options.ts";
export type {
  DurableEnd,
  DurableEvent,
  DurableRequest,
  DurableRun,
} from "./vm/durable/durable-request.ts";
export { type MemoryJournal, memoryJournal } from "./vm/durable/memory-journal.ts";
export type { JournalRecord, LoadedJournal, Parked, ParkedWait, RunJournal } from "./vm/durable/records.ts";
export type { SnapshotRules } from "./vm/durable/stored-snapshot.ts";
export { JournalUnreadable } from "./vm/durable/whole-journal.ts";
export { RUNTIME_CODES, type RuntimeCode } from "./vm/errors/error-codes.ts";
export { AdapterError, OperationFailure } from "./vm/errors/failures.ts";
export { createGateway, type Gateway, type GatewayRun } from "./vm/gateway.ts";
export type { Side } from "./vm/grant/explain.ts";
export { FLOOR_GRANT, type Grant } from "./vm/grant/grant.ts";
export { mergeGrants } from "./vm/grant/merge.ts";
export { normalizeGrant } from "./vm/grant/normalize-grant.ts";
export { PROFILES, type Profile, profileGrant } from "./vm/grant/profiles.ts";
export { createHost, type Host, type HostDeps, type HostRunRequest, type RunAnswer } from "./vm/host.ts";
export { InputInvalid, type InputMode } from "./vm/inputs/check-inputs.ts";
export { RequestInvalid } from "./vm/inputs/request-invalid.ts";
export type { PreparedProgram, PrepareOptions } from "./vm/prepared.ts";
export type { RecordedCall, RecordLog } from "./vm/recording/record-log.ts";
export { ReplayLogInvalid, readReplayLog } from "./vm/recording/replay-log.ts";
export {
  type CallEvent,
  type CallObserver,
  type Clock,
  type HostFacts,
  LIMIT_KEYS,
  type Limits,
  type Outcome,
  type RunError,
  type TraceEvent,
  type Usage,
} from "./vm/run.ts";
export { RunWaits } from "./vm/runs/run-waits.ts";
export { summarize } from "./vm/summary/summary.ts";
export type { TierSetting, TierUse } from "./vm/tier/policy.ts";
