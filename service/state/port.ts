/** What rules need of a store beyond statements that both databases understand (`step.ts`). */
import type { Submission } from "../jobs/job.ts";
import type { FlowPort } from "./flow-port.ts";
import type { JobPort } from "./job-port.ts";
import type { Step } from "./step.ts";

/** Milliseconds since 1970. A rule asks when it has locked its rows: waiting for them takes time. */
export type Clocks = {
  /** Of the store: steady. */
  readonly now: () => number;
  /** Schedules go by it, and begin when their deployment does. */
  readonly wall: () => number;
};

export type Port = StorePort & Clocks;

/** `queued`: jobs in line before them. `no_journal`: the job whose records they were to take over is gone. */
export type Placed = { readonly queued: number; readonly state: "queued" | "full" | "no_journal" };

export type StorePort = JobPort &
  FlowPort & {
    /** Name of a table with the deployment and the version of all jobs that are kept. */
    readonly jobVersions: string;
    /** Of a row `v` of `weft.deployment_versions`: the id of its newest job, from the end of an index. */
    readonly newestJob: string;
    /** Of a row of `weft.jobs`: the name of its deployment. */
    readonly programOf: string;
    /** Condition: the tags of a deployment `d` have the key $2, with the value $3 unless that is null. */
    readonly hasTag: string;
    /** Name of a function of a text and a part of it, above 0 where the text has the part. */
    readonly position: string;
    /** A text as it is stored, and as it was before. `of`: what it belongs to. */
    readonly seal: (text: string, of: string) => string;
    readonly open: (stored: string, of: string) => string;
    /** Tells other processes, with the commit, that a deployment changed. */
    readonly deploymentChanged: (name: string) => Step<void>;
    /** Puts jobs in line, unless more than `most` would be queued; those that rules hold back may not be claimed. */
    readonly enqueue: (submission: Submission, most: number) => Step<Placed>;
    /** Wakes the process that fires schedules. */
    readonly alarm: () => Step<void>;
  };

/** Rules by name. Each is one transaction. */
export type Rules = Readonly<Record<string, (port: Port, input: never) => Step<unknown>>>;
export type RuleInput<R> = R extends (port: Port, input: infer I) => unknown ? I : never;
export type RuleAnswer<R> = R extends (...given: never) => Step<infer A> ? A : never;
/** The way to the rules of a store. Rejects with ServiceFault `store_unavailable`. */
export type Ask<R extends Rules> = <N extends keyof R>(name: N, input: RuleInput<R[N]>) => Promise<RuleAnswer<R[N]>>;
