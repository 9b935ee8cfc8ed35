/** What tools and resources work with, put together once at start (`main.ts`). */

import type { ValueHash } from "../adapters/run-log/fields.ts";
import type { JsonLog } from "../adapters/run-log/lines.ts";
import type { Redaction } from "../adapters/run-log/redaction.ts";
import type { Runtime } from "../adapters/runtime.ts";
import type { Clock } from "../vm/run.ts";
import type { McpConfig } from "./config.ts";
import type { DocumentFetcher } from "./documents/fetch.ts";
import type { WorkflowRoot } from "./programs/workflow-root.ts";
import type { Exposure } from "./tool/exposure.ts";

export type McpServices = {
  readonly config: McpConfig;
  readonly exposure: Exposure;
  readonly runtime: Pick<Runtime, "gateway" | "catalog" | "registry" | "profiles">;
  readonly clock: Clock;
  /** 32 lower-case hexadecimal digits, fresh at every call. */
  readonly freshId: () => string;
  /** JSON lines on stderr, because stdout carries protocol only. */
  readonly log: JsonLog;
  readonly valueHash: ValueHash;
  readonly redaction: Redaction;
  /** Verbs that write do nothing. */
  readonly dryRun: boolean;
  /** null: programs are given as text only. */
  readonly workflowRoot: WorkflowRoot | null;
  readonly fetchDocument: DocumentFetcher;
};
