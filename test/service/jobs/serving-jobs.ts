/** A running service with a job queue in a folder of its own, with times short enough for tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJobStore } from "../../../service/jobs/open-store.ts";
import { type JobTimes, jobTimes } from "../../../service/jobs/times.ts";
import { createJobsPart } from "../../../service/jobs-part.ts";
import type { Clock } from "../../../vm/run.ts";
import { opened, type Reply, realClock, type Serving, type ServingOptions, serving } from "../serving.ts";

export type JobServing = Serving & {
  /** Queues a program and answers with the id of its job. */
  queued(body: object): Promise<string>;
  /** The job when it is over. */
  over(id: string): Promise<Reply>;
  /** Resolves when the job is in a state. */
  until(id: string, status: string): Promise<Reply>;
};

export type JobServingOptions = Omit<ServingOptions, "part"> & {
  readonly stateDir?: string | null;
  readonly memoryBytes?: number;
  readonly queueBytes?: number;
  readonly maxParked?: number;
  readonly maxCrashes?: number;
  readonly databaseUrl?: string | null;
  readonly times?: Partial<JobTimes>;
  readonly silentMs?: number;
  readonly clock?: Clock;
};

let processes = 0;

export async function servingJobs(options: JobServingOptions = {}): Promise<JobServing> {
  const { stateDir = null, databaseUrl = null, clock = realClock, times = {}, ...others } = options;
  const { silentMs = 30_000, memoryBytes, queueBytes, maxParked, maxCrashes, ...rest } = others;
  processes += 1;
  const store = await openJobStore({
    stateDir,
    memoryBytes,
    queueBytes,
    maxParked,
    maxCrashes,
    databaseUrl,
    clock,
    owner: `owner-${process.pid}-${processes}`,
    silentMs,
  });
  const part = createJobsPart(store, clock, { ...jobTimes(silentMs), ...times });
  const service = await serving({ ...rest, clock, part });
  return {
    ...service,
    async queued(body) {
      const { status, body: accepted, text } = await service.call("POST", "/enqueue", body);
      if (status !== 202) throw new Error(`not queued: ${status} ${text}`);
      return accepted.job_id;
    },
    over: (id) => service.call("GET", `/result/${id}?wait=20`),
    async until(id, status) {
      for (;;) {
        const reply = await service.call("GET", `/result/${id}`);
        if (reply.body.status === status) return reply;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "weft-jobs-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export type StreamedEvent = {
  readonly id: number;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: each kind of event has data of its own
  readonly data: any;
};

/** A stream of events; resolves with its first bytes. */
export function streamOf(port: number, id: string): Promise<{ readonly text: Promise<string>; leave(): void }> {
  return new Promise((resolve, reject) => {
    const request = opened(port, "GET", `/result/${id}/events`);
    request.once("error", reject);
    request.once("response", (response) => {
      let read = "";
      const text = new Promise<string>((done) => {
        response.on("data", (chunk: Buffer) => {
          read += chunk.toString("utf8");
          if (read.includes("id: ")) resolve({ text, leave: () => request.destroy() });
        });
        response.once("close", () => done(read));
      });
    });
    request.end();
  });
}

/** The events of a stream that has ended. */
export function eventsIn(text: string): readonly StreamedEvent[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("id: "))
    .map((block) => {
      const [id = "", event = "", data = ""] = block.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
      return { id: Number(id), event, data: JSON.parse(data) };
    });
}
