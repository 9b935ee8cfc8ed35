/**
 * What the two sides of a moved run say to each other: the host that keeps its adapters, and the guest that executes it. Every message
 * is plain data that can be copied from one thread to another.
 */
import type { AdapterEntry } from "../../compiler/catalog.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { FailureCause } from "../errors/failures.ts";
import type { CallEvent, Limits, Outcome, TraceOptions, Usage } from "../run.ts";
import type { Snapshot } from "./snapshot.ts";

/** What a run came to, wherever it ended. */
export type RunEnd = {
  readonly outcome: Outcome;
  /** Durations of its calls in milliseconds, by adapter. */
  readonly callTimes: ReadonlyMap<string, readonly number[]>;
};

/** A run and everything it needs to continue. */
export type MovedRun = {
  readonly kind: "start";
  readonly ir: Ir;
  readonly entry: string;
  readonly from: Departure;
  readonly limits: Limits;
  readonly frameCeilingBytes: number | undefined;
  readonly quantum: number;
  /** Its loops may become generated code. */
  readonly mayBeHot: boolean;
  /** Adapters that branches may call at the same time. */
  readonly concurrent: readonly string[];
  /** null: every adapter. */
  readonly allowed: ReadonlySet<string> | null;
  readonly allowEnv: readonly string[] | null | undefined;
  readonly traceId: string;
  /** The host wants a report of every call. */
  readonly observed: boolean;
  readonly finalFrame: boolean;
  readonly outText: boolean;
  /** Somebody looks at what it shows of itself. */
  readonly shows: boolean;
};

/** Where a run continues, with the times of the calls it has made; or what it starts with. */
export type Departure =
  | { readonly state: Snapshot; readonly callTimes: RunEnd["callTimes"] }
  | {
      readonly frame: JsonObject;
      /** Of the frame, where it says more. */
      readonly frameText: string | undefined;
      readonly trace: TraceOptions | null;
      /** Bytes of the trace. */
      readonly traceBytes: number | undefined;
      readonly journal: JournalWish | null;
    };

/** Recording and replaying where nothing has happened yet. */
export type JournalWish = {
  readonly record: boolean;
  readonly replay: unknown;
  readonly continues: boolean;
  readonly maxRecordBytes: number | undefined;
  /** Adapters some of whose verbs a record holds only as a hash. */
  readonly adapters: readonly AdapterEntry[];
};

export type RemoteCall = {
  readonly kind: "call";
  readonly id: number;
  readonly adapter: string;
  readonly verb: string;
  readonly args: readonly Json[];
  /** Of the arguments, where it says more. */
  readonly argsText: string | undefined;
  readonly callId: string;
  readonly attempt: number;
};
export type CallAnswer = {
  readonly kind: "answer";
  readonly id: number;
} /** `text`: of the value, where it says more. */ & (
  | { readonly value: Json; readonly text: string | undefined }
  | { readonly cause: FailureCause }
);

export type ToGuest =
  | MovedRun
  | CallAnswer
  /** The last pause was taken note of: the next slice may begin. */
  | { readonly kind: "noted" }
  | { readonly kind: "cancel"; readonly reason: string | null };

export type FromGuest =
  /** The run cannot continue here; its state is unchanged. */
  | { readonly kind: "refused" }
  | RemoteCall
  /** The call was abandoned. */
  | { readonly kind: "abandon"; readonly id: number }
  | { readonly kind: "observed"; readonly event: CallEvent }
  /** `shown`: JSON of what the run shows of itself; null: as before. */
  | { readonly kind: "paused"; readonly usage: Usage; readonly shown: string | null }
  | { readonly kind: "ended"; readonly end: RunEnd }
  /** A fault of the executor itself. */
  | { readonly kind: "defect"; readonly message: string };
