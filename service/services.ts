/** What routes work with, put together once at start (`main.ts`), and what a part such as the job queue brings along. */
import type { Secrets } from "../adapters/operator/secrets.ts";
import type { Gateway } from "../vm/gateway.ts";
import type { ServiceConfig } from "./config.ts";
import type { BodyRoom } from "./http/body/room.ts";
import type { ServiceApp } from "./http/service-app.ts";
import type { UnsentAnswers } from "./http/unsent-answers.ts";
import type { Reviews } from "./programs/deploy/reviews.ts";
import type { LoadedPrograms } from "./programs/loaded-programs.ts";
import type { ProposalTests } from "./programs/proposals/proposal-tests.ts";
import type { Signatures } from "./programs/signing/signatures.ts";
import type { ExecuteDeps } from "./run/execute.ts";
import type { IdempotencyStore } from "./run/idempotency-store.ts";
import type { RecentRuns } from "./run/recent-runs.ts";
import type { RunSlots } from "./run/run-slots.ts";
import type { JobFigures, WorkerFigures } from "./telemetry/metrics.ts";
import type { Readiness } from "./telemetry/readiness.ts";
import type { RunThreads } from "./workers/run-threads.ts";

/** How queued jobs are kept: not past this process, by it alone, or together with other replicas. */
export type QueueKind = "memory" | "durable" | "shared";

export type Services = ExecuteDeps & {
  readonly config: ServiceConfig;
  /** 32 lower-case hexadecimal digits, fresh at every call. */
  readonly freshId: () => string;
  readonly slots: RunSlots;
  /** Secrets of the operator, by name. */
  readonly secrets: Pick<Secrets, "get">;
  readonly unsent: UnsentAnswers;
  readonly bodies: BodyRoom;
  readonly readiness: Readiness;
  /** Worker threads for long runs and frames of large batches. */
  readonly workers: WorkerFigures & Pick<RunThreads, "take">;
  readonly idempotency: IdempotencyStore;
  readonly recentRuns: RecentRuns;
  /** Deployments; null: this service keeps none. */
  readonly programs: LoadedPrograms | null;
  /** Reports and comparisons of deployments. */
  readonly reviews: Reviews;
  /** Which versions may be current, and run. */
  readonly signatures: Signatures;
  /** Runs the tests of proposals. */
  readonly proposalTests: ProposalTests;
  readonly gateway: Gateway;
  /** Jobs may have journals. */
  readonly durableJobs: boolean;
  /** Names of adapters that this build can call. */
  readonly provided: readonly string[];
};

/** A part that adds routes and state of its own. */
export type ServicePart = {
  readonly queue: QueueKind;
  /** Names for the capabilities document. */
  readonly features: readonly string[];
  figures(): JobFigures;
  /** Canonical JSON of a program that a job or a deployment has; null: none has it. */
  program(checksum: string): Promise<string | null>;
  routes(app: ServiceApp, services: Services): void;
  /** Called when the service drains: nothing new is started from here on. */
  drain(): Promise<void>;
  /** Resolves when everything that started before `drain` has been written to its store. */
  settled(): Promise<void>;
  /** Called after the last run ended. */
  close(): Promise<void>;
};
