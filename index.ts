/**
 * The library: compile programs, check and format them, read IR from outside, and run it on a host. Everything else is internal and may
 * change; what is exported here follows semantic versioning.
 */

export { emptyHostConfig, type HostConfig, readHostConfig } from "./adapters/host-config.ts";
export type { LoadedPlugin } from "./adapters/plugins/load.ts";
export { type HostAdapters, openAdapters } from "./adapters/plugins/open.ts";
export { openRuntime, type Runtime, type RuntimeOptions } from "./adapters/runtime.ts";
export { StartFault } from "./adapters/start-fault.ts";
export { systemClock } from "./adapters/system-clock.ts";
export { type Loaded, loadBytecode } from "./compiler/bytecode/load.ts";
export { builtinAdapters, builtinCatalog } from "./compiler/catalog/builtin.ts";
export { type AdapterCatalog, type AdapterEntry, createCatalog, type VerbEntry } from "./compiler/catalog.ts";
export { compile } from "./compiler/compile.ts";
export { DIAGNOSTIC_CODES, type DiagnosticCode } from "./compiler/diagnostic-codes.ts";
export { FUNCTIONS, type FunctionSignature, findFunction } from "./compiler/functions.ts";
export { grammarShape } from "./compiler/grammar-shape.ts";
export { canonicalJson } from "./compiler/ir/canonical.ts";
export { IR_VERSION, type Ir, type IrEdge, type IrNode } from "./compiler/ir/graph.ts";
export { normalize } from "./compiler/ir/normalize.ts";
export type { Json, JsonObject } from "./compiler/json.ts";
export type {
  CompileOptions,
  CompileRequest,
  CompileResult,
  IncludeReader,
  IncludeResult,
} from "./compiler/options.ts";
export { type Candidate, type Completion, complete, type Surroundings } from "./grammar/complete.ts";
export type { Diagnostic, Edit, Fix, Severity } from "./grammar/diagnostic.ts";
export { type LinesResult, type ProgramLine, sourceOfLines } from "./grammar/generate/json-schema.ts";
export { plausible } from "./grammar/plausible.ts";
export { format } from "./grammar/print.ts";
export type { Span } from "./grammar/span.ts";
export type { Adapter, AdapterVerb, BoundCall, CallContext, RunScope } from "./vm/adapter.ts";
export type { Admission, ServerSide } from "./vm/admission.ts";
export type { BatchResult } from "./vm/batch/result.ts";
export type { BatchPace } from "./vm/batch/run-items.ts";
export { type BatchOptions, runBatch } from "./vm/batch.ts";
export { RUNTIME_CODES, type RuntimeCode } from "./vm/error-codes.ts";
export { AdapterError, OperationFailure } from "./vm/errors.ts";
export { createGateway, type Gateway, type GatewayRun } from "./vm/gateway.ts";
export type { Side } from "./vm/grant/explain.ts";
export { FLOOR_GRANT, type Grant } from "./vm/grant/grant.ts";
export { mergeGrants } from "./vm/grant/merge.ts";
export { normalizeGrant } from "./vm/grant/normalize-grant.ts";
export { PROFILES, type Profile, profileGrant } from "./vm/grant/profiles.ts";
export { createHost, type Host, type HostDeps, type HostRunRequest, type RunAnswer } from "./vm/host.ts";
export { type PlainAdapterOptions, type PlainVerb, plainAdapter } from "./vm/plain-adapter.ts";
export type { Prepared, PrepareRefused } from "./vm/preparation.ts";
export type { RecordedCall, RecordLog } from "./vm/record.ts";
export { ReplayLogInvalid, readReplayLog } from "./vm/replay-log.ts";
export { RequestInvalid } from "./vm/request-invalid.ts";
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
export { RunWaits } from "./vm/runner.ts";
export { summarize } from "./vm/summary.ts";
