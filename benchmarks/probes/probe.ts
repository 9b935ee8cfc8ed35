/** A question that is not a workload: measured in its own process, answered with figures. */
import type { Figure } from "../figure.ts";
import type { Pace } from "../measure.ts";

export type ProbeScope = {
  readonly pace: Pace;
  readonly root: string;
  readonly quick: boolean;
};

export type Probe = {
  readonly title: string;
  /** Flags of Node that its process needs. */
  readonly flags?: readonly string[];
  /** Null: it needs the built command, or a package that is compared, which is not there. */
  measure(scope: ProbeScope): Promise<readonly Figure[] | null>;
};
