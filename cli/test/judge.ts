/** Compares what a run did with what a test expects of it. Gives one mismatch per member that differs, as values to be shown. */
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Usage } from "../../vm/run.ts";
import { contains, type Mismatch, outcomeMismatch, shownFailure } from "../../vm/testing/outcome.ts";
import { equal } from "../../vm/values/compare.ts";
import type { Observed } from "./run-case.ts";
import type { Expectation } from "./test-case.ts";

export function judge(expect: Expectation, observed: Observed): Mismatch[] {
  return [
    ...surprises(observed),
    ...outcome(expect, observed),
    ...diagnostics(expect, observed),
    ...listed("policy_errors", expect.policy_errors, observed.policyErrors),
    ...calls(expect, observed),
    ...usage(expect, observed),
    ...traced(expect, observed),
  ];
}

const surprises = ({ surprises }: Observed): Mismatch[] =>
  surprises.map((text) => ({ what: "calls", expected: "a mock for every call", actual: text }));

/** Success is expected unless some failure is. */
function outcome(expect: Expectation, observed: Observed): Mismatch[] {
  const refusalExpected = (expect.diagnostics?.length ?? 0) + (expect.policy_errors?.length ?? 0) > 0;
  return outcomeMismatch(expect, observed, refusalExpected, failureOf(observed));
}

/** Why a run failed, for people: what refused it, or code, message and place. */
export function failureOf(observed: Observed): Json {
  const { error, refused, diagnostics } = observed;
  if (error === null && refused === "compile_error") return { error: refused, diagnostics: findingTexts(diagnostics) };
  return shownFailure(observed);
}

function diagnostics({ diagnostics: expected }: Expectation, observed: Observed): Mismatch[] {
  if (expected === undefined) return [];
  const actual = observed.diagnostics;
  const fits =
    expected.length === actual.length &&
    expected.every((one, at) => {
      const found = actual[at];
      if (found === undefined) return false;
      if (typeof one === "string") return one === found.code || one === findingText(found);
      return (
        one.code === found.code &&
        (one.line === undefined || one.line === found.line) &&
        (one.column === undefined || one.column === found.column)
      );
    });
  const shown = expected.map((one) =>
    typeof one === "string" ? one : findingText({ code: one.code, line: one.line ?? null, column: one.column ?? null }),
  );
  return fits ? [] : [{ what: "diagnostics", expected: shown, actual: findingTexts(actual) }];
}

const findingTexts = (found: Observed["diagnostics"]): string[] => found.map(findingText);

/** `WF4001 at 3:5` */
export function findingText({ code, line, column }: Observed["diagnostics"][number]): string {
  if (line === null || line === undefined) return code;
  return `${code} at ${line}${column === null || column === undefined ? "" : `:${column}`}`;
}

function listed(what: string, expected: readonly Json[] | undefined, actual: readonly Json[]): Mismatch[] {
  return expected === undefined || equal(expected, actual) ? [] : [{ what, expected, actual }];
}

function calls({ calls: expected }: Expectation, observed: Observed): Mismatch[] {
  if (expected === undefined) return [];
  const actual = observed.calls.map(({ call, args }, at) =>
    typeof expected[at] === "object" ? { call, args: [...args] } : call,
  );
  return listed("calls", expected as readonly Json[], actual);
}

function usage({ usage: expected = {} }: Expectation, { usage: used }: Observed): Mismatch[] {
  const { llm: _models, shared: _shared, ...figures }: Partial<Usage> = used ?? {};
  return Object.entries(expected).flatMap(([figure, range]) => {
    const actual = Object.hasOwn(figures, figure) ? (figures[figure as keyof typeof figures] ?? null) : null;
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } =
      typeof range === "number" ? { min: range, max: range } : range;
    if (actual !== null && actual >= min && actual <= max) return [];
    return [{ what: `usage.${figure}`, expected: range as Json, actual }];
  });
}

/** Each expected event must come after the one before it. */
function traced({ trace: expected }: Expectation, observed: Observed): Mismatch[] {
  if (expected === undefined) return [];
  const events = observed.trace?.events ?? [];
  let from = 0;
  for (const part of expected) {
    const at = events.findIndex((event, index) => index >= from && contains(event as JsonObject, part));
    if (at < 0)
      return [
        {
          what: "trace",
          expected: part,
          actual: from === 0 ? "no such event" : `no such event after number ${from - 1}`,
        },
      ];
    from = at + 1;
  }
  return [];
}
