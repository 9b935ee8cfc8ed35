/** Expectations that a program states in its own comments, each on a line of its own: the short form of a golden test. */
import { isObject, type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";
import { commentsOf, type GivenInComment, givenIn } from "../input/program-comments.ts";
import { type Expectation, type ExpectedFinding, type GoldenCase, invalidTest } from "./test-case.ts";

const RESULT = /^expect: (.+)$/;
/** As the documentation writes them. Words after `result:` that are not JSON are a sentence. */
const RETURNS = /^result:\s*(.+)$/;
const FAILS = /^fails: ([A-Z]+(?:_[A-Z0-9]+)+)$/;
const LIMITS = /^limits:\s*(\{.*)$/;
const COMPILE_ERROR = /^expect error (WF\d{4})(?: at (\d+)(?::(\d+))?)?$/;
const RUN_ERROR = /^expect run-error ([A-Z][A-Z0-9_]+)$/;
const LIMIT_REACHED = /^expect limit ([a-z_]+)$/;
const LIMIT = /^limit: ([a-z_]+) = (\d{1,15})$/;

/** The case in the comments of a program; null without one. */
export function commentCase(file: string, source: string): GoldenCase | null {
  const expect: Draft = { diagnostics: [] };
  const frame: { [name: string]: Json } = {};
  const limits: { [key: string]: number } = {};
  for (const text of commentsOf(source)) read(file, text, expect, frame, limits);
  if (expect.result === undefined && expect.error === undefined && expect.diagnostics.length === 0) return null;
  const { diagnostics, ...rest } = expect;
  const expected: Expectation = diagnostics.length === 0 ? rest : { ...rest, diagnostics };
  return { name: "comments", frame: frame as JsonObject, limits, expect: expected };
}

type Value = Exclude<Expectation["result"], undefined>;
type Draft = { result?: Value; error?: string; diagnostics: ExpectedFinding[] };

function read(
  file: string,
  text: string,
  expect: Draft,
  frame: { [name: string]: Json },
  limits: { [key: string]: number },
): void {
  const result = RESULT.exec(text)?.[1] ?? returned(text);
  if (result !== undefined) {
    expect.result = jsonIn(file, result);
    return;
  }
  const finding = COMPILE_ERROR.exec(text);
  if (finding !== null) {
    const [, code = "", line, column] = finding;
    const place = {
      ...(line === undefined ? {} : { line: Number(line) }),
      ...(column === undefined ? {} : { column: Number(column) }),
    };
    expect.diagnostics.push({ code, ...place });
    return;
  }
  const [, code] = RUN_ERROR.exec(text) ?? FAILS.exec(text) ?? [];
  const reached = LIMIT_REACHED.exec(text)?.[1];
  if (code !== undefined) expect.error = code;
  else if (reached !== undefined) expect.error = known(file, reached);
  else readGiven(file, text, frame, limits);
}

function readGiven(
  file: string,
  text: string,
  frame: { [name: string]: Json },
  limits: { [key: string]: number },
): void {
  const given = givenIn(text);
  const bounds = LIMITS.exec(text)?.[1];
  const [, key, most] = LIMIT.exec(text) ?? [];
  if (given !== null) setGiven(file, frame, given);
  else if (bounds !== undefined) setLimits(file, limits, bounds);
  else if (key !== undefined && most !== undefined) limits[known(file, key)] = Number(most);
  // `# expect` may begin a sentence as well: only what looks like an expectation must be one.
  else if (/^expect(:| error\b| run-error\b| limit\b)/.test(text))
    throw invalidTest(file, `the comment '# ${text}' is not an expectation`);
}

function setGiven(file: string, frame: { [name: string]: Json }, { variable, json }: GivenInComment): void {
  const value = jsonIn(file, json);
  if (variable !== null) setMember(frame, variable, value);
  else if (isObject(value)) for (const [name, member] of Object.entries(value)) setMember(frame, name, member);
}

function setLimits(file: string, limits: { [key: string]: number }, text: string): void {
  const value = jsonIn(file, text);
  if (!isObject(value)) return;
  for (const [key, limit] of Object.entries(value)) {
    if (typeof limit !== "number") throw invalidTest(file, `the limit ${key} in a comment is not a number`);
    limits[known(file, key)] = limit;
  }
}

/** The JSON after `result:`. Text that begins like an object, a list or a string must be JSON; other words may be a sentence. */
function returned(text: string): string | undefined {
  const value = RETURNS.exec(text)?.[1];
  return value === undefined || /^[[{"]/.test(value) || isJson(value) ? value : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function known(file: string, key: string): string {
  if (LIMIT_KEYS.some((limit) => limit === key)) return key;
  throw invalidTest(file, `unknown limit ${key}`);
}

function jsonIn(file: string, text: string): Value {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidTest(file, `${text} in a comment is not JSON`);
  }
}
