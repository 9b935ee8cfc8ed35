/**
 * The shape of a golden test, and reading it from `name.expected.json`: one case or a list, in the full form or in the flat one
 * `{ok, label, result}` that was a run's answer. What is not of this shape is refused with the place of the first fault.
 */
import * as z from "zod/mini";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";
import { TestInvalid } from "../../vm/testing/test-setup.ts";
import { readTextFile } from "../input/input.ts";
import { jsonPlace } from "../input/json-place.ts";
import { CliFault, EXIT } from "../session/faults.ts";

const name = z.string();
const object = z.record(z.string(), z.json());
const count = z.number().check(z.int(), z.gte(0));
const Limits = z.strictObject(Object.fromEntries(LIMIT_KEYS.map((key) => [key, z.optional(count)])));
const Answer = z.union([
  z.strictObject({ args: z.optional(z.array(z.json())), result: z.json() }),
  z.strictObject({
    args: z.optional(z.array(z.json())),
    error: z.strictObject({
      code: z.string(),
      message: z.optional(z.string()),
      retryable: z.optional(z.boolean()),
      retry_after_ms: z.optional(z.number()),
    }),
  }),
]);
export const Range = z.union([
  z.number(),
  z.strictObject({ min: z.optional(z.number()), max: z.optional(z.number()) }),
]);
const Finding = z.union([
  z.string(),
  z.strictObject({ code: z.string(), line: z.optional(z.number()), column: z.optional(z.number()) }),
]);
const Call = z.union([z.string(), z.strictObject({ call: z.string(), args: z.array(z.json()) })]);
const outcome = {
  ok: z.optional(z.boolean()),
  result: z.optional(z.json()),
  error: z.optional(z.union([z.null(), z.string(), object])),
  diagnostics: z.optional(z.array(Finding)),
  policy_errors: z.optional(z.array(z.string())),
};
const Expect = z.strictObject({
  ...outcome,
  calls: z.optional(z.array(Call)),
  usage: z.optional(z.record(z.string(), Range)),
  trace: z.optional(z.array(object)),
});
/** How a program is run in a test, golden or property. */
export const setup = {
  name: z.optional(name),
  label: z.optional(z.string()),
  strict: z.optional(z.boolean()),
  limits: z.optional(Limits),
  policy: z.optional(object),
  adapters: z.optional(object),
  mocks: z.optional(z.record(z.string(), z.union([Answer, z.array(Answer).check(z.minLength(1))]))),
  clock: z.optional(z.iso.datetime()),
  random_seed: z.optional(z.number().check(z.int())),
};
const Case = z.strictObject({
  ...setup,
  frame: z.optional(z.union([object, z.string().check(z.regex(/^@/))])),
  replay: z.optional(z.string()),
  expect: Expect,
});
const Flat = z.strictObject({
  name: z.optional(name),
  frame: z.optional(z.union([object, z.string().check(z.regex(/^@/))])),
  label: z.optional(z.string()),
  ...outcome,
});

/** The members of a kind of test, and where they belong. */
export type TestForm = { readonly members: readonly string[]; readonly places: string };
const GOLDEN: TestForm = {
  members: [...Object.keys(Case.def.shape), ...Object.keys(Expect.def.shape)],
  places: "a test lists what it expects in expect; all other members stand next to it",
};

export type Expectation = z.output<typeof Expect>;
export type TestSetup = {
  readonly [K in keyof z.output<z.ZodMiniObject<typeof setup>>]: z.output<z.ZodMiniObject<typeof setup>>[K];
};
export type GoldenCase = TestSetup & {
  /** Its frame, or `@` and the path of a file relative to the test. */
  readonly frame?: JsonObject | string | undefined;
  readonly replay?: string | undefined;
  readonly expect: Expectation;
};

const MAX_TEST_BYTES = 16 * 1024 * 1024;

/** The cases of a file, and the file as it was parsed, for a rewrite. */
export type GoldenFile = {
  readonly cases: readonly GoldenCase[];
  readonly list: boolean;
  readonly raw: readonly Json[];
};

export function readGoldenFile(cwd: string, file: string): GoldenFile {
  const value = readJson(cwd, file);
  const list = Array.isArray(value);
  const raw = list ? value : [value];
  return { list, raw, cases: raw.map((one, at) => goldenCase(file, one, list ? `/${at}` : "")) };
}

/** One case as it stands in a file; `path`: where, for faults. */
export function goldenCase(file: string, value: Json, path: string): GoldenCase {
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !("expect" in value)) {
    const { name, frame, label, ...expect } = checked(file, Flat, value, GOLDEN, path);
    return { name, frame, label, expect };
  }
  return checked(file, Case, value, GOLDEN, path);
}

/** A test file as JSON; throws a usage error when it is not one. */
export function readJson(cwd: string, file: string): Json {
  const text = readTextFile(cwd, file, MAX_TEST_BYTES).replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch {
    throw invalidTest(file, `it is not JSON at ${jsonPlace(text)}`);
  }
}

export function checked<S extends z.ZodMiniType>(
  file: string,
  schema: S,
  value: Json,
  form: TestForm,
  path = "",
): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = `${path}${(issue?.path ?? []).map((part) => `/${String(part)}`).join("")}`;
  throw invalidTest(
    file,
    `${place === "" ? "it" : place}: ${issue === undefined ? "not valid" : wordsOf(issue, form)}`,
  );
}

/** The small build of the schemas has no words of its own. */
function wordsOf(issue: z.core.$ZodIssue, form: TestForm): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return unknownMembers(issue.keys, form);
    case "invalid_type":
      return `expected ${issue.expected}`;
    case "invalid_value":
      return `expected one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return "must not be empty";
    case "invalid_union":
      return "none of the accepted forms";
    default:
      return issue.message === "Invalid input" ? "not valid" : issue.message;
  }
}

/** With the nearest member to the only one that is unknown. */
function unknownMembers(keys: readonly string[], { members, places }: TestForm): string {
  const [key = "", ...others] = keys;
  const misplaced = keys.find((one) => members.includes(one));
  if (misplaced !== undefined) return `'${misplaced}' has no place here; ${places}`;
  const near = others.length > 0 ? null : nearest(key, members);
  const hint = near === null ? "" : `; did you mean ${near}?`;
  return `unknown member ${keys.map((one) => `'${one}'`).join(", ")}${hint}`;
}

/** What is not a test is a fault that names the file. */
export function asTest<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof TestInvalid ? invalidTest(file, cause.message) : cause;
  }
}

export function invalidTest(file: string, message: string): CliFault {
  return new CliFault(`${file} is not a test: ${message}`, { error: "invalid_test", exitCode: EXIT.usage });
}
