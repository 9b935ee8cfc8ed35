import type { Json } from "../../../compiler/json.ts";
import type { RunError } from "../../run.ts";

/** What a step that has branches says of them, and what becomes of what they come to. */
export interface ForkPlan<M> {
  readonly count: number;
  readonly limit: number;
  readonly settles: boolean;
  /** Makes `m`, which is loaded with nothing, ready to run branch number `at`. */
  begin(m: M, at: number): void;
  /** The value that `m` ended with. */
  value(m: M): Json;
  /** What stands in the place of a value where the step settles. */
  settled(m: M, error: RunError): Json;
  /** What the step fails with when `m` is the first that failed; asked while `m` still knows. */
  cause(m: M, error: RunError): unknown;
  /** The branch is over, and its machine goes to another one. */
  left?(m: M, at: number): void;
  failure(cause: unknown, at: number, failed: number): unknown;
  /** Counts a value, after those of `held` bytes; the bytes of all. */
  hold(value: Json, held: number): number;
  store(values: readonly Json[]): void;
}
