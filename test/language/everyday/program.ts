import type { JsonObject } from "../../../compiler/json.ts";

/** A small program as models write it. */
export type Everyday = {
  readonly source: string;
  readonly frame?: JsonObject;
  /** What Python gives for it. */
  readonly value: unknown;
  /** `right`: compiles and gives that. `repaired`: refused, and its edits lead to that. `refused`: refused, with words that say what to write. `fails`: its run fails and says why. */
  readonly is: "right" | "repaired" | "refused" | "fails";
};

export const right = (source: string, value: unknown): Everyday => ({ source, value, is: "right" });
export const repaired = (source: string, value: unknown): Everyday => ({ source, value, is: "repaired" });
export const refused = (source: string, value: unknown): Everyday => ({ source, value, is: "refused" });
