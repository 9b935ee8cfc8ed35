/** A service whose jobs ask people, and programs that do. */
import type { OutgoingHttpHeaders } from "node:http";
import { afterAll, beforeAll } from "vitest";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const folders: { remove(): Promise<void> }[] = [];
const services: JobServing[] = [];

/** Stops the services that the tests of the file started so far. */
export async function endAsking(): Promise<void> {
  for (const service of services.splice(0)) await service.stop();
}

afterAll(async () => {
  await endAsking();
  for (const folder of folders.splice(0)) await folder.remove();
}, 60_000);

export async function inFolder(): Promise<string> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return folder.path;
}

export type Asking = JobServing & {
  /** Queues a program that asks, and gives the job and its open question. */
  asked(code: string, headers?: OutgoingHttpHeaders): Promise<{ readonly job: string; readonly approval: string }>;
  /** The end of a service that a test replaces by another one. */
  leave(): Promise<void>;
};

export async function asking(options: JobServingOptions = {}): Promise<Asking> {
  const stateDir = options.databaseUrl === undefined ? (options.stateDir ?? (await inFolder())) : null;
  const variables = { WF_ENABLE_ADAPTERS: "core,ext,signal,timer,approval", ...options.variables };
  const service = await servingJobs({ ...options, stateDir, variables });
  services.push(service);
  return {
    ...service,
    async asked(code, headers = {}) {
      const accepted = await service.call("POST", "/enqueue", { code }, headers);
      if (accepted.status !== 202) throw new Error(`not queued: ${accepted.text}`);
      const job: string = accepted.body.job_id;
      await service.until(job, "waiting");
      const { body } = await service.call("GET", `/approvals?job=${job}`);
      return { job, approval: body.approvals[0].approval_id };
    },
    async leave() {
      services.splice(services.indexOf(service), 1);
      await service.drain();
    },
  };
}

/** A test that starts a service, or two, on a machine that has much else to do, in milliseconds. */
export const STARTS_MS = 60_000;

/** One service for all tests of a file, started before the first of them. */
export function shared(options: JobServingOptions = {}): () => Asking {
  let service: Asking | null = null;
  beforeAll(async () => {
    service = await asking(options);
  }, STARTS_MS);
  return () => {
    if (service === null) throw new Error("it was not started");
    return service;
  };
}

export const REFUND = `L1:
  R approval.ask "Refund of an order" {"details": {"order": 7}, "timeout": "3d"} ->answer
  J answer
`;

/** The same with options in JSON besides. */
export function asks(options: object): string {
  return `L1:\n  R approval.ask "Refund of an order" ${JSON.stringify(options)} ->answer\n  J answer\n`;
}
