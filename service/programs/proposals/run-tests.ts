/** The tests of a proposal: run with mocks and `core` alone, under the conservative limits, by `test-thread.ts`. */
import { type AdapterEntry, createCatalog } from "../../../compiler/catalog.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { RECOMMENDED_LIMITS } from "../../../vm/grant/profiles.ts";
import { RequestInvalid } from "../../../vm/inputs/request-invalid.ts";
import type { Limits } from "../../../vm/run.ts";
import { mockedHost } from "../../../vm/testing/mocked-host.ts";
import {
  type ExpectedOutcome,
  type Mismatch,
  type ObservedOutcome,
  outcomeMismatch,
  shownFailure,
} from "../../../vm/testing/outcome.ts";
import { TestInvalid, type TestWorld } from "../../../vm/testing/test-setup.ts";

export type ProposalTest = TestWorld & {
  readonly name: string;
  readonly label?: string | undefined;
  readonly frame: JsonObject;
  readonly limits?: Limits | undefined;
  readonly expect: ExpectedOutcome;
};

/** `ir`: as JSON. `label`: entry of the tests that name none. */
export type TestRequest = {
  readonly ir: string;
  readonly label: string | undefined;
  readonly tests: readonly ProposalTest[];
  readonly entries: readonly AdapterEntry[];
};

export type TestResult = {
  readonly name: string;
  readonly ok: boolean;
  /** What was expected and what happened, as sentences. */
  readonly problems: readonly string[];
};

/** Of what is shown of a value. */
const MAX_SHOWN = 500;

export async function runTests({ ir: text, label, tests, entries }: TestRequest): Promise<readonly TestResult[]> {
  const catalog = createCatalog(entries);
  const ir = JSON.parse(text) as Ir;
  const results: TestResult[] = [];
  for (const test of tests) {
    const problems = await problemsOf(ir, { ...test, label: test.label ?? label }, catalog);
    results.push({ name: test.name, ok: problems.length === 0, problems });
  }
  return results;
}

async function problemsOf(
  ir: Ir,
  test: ProposalTest,
  catalog: ReturnType<typeof createCatalog>,
): Promise<readonly string[]> {
  try {
    const { host, surprises, wait } = mockedHost(test, catalog);
    const { label, frame, expect } = test;
    const limits = tighter(test.limits ?? {});
    const answer = await host.run({ ir, label, frame, limits, wait });
    const observed: ObservedOutcome = answer.ok
      ? { ok: true, result: answer.out, error: null, refused: null }
      : { ok: false, result: null, error: answer.error, refused: null };
    const mismatches = outcomeMismatch(expect, observed, false, shownFailure(observed));
    return [...surprises.map((one) => one), ...mismatches.map(sentence)];
  } catch (cause) {
    if (cause instanceof TestInvalid) return [`it is not a test: ${cause.message}`];
    if (!(cause instanceof RequestInvalid)) throw cause;
    if (test.expect.error === cause.code) return [];
    return [cause.message];
  }
}

function tighter(asked: Limits): Limits {
  const bounds = Object.entries(RECOMMENDED_LIMITS.conservative) as [keyof Limits, number][];
  return Object.fromEntries(bounds.map(([key, most]) => [key, Math.min(most, asked[key] ?? most)]));
}

function sentence({ what, expected, actual }: Mismatch): string {
  return `${what}: expected ${shown(expected)}, and it was ${shown(actual)}`;
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
