/** Expectations that a program states in its own comments, each on a line of its own: the short form of a golden test. */
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";
import { type Expectation, type ExpectedFinding, type GoldenCase, invalidTest } from "./test-case.ts";

const LINE = /^\s*#\s*((?:expect|frame-value|limit)\b.*)$/;
const RESULT = /^expect: (.+)$/;
const COMPILE_ERROR = /^expect error (WF\d{4})(?: at (\d+)(?::(\d+))?)?$/;
const RUN_ERROR = /^expect run-error ([A-Z][A-Z0-9_]+)$/;
const LIMIT_REACHED = /^expect limit ([a-z_]+)$/;
const FRAME_VALUE = /^frame-value: ([^\s=]+) = (.+)$/;
const LIMIT = /^limit: ([a-z_]+) = (\d{1,15})$/;

/** The case in the comments of a program; null when there is none. */
export function commentCase(file: string, source: string): GoldenCase | null {
  const words = source.split(/\r?\n/).flatMap((line) => LINE.exec(line)?.[1]?.trimEnd() ?? []);
  const expect: Draft = { diagnostics: [] };
  const frame: { [name: string]: Json } = {};
  const limits: { [key: string]: number } = {};
  for (const text of words) read(file, text, expect, frame, limits);
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
  const [, result] = RESULT.exec(text) ?? [];
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
  const [, code] = RUN_ERROR.exec(text) ?? [];
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
  const [, name, value] = FRAME_VALUE.exec(text) ?? [];
  const [, key, most] = LIMIT.exec(text) ?? [];
  if (name !== undefined && value !== undefined) setMember(frame, name, jsonIn(file, value));
  else if (key !== undefined && most !== undefined) limits[known(file, key)] = Number(most);
  // `# expect` may begin a sentence as well: only what looks like an expectation must be one.
  else if (/^expect(:| error\b| run-error\b| limit\b)/.test(text))
    throw invalidTest(file, `the comment '# ${text}' is no expectation`);
}

function known(file: string, key: string): string {
  if (LIMIT_KEYS.some((limit) => limit === key)) return key;
  throw invalidTest(file, `there is no limit ${key}`);
}

function jsonIn(file: string, text: string): Value {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidTest(file, `${text} in a comment is not JSON`);
  }
}
