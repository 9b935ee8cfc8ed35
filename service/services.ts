/** What routes work with, put together once at start (`main.ts`), and what a part such as the job queue brings along. */
import type { Gateway } from "../vm/gateway.ts";
import type { ServiceApp } from "./app.ts";
import type { ServiceConfig } from "./config.ts";
import type { ExecuteDeps } from "./execute.ts";
import type { IdempotencyStore } from "./idempotency.ts";
import type { JobFigures, WorkerFigures } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";
import type { RunSlots } from "./run-slots.ts";
import type { UnsentAnswers } from "./unsent.ts";
import type { RunThreads } from "./workers/run-threads.ts";

/** How queued jobs are kept: not past this process, by it alone, or together with other replicas. */
export type QueueKind = "memory" | "durable" | "shared";

export type Services = ExecuteDeps & {
  readonly config: ServiceConfig;
  /** 32 lower-case hexadecimal digits, fresh at every call. */
  readonly freshId: () => string;
  readonly slots: RunSlots;
  readonly unsent: UnsentAnswers;
  readonly readiness: Readiness;
  /** Threads where long runs go on, and frames of large batches are run. */
  readonly workers: WorkerFigures & Pick<RunThreads, "take">;
  readonly idempotency: IdempotencyStore;
  readonly gateway: Gateway;
  /** Names of adapters that this build can call. */
  readonly provided: readonly string[];
  /** Throws ServiceFault rate_limited; null: nobody is limited. */
  readonly limitRate: ((client: string) => void) | null;
};

/** A part that adds routes and state of its own. */
export type ServicePart = {
  readonly queue: QueueKind;
  /** Names for the capabilities document. */
  readonly features: readonly string[];
  figures(): JobFigures;
  routes(app: ServiceApp, services: Services): void;
  /** Called when the service drains: nothing new is started from here on. */
  drain(): Promise<void>;
  /** Resolves when whatever was begun before `drain` is told to where it is kept. */
  settled(): Promise<void>;
  /** Called after the last run ended. */
  close(): Promise<void>;
};
