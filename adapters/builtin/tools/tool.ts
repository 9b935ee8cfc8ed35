/**
 * What a tool is, wherever it runs: facts that callers may see, and a function from arguments to a result. The kinds of
 * tools make values of this shape; the registry checks arguments and results around them.
 */
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { VerbContext } from "../../definition/define.ts";
import type { Effect } from "../../definition/effect.ts";

export type ToolFacts = {
  readonly summary: string;
  readonly effect: Effect;
  /** JSON Schema (draft 2020-12) of the list of arguments. */
  readonly argsSchema: JsonObject | null;
  readonly resultSchema: JsonObject | null;
  /** A failure of the tool may be tried again. */
  readonly retryable: boolean;
  /** Its own bound; null: the adapter's. */
  readonly timeoutMs: number | null;
};

export type ToolCall = {
  readonly args: readonly Json[];
  /** Fires when time is over or the run is cancelled; its reason is what the call fails with. */
  readonly signal: AbortSignal;
  readonly ctx: VerbContext;
};

export type Tool = {
  readonly name: string;
  readonly facts: ToolFacts;
  /**
   * What it gives is checked by the dispatcher. AdapterErrors pass as they are, anything else becomes
   * ADAPTER_TOOL_FAILED.
   */
  run(call: ToolCall): unknown;
};
