/**
 * The targets of a release, as ratios measured side by side: how many times as long one side takes as another. Figures are printed
 * next to them and never fail a run.
 */
import type { Target } from "./figure.ts";
import type { SideName } from "./sides.ts";

export type RatioTarget = {
  readonly workload: string;
  readonly side: SideName;
  readonly against: SideName;
  readonly target: Target;
};

const atMost = (workload: string, most: number): RatioTarget => ({
  workload,
  side: "weft",
  against: "native",
  target: { at_most: most },
});
const faster = (workload: string, than: SideName, least: number, side: SideName = "weft"): RatioTarget => ({
  workload,
  side: than,
  against: side,
  target: { at_least: least },
});

export const TARGETS: readonly RatioTarget[] = [
  atMost("W1", 20),
  atMost("W2", 9),
  atMost("W3", 8),
  atMost("W4", 1.7),
  faster("W1", "quickjs", 3),
  faster("W2", "quickjs", 4),
  faster("W3", "quickjs", 2.8),
  faster("W4", "quickjs", 5.5),
  faster("W1", "lua", 1),
  faster("W2", "lua", 1),
  faster("W3", "lua", 1),
  faster("W4", "lua", 1),
  faster("W1", "lua_hook", 2.5),
  faster("W2", "lua_hook", 2.2),
  faster("W3", "lua_hook", 3),
  faster("W4", "lua_hook", 6),
  // The engines answer without a promise: so does this.
  faster("W10", "quickjs", 150, "weft_sync"),
  faster("W5", "quickjs", 80, "weft_sync"),
  faster("W5", "quickjs_fresh", 500, "weft_sync"),
  faster("W5", "isolated_vm", 5, "weft_sync"),
];
