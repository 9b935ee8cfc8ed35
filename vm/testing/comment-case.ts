/** Expectations that a program states in its own comments, each on a line of its own: the short form of a golden test. */
import { isObject, type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { LIMIT_KEYS } from "../run.ts";
import { commentsOf, type GivenInComment, givenIn } from "./program-comments.ts";
import { TestInvalid } from "./test-setup.ts";

const RESULT = /^expect: (.+)$/;
/** As the documentation writes them. Words after `result:` that are not JSON are a sentence. */
const RETURNS = /^result:\s*(.+)$/;
const FAILS = /^fails: ([A-Z]+(?:_[A-Z0-9]+)+)$/;
const LIMITS = /^limits:\s*(\{.*)$/;
const COMPILE_ERROR = /^expect error (WF\d{4})(?: at (\d+)(?::(\d+))?)?$/;
const RUN_ERROR = /^expect run-error ([A-Z][A-Z0-9_]+)$/;
const LIMIT_REACHED = /^expect limit ([a-z_]+)$/;
const LIMIT = /^limit: ([a-z_]+) = (\d{1,15})$/;

type ExpectedFinding = { readonly code: string; readonly line?: number; readonly column?: number };
type CommentCase = {
  readonly name: string;
  readonly frame: JsonObject;
  readonly limits: { readonly [key: string]: number };
  readonly expect: { result?: Value; error?: string; diagnostics?: ExpectedFinding[] };
};

/** The case in the comments of a program; null without one. Throws TestInvalid. */
export function commentCase(source: string): CommentCase | null {
  const expect: Draft = { diagnostics: [] };
  const frame: { [name: string]: Json } = {};
  const limits: { [key: string]: number } = {};
  for (const text of commentsOf(source)) read(text, expect, frame, limits);
  if (expect.result === undefined && expect.error === undefined && expect.diagnostics.length === 0) return null;
  const { diagnostics, ...rest } = expect;
  const expected = diagnostics.length === 0 ? rest : { ...rest, diagnostics };
  return { name: "comments", frame: frame as JsonObject, limits, expect: expected };
}

// As schemas of test files give it: a value that can be changed.
type Value = null | boolean | number | string | Value[] | { [name: string]: Value };
type Draft = { result?: Value; error?: string; diagnostics: ExpectedFinding[] };

function read(text: string, expect: Draft, frame: { [name: string]: Json }, limits: { [key: string]: number }): void {
  const result = RESULT.exec(text)?.[1] ?? returned(text);
  if (result !== undefined) {
    expect.result = jsonIn(result);
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
  else if (reached !== undefined) expect.error = known(reached);
  else readGiven(text, frame, limits);
}

function readGiven(text: string, frame: { [name: string]: Json }, limits: { [key: string]: number }): void {
  const given = givenIn(text);
  const bounds = LIMITS.exec(text)?.[1];
  const [, key, most] = LIMIT.exec(text) ?? [];
  if (given !== null) setGiven(frame, given);
  else if (bounds !== undefined) setLimits(limits, bounds);
  else if (key !== undefined && most !== undefined) limits[known(key)] = Number(most);
  // `# expect` may begin a sentence as well: only what looks like an expectation must be one.
  else if (/^expect(:| error\b| run-error\b| limit\b)/.test(text))
    throw new TestInvalid(`the comment '# ${text}' is not an expectation`);
}

function setGiven(frame: { [name: string]: Json }, { variable, json }: GivenInComment): void {
  const value = jsonIn(json);
  if (variable !== null) setMember(frame, variable, value);
  else if (isObject(value)) for (const [name, member] of Object.entries(value)) setMember(frame, name, member);
}

function setLimits(limits: { [key: string]: number }, text: string): void {
  const value = jsonIn(text);
  if (!isObject(value)) return;
  for (const [key, limit] of Object.entries(value)) {
    if (typeof limit !== "number") throw new TestInvalid(`the limit ${key} in a comment is not a number`);
    limits[known(key)] = limit;
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

function known(key: string): string {
  if (LIMIT_KEYS.some((limit) => limit === key)) return key;
  throw new TestInvalid(`unknown limit ${key}`);
}

function jsonIn(text: string): Value {
  try {
    return JSON.parse(text);
  } catch {
    throw new TestInvalid(`${text} in a comment is not JSON`);
  }
}
