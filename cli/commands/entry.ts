import type { WeftCommandClass } from "./base.ts";

export type CommandEntry = {
  /** The same words as in `paths` of the class. */
  readonly names: readonly [string, ...string[]];
  /** One line for `wf --help`: imperative, without a full stop. */
  readonly summary: string;
  load(): Promise<WeftCommandClass>;
};
