/** What a host decides about the tier, for all of its programs. */
import { canGenerate } from "./build.ts";

/** `off`: no code is made from programs. */
export type TierSetting = "auto" | "off";

/** `generated`: as functions made from their bytecode; `none`: in the loop. */
export type TierUse = "generated" | "none";

export type TierPolicy = {
  /** Runs in the loop before a program is built as a whole. */
  readonly heat: number;
  /** Slices in the loop before the loops of a program are built. */
  readonly hotSlices: number;
  /** Slices of the loop that one of generated code has the steps of, at most. */
  readonly maxSliceFactor: number;
  /** Steps of a slice: a run that takes more has pauses, which the loop makes. */
  readonly quantum: number;
  /** Bytes that no frame may exceed. */
  readonly frameCeiling: number;
  /** In tests: asked at every instruction of a loop whether generated code leaves there although it need not. */
  readonly leaves?: (() => boolean) | undefined;
  /** Called when the gate refused source, which is a defect of the emitter; for the operator's log. */
  readonly refused: (entry: string, reason: string) => void;
};

const HEAT = 30;

const HOT_SLICES = 2;
const MAX_SLICE_FACTOR = 16;

type Defaults = Pick<TierPolicy, "heat" | "hotSlices" | "maxSliceFactor" | "leaves"> & {
  readonly setting: TierSetting;
  readonly isDisabled: boolean;
};
let defaults: Defaults = {
  setting: "auto",
  heat: HEAT,
  hotSlices: HOT_SLICES,
  maxSliceFactor: MAX_SLICE_FACTOR,
  isDisabled: false,
};

/**
 * What hosts do that are made later, where they are not told otherwise. Only for tests that force the tier, or do without
 * it. Returns what they did before.
 */
export function setTierDefaults(changed: Partial<Defaults>): Defaults {
  const before = defaults;
  defaults = { ...defaults, ...changed };
  return before;
}

type Asked = {
  readonly tier?: TierSetting;
  readonly tierRefused?: TierPolicy["refused"];
  /** Steps that slices are asked to have. */
  readonly quantum?: number;
};

/** The policy of a host; null: all runs are in the loop, also where the process forbids code from strings. Slices of a length that was asked for have it in generated code too. */
export function tierPolicyOf(
  { tier = defaults.setting, tierRefused = () => {}, quantum: asked }: Asked,
  bounds: Pick<TierPolicy, "quantum" | "frameCeiling">,
): TierPolicy | null {
  const { isDisabled, heat, hotSlices, leaves } = defaults;
  const maxSliceFactor = asked === undefined ? defaults.maxSliceFactor : 1;
  if (isDisabled || tier === "off" || !canGenerate()) return null;
  return { heat, hotSlices, maxSliceFactor, leaves, refused: tierRefused, ...bounds };
}
