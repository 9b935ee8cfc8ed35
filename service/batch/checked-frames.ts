/**
 * Frames of a batch as they are taken: a frame whose whole numbers lose digits, or which is not what the program declares, is refused in its
 * result, or its result carries the warnings.
 */
import type { JsonObject } from "../../compiler/json.ts";
import { keepText, memberTexts, textWith } from "../../vm/inputs/exact-text.ts";
import { type LostDigits, precisionMessage, precisionWarning } from "../../vm/values/exact-numbers.ts";
import { lostDigitsOf } from "../run/exact-body.ts";
import { ServiceFault } from "../wire/errors.ts";
import type { BatchItem, BatchItems } from "./frames.ts";
import type { BatchOut } from "./result-order.ts";

export type CheckedFrames = {
  readonly items: BatchItems;
  /** The same output, which adds the warnings to the lines of their frames. */
  warned(out: BatchOut): BatchOut;
};

export type FrameChecks = {
  /** Frames that lose digits fail. */
  readonly exact: boolean;
  /** The program takes whole numbers of any length. */
  readonly keepsDigits: boolean;
  /** The warnings about the inputs of a frame; throws ServiceFault where it is refused. null: the program declares none. */
  readonly inputs: ((frame: JsonObject) => readonly string[]) | null;
};

export function checkedFrames(items: BatchItems, { exact, keepsDigits, inputs }: FrameChecks): CheckedFrames {
  const warnings = new Map<number, readonly string[]>();
  const looked = (item: BatchItem | null): BatchItem | null => {
    if (item === null || "broken" in item) return item;
    const lost = keepsDigits ? NO_LOSS : lostDigitsOf(item.frame);
    const [first] = lost;
    if (first !== undefined && exact) return { index: item.index, broken: refusal(first) };
    const about = inputs === null ? NOTHING : aboutInputs(item.frame, inputs);
    if (about instanceof ServiceFault) return { index: item.index, broken: about };
    if (first !== undefined || about.length > 0)
      warnings.set(item.index, [...lost.map((one) => precisionWarning(one.path, one)), ...about]);
    return item;
  };
  return {
    items: {
      get atHand() {
        return items.atHand;
      },
      get upcoming() {
        return items.upcoming;
      },
      next() {
        const item = items.next();
        return item instanceof Promise ? item.then(looked) : looked(item);
      },
    },
    warned: (out) => ({
      put(line, index) {
        const added = warnings.get(index);
        if (added === undefined) return out.put(line, index);
        warnings.delete(index);
        return out.put(withWarnings(line, added), index);
      },
      close: () => out.close(),
    }),
  };
}

const NO_LOSS: readonly LostDigits[] = [];
const NOTHING: readonly string[] = Object.freeze([]);

function aboutInputs(frame: JsonObject, inputs: NonNullable<FrameChecks["inputs"]>): readonly string[] | ServiceFault {
  try {
    return inputs(frame);
  } catch (cause) {
    if (cause instanceof ServiceFault) return cause;
    throw cause;
  }
}

function refusal(lost: LostDigits): ServiceFault {
  return new ServiceFault("invalid_request", `number_precision: ${lost.path}: ${precisionMessage(lost)}`);
}

function withWarnings(line: string, added: readonly string[]): string {
  const result = JSON.parse(line) as JsonObject & { readonly warnings?: readonly string[] };
  const warnings = [...added, ...(result.warnings ?? [])];
  keepText(result, line);
  return textWith({ ...result, warnings }, new Map([...memberTexts(result), ["warnings", JSON.stringify(warnings)]]));
}
