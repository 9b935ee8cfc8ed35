/**
 * What the workloads aim at: how many times as long one side takes as another, or how long one run takes. Figures are printed next to
 * their target and never fail a run. Probes carry their own targets.
 */
import type { Target } from "./figure.ts";
import type { SideName } from "./sides.ts";

export type WorkloadTarget = {
  readonly workload: string;
  readonly side: SideName;
  /** Null: the target is a time of `side` itself, in nanoseconds of processor time a run. */
  readonly against: SideName | null;
  readonly target: Target;
};

const LONG = ["W1", "W2", "W3", "W4"] as const;

/** Weft takes at most this many times as long as the same program written by hand, unmetered. */
const native = (workload: string, times: number): WorkloadTarget => ({
  workload,
  side: "weft",
  against: "native",
  target: { at_most: times },
});
/** `peer` takes at least this many times as long as Weft. */
const slower = (workload: string, peer: SideName, times: number): WorkloadTarget => ({
  workload,
  side: peer,
  against: "weft",
  target: { at_least: times },
});
const nanoseconds = (workload: string, side: SideName, ns: number): WorkloadTarget => ({
  workload,
  side,
  against: null,
  target: { at_most: ns },
});

export const TARGETS: readonly WorkloadTarget[] = [
  native("W1", 2.4),
  native("W2", 2),
  native("W3", 2.4),
  native("W4", 1.3),
  ...[...LONG, "W5", "W10"].map((workload) => slower(workload, "quickjs", 8)),
  ...[...LONG, "W5", "W10"].map((workload) => slower(workload, "lua", 4)),
  // Weft takes at most 2.5 times as long as V8's own code.
  ...LONG.map((workload) => slower(workload, "isolated_vm", 0.4)),
  nanoseconds("W10", "weft_sync", 280),
  nanoseconds("W10", "weft_prepared", 200),
  nanoseconds("W5", "weft_sync", 420),
  // Three million runs a second.
  nanoseconds("W10", "weft_batch", 333),
];
