import type { Json, JsonObject } from "../../compiler/json.ts";
import type { CallContext } from "../../vm/adapter.ts";
import type { Effect } from "./effect.ts";

/** A tool that a host hands in, or a module exports. */
export type FunctionTool = {
  readonly summary?: string;
  /** Default: io-write. */
  readonly effect?: Effect;
  /** JSON Schema (draft 2020-12) of the list of arguments. */
  readonly argsSchema?: JsonObject;
  readonly resultSchema?: JsonObject;
  readonly retryable?: boolean;
  readonly timeoutMs?: number;
  run(args: readonly Json[], context: CallContext): unknown;
};

/** By name. */
export type FunctionTools = Readonly<Record<string, FunctionTool>>;
