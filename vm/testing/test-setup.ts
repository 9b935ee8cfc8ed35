/** How tests of programs set up a run: what mocks answer, what time it is, and where random numbers begin. */
import type { Json } from "../../compiler/json.ts";

/** Why something is not a test, as a sentence about it. */
export class TestInvalid extends Error {
  constructor(message: string) {
    super(message);
    this.name = "TestInvalid";
  }
}

type MockFailure = {
  readonly code: string;
  readonly message?: string | undefined;
  readonly retryable?: boolean | undefined;
  readonly retry_after_ms?: number | undefined;
};
export type MockAnswer =
  | { readonly args?: readonly Json[] | undefined; readonly result: Json }
  | { readonly args?: readonly Json[] | undefined; readonly error: MockFailure };
/** By adapter and verb, as `http.Get`: one answer, or one for each call of which the last is given again. */
export type Mocks = { readonly [call: string]: MockAnswer | readonly MockAnswer[] };

export type TestWorld = {
  readonly mocks?: Mocks | undefined;
  /** ISO 8601. */
  readonly clock?: string | undefined;
  readonly random_seed?: number | undefined;
};
