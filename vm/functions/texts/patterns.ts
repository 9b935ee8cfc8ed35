/**
 * `match`, `find_all`, `replace_all` and `split_by`: regular expressions without backtracking. The work that is charged is what the
 * text and the ways to match take; a text is left in between.
 */
import { type Json, setMember } from "../../../compiler/json.ts";
import { OperationFailure } from "../../errors/failures.ts";
import type { Registers } from "../../pattern/matcher.ts";
import { type ProgramPattern, programPattern } from "../../pattern/program-pattern.ts";
import { PatternFault } from "../../pattern/syntax.ts";
import type { Pace, Task } from "../../tasks/task.ts";
import { codePointLength } from "../../values/code-points.ts";
import { MAX_LIST_LENGTH, MAX_TEXT_UNITS, type OpenObject, tooLarge } from "../../values/values.ts";
import { type FunctionGroup, requiredTextTask, resumable } from "../arguments.ts";

type Search = { readonly text: string; readonly pattern: ProgramPattern };

function* searchOf(args: readonly Json[], name: string, pace: Pace): Task<Search> {
  const text = yield* requiredTextTask(args, 0, name, pace);
  const source = yield* requiredTextTask(args, 1, name, pace);
  try {
    const pattern = programPattern(source);
    pace.note(pattern.steps + source.length);
    return { text, pattern };
  } catch (fault) {
    if (fault instanceof PatternFault) throw new OperationFailure(`bad pattern: ${fault.message}`, "value_error");
    throw fault;
  }
}

/** What a group took; null where it took no part. */
function group(text: string, registers: Registers, number: number): string | null {
  const start = registers[2 * number] as number;
  const end = registers[2 * number + 1] as number;
  return start < 0 || end < 0 ? null : text.slice(start, end);
}

function groupsOf({ text, pattern }: Search, registers: Registers): (string | null)[] {
  return pattern.names.map((_, at) => group(text, registers, at + 1));
}

function* match(args: readonly Json[], pace: Pace): Task<Json> {
  const search = yield* searchOf(args, "match", pace);
  const { text, pattern } = search;
  const registers = yield* pattern.matcher.find(text, 0, pace);
  if (registers === null) return { found: false, text: null, start: null, end: null, groups: [], named: {} };
  const groups = groupsOf(search, registers);
  const named: OpenObject = {};
  for (const [at, name] of pattern.names.entries()) if (name !== null) setMember(named, name, groups[at] ?? null);
  const [from, to] = registers as readonly [number, number];
  const start = codePointLength(text.slice(0, from));
  const matched = text.slice(from, to);
  pace.note(to >> 4);
  return { found: true, text: matched, start, end: start + codePointLength(matched), groups, named };
}

/** All matches, one after another; after an empty one the search continues at the next character. */
function* matches(
  { text, pattern }: Search,
  pace: Pace,
  each: (registers: Registers, start: number, end: number) => void,
): Task<void> {
  for (let from = 0; from <= text.length; ) {
    const registers = yield* pattern.matcher.find(text, from, pace);
    if (registers === null) return;
    const [start, end] = registers as readonly [number, number];
    each(registers, start, end);
    if (pace.add(8 + 2 * pattern.names.length)) yield;
    from = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }
}

/** The matched texts; with groups in the pattern what they took, as a list where there are several. */
function* findAll(args: readonly Json[], pace: Pace): Task<Json> {
  const search = yield* searchOf(args, "find_all", pace);
  const { text, pattern } = search;
  const found: Json[] = [];
  yield* matches(search, pace, (registers, start, end) => {
    if (found.length >= MAX_LIST_LENGTH) throw tooLarge();
    const groups = groupsOf(search, registers);
    const one = pattern.names.length === 1 ? (groups[0] ?? null) : groups;
    found.push(pattern.names.length === 0 ? text.slice(start, end) : one);
  });
  return found;
}

/** `$1`, `\1`, `${name}`, `\g<name>`, and `$$` for a dollar sign. */
const REFERENCE = /\$(?:(\$)|(\d{1,2})|\{(\w+)\})|\\(?:(\d{1,2})|g<(\w+)>|(\\))/g;

function* replaceAll(args: readonly Json[], pace: Pace): Task<Json> {
  const search = yield* searchOf(args, "replace_all", pace);
  const by = yield* requiredTextTask(args, 2, "replace_all", pace);
  const { text, pattern } = search;
  const isPlain = !/[$\\]/.test(by);
  let replaced = "";
  let at = 0;
  yield* matches(search, pace, (registers, start, end) => {
    const put = isPlain
      ? by
      : by.replaceAll(REFERENCE, (written, ...found: string[]) => {
          const [dollar, number, name, backNumber, backName, slash] = found;
          if (dollar !== undefined || slash !== undefined) return dollar ?? slash ?? "";
          const wanted = name ?? backName ?? number ?? backNumber ?? "";
          const index = /^\d+$/.test(wanted) ? Number(wanted) : pattern.names.indexOf(wanted) + 1 || -1;
          return index < 0 || index > pattern.names.length ? written : (group(text, registers, index) ?? "");
        });
    if (replaced.length + put.length > MAX_TEXT_UNITS) throw tooLarge();
    replaced += text.slice(at, start) + put;
    pace.note(put.length >> 2);
    at = end;
  });
  if (replaced.length + text.length - at > MAX_TEXT_UNITS) throw tooLarge();
  return replaced + text.slice(at);
}

/** The parts between matches. An empty match parts two characters, and nothing at the edges. */
function* splitBy(args: readonly Json[], pace: Pace): Task<Json> {
  const search = yield* searchOf(args, "split_by", pace);
  const { text } = search;
  const parts: string[] = [];
  let at = 0;
  yield* matches(search, pace, (_, start, end) => {
    if (start === end && (start === at || start === text.length)) return;
    if (parts.length >= MAX_LIST_LENGTH) throw tooLarge();
    parts.push(text.slice(at, start));
    at = end;
  });
  parts.push(text.slice(at));
  return parts;
}

export const patternFunctions: FunctionGroup = {
  match: resumable(match),
  find_all: resumable(findAll),
  replace_all: resumable(replaceAll),
  split_by: resumable(splitBy),
};
