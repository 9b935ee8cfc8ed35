/**
 * The inputs of a run against what its program declares (docs/language.md, inputs and entry): one check for every door. A value of
 * another type and a missing required input are problems; members that are not declared are warnings. Programs without declared
 * inputs have no check.
 */
import { inputsByRun, isClosed, requiredInputs, takesAll } from "../../compiler/ir/frame-inputs.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { pointer, quoted } from "../../compiler/ir/issues.ts";
import { readRecordTypes } from "../../compiler/ir/record-types.ts";
import { inputsReadAsText } from "../../compiler/ir/text-reads.ts";
import { counted } from "../../grammar/text/english.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import { RequestInvalid } from "./request-invalid.ts";
import {
  anyOf,
  type InputProblem,
  MAX_PROBLEMS,
  missing,
  TypeReader,
  typeWords,
  type ValueCheck,
} from "./value-types.ts";

/** What is done about problems. `checked`: the caller has looked already. */
export type InputMode = "strict" | "loose" | "checked";

/** What was noticed about a frame. Paths of problems are pointers into the frame. */
export type InputFindings = {
  readonly problems: readonly InputProblem[];
  /** Inputs that are missing and that the run would read as text: problems in the mode `strict` alone. */
  readonly asText: readonly InputProblem[];
  /** About members that the program does not declare. */
  readonly unknown: readonly string[];
};

/** null: the frame is what the program declares. */
export type InputCheck = (frame: { readonly [name: string]: unknown }) => InputFindings | null;

/**
 * What a machine looks at while it loads a frame, because reading the members a second time would take a tenth of a short run: by slot the
 * code of the input's type, and how many inputs are required. A frame that does not fit may still be right; the check decides.
 */
export type InputShape = { readonly codes: Uint8Array; readonly required: number };

/** Codes of types; `REQUIRED` is added for an input without which no run begins. */
export const SHAPE = { undeclared: 0, any: 1, number: 2, text: 3, boolean: 4, other: 5, required: 8 } as const;

const SHAPE_CODES = { number: SHAPE.number, string: SHAPE.text, boolean: SHAPE.boolean } as const;

/** `slots`: of the program's variables. null: the program declares nothing. */
export function inputShapeOf(ir: Ir, entry: string | null, slots: ReadonlyMap<string, number>): InputShape | null {
  const inputs = checkedInputs(ir, entry);
  if (inputs.length === 0 && !isClosed(ir, entry)) return null;
  const codes = new Uint8Array(slots.size);
  let required = 0;
  for (const input of inputs) {
    const slot = slots.get(input.name);
    const type = input.scalar !== null ? SHAPE_CODES[input.scalar] : input.check === null ? SHAPE.any : SHAPE.other;
    if (isNeeded(input)) required += 1;
    if (slot !== undefined) codes[slot] = type + (isNeeded(input) ? SHAPE.required : 0);
  }
  return { codes, required };
}

/** A frame that its program does not take. Nothing ran. */
export class InputInvalid extends RequestInvalid {
  constructor(problems: readonly InputProblem[], root = "/frame") {
    super(
      problems.map((problem) => ({ ...problem, path: `${root}${problem.path}` })),
      "input_invalid",
    );
    this.name = "InputInvalid";
    this.message = problemsText(problems);
  }
}

/** Members that are not declared and are named in warnings. */
const MAX_UNKNOWN = 10;

/** By program and entry label; null: the program declares nothing. */
const known = new WeakMap<Ir, Map<string | null, InputCheck | null>>();

/** The check for runs of `ir` that begin at the label `entry`; null where nothing is declared. */
export function inputCheckOf(ir: Ir, entry: string | null): InputCheck | null {
  let checks = known.get(ir);
  if (checks === undefined) {
    checks = new Map();
    known.set(ir, checks);
  }
  let check = checks.get(entry);
  if (check === undefined) {
    check = createCheck(ir, entry);
    checks.set(entry, check);
  }
  return check;
}

/** The warnings about a frame. Throws InputInvalid in the mode `strict`. `root`: pointer of the frame in what was sent. */
export function checkInputs(
  ir: Ir,
  entry: string | null,
  frame: { readonly [name: string]: unknown },
  mode: InputMode,
  root = "/frame",
): readonly string[] {
  if (mode === "checked") return NOTHING;
  const found = inputCheckOf(ir, entry)?.(frame) ?? null;
  if (found === null) return NOTHING;
  const problems = mode === "strict" ? [...found.problems, ...found.asText] : [];
  if (problems.length > 0) throw new InputInvalid(problems, root);
  return inputWarnings(found, root);
}

/** `input_type: /frame/n: expected number, found text` */
export function inputWarnings({ problems, unknown }: InputFindings, root = "/frame"): readonly string[] {
  return [...problems.map(({ path, code, message }) => `${code}: ${root}${path}: ${message}`), ...unknown];
}

/** One sentence about the first problem. */
export function problemsText(problems: readonly InputProblem[]): string {
  const [first] = problems;
  const more = problems.length - 1;
  const rest = more > 0 ? `; ${counted(more, "more problem")}` : "";
  return first === undefined ? "the inputs are not valid" : `input ${first.path}: ${first.message}${rest}`;
}

const NOTHING: readonly string[] = Object.freeze([]);

/** One input. `scalar` is what `typeof` says of its values, so that most frames are checked without a call. */
type CheckedInput = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** A run reads it as text where it is missing. */
  readonly isText: boolean;
  readonly scalar: "number" | "string" | "boolean" | null;
  readonly check: ValueCheck | null;
};

const SCALARS: Readonly<Record<string, CheckedInput["scalar"]>> = {
  number: "number",
  F: "number",
  text: "string",
  S: "string",
  boolean: "boolean",
  B: "boolean",
};

function createCheck(ir: Ir, entry: string | null): InputCheck | null {
  const inputs = checkedInputs(ir, entry);
  if (inputs.length === 0 && !isClosed(ir, entry)) return null;
  const names = takesAll(ir, entry) ? null : inputs.map(({ name }) => name);
  return (frame) => (isPlain(inputs, frame) ? null : findingsOf(inputs, names, frame));
}

function checkedInputs(ir: Ir, entry: string | null): readonly CheckedInput[] {
  const declared = inputsByRun(ir)(entry);
  if (declared.length === 0) return [];
  const types = new TypeReader(readRecordTypes(ir.declarations));
  const nodes = ir.nodes.filter(({ label }) => label === entry);
  const needed = requiredInputs(declared, nodes);
  const texts = inputsReadAsText(
    nodes,
    declared.map(({ name }) => name),
  );
  return declared.map(({ name, types: written }): CheckedInput => {
    const [type = "any"] = written;
    return {
      name,
      type: written.length === 0 ? "any" : written.map(typeWords).join(" or "),
      required: needed.has(name),
      isText: texts.has(name),
      scalar: written.length === 1 ? (SCALARS[type] ?? null) : null,
      check: anyOf(written.map((one) => types.checkOf(one))),
    };
  });
}

/** What a program takes of a row, for those who read nothing else of it. */
export type RowInputs = {
  readonly names: readonly string[];
  /** Whether these values, in the order of the names, are what the program declares; undefined: not given. `false` may be wrong. */
  readonly fits: (values: readonly unknown[]) => boolean;
  /** Warnings about members of other names. */
  readonly unknown: (names: readonly string[]) => readonly string[];
};

/** Of a function or script in Python; null: another program, or one that takes whatever it is given. */
export function rowInputsOf(ir: Ir, entry: string | null): RowInputs | null {
  if (!isClosed(ir, entry)) return null;
  const inputs = checkedInputs(ir, entry);
  const names = inputs.map(({ name }) => name);
  return {
    names,
    unknown: (others) => others.flatMap((one) => unknownMembers(new Set(names), Object.fromEntries([[one, null]]))),
    fits: (values) => inputs.every((input, at) => isFitting(input, values[at])),
  };
}

function isFitting(input: CheckedInput, value: unknown): boolean {
  if (value === undefined) return !isNeeded(input);
  const { scalar, check } = input;
  if (scalar !== null) return typeof value === scalar;
  if (check === null) return true;
  const found: InputProblem[] = [];
  check(value, "", found);
  return found.length === 0;
}

function isNeeded({ required, isText }: CheckedInput): boolean {
  return required || isText;
}

/** Whether there is nothing to say. Quick, and wrong only in that it may say no. */
function isPlain(inputs: readonly CheckedInput[], frame: { readonly [name: string]: unknown }): boolean {
  let given = 0;
  for (const input of inputs) {
    const value = frame[input.name];
    if (value === undefined) {
      if (isNeeded(input)) return false;
      continue;
    }
    given += 1;
    if (!isFitting(input, value)) return false;
  }
  for (const _ in frame) given -= 1;
  return given === 0;
}

/** `names`: of all inputs; null: the program takes whatever it is given. */
function findingsOf(
  inputs: readonly CheckedInput[],
  names: readonly string[] | null,
  frame: { readonly [name: string]: unknown },
): InputFindings | null {
  const problems: InputProblem[] = [];
  const asText: InputProblem[] = [];
  for (const { name, type, required, isText, check } of inputs) {
    if (problems.length >= MAX_PROBLEMS) break;
    const path = pointer("", name);
    if (Object.hasOwn(frame, name)) check?.(frame[name], path, problems);
    else if (required) missing(problems, path, type);
    else if (isText && asText.length < MAX_PROBLEMS) asText.push(readAsText(name, path));
  }
  const unknown = names === null ? NOTHING : unknownMembers(new Set(names), frame);
  const isNothing = problems.length === 0 && asText.length === 0 && unknown.length === 0;
  return isNothing ? null : { problems, asText, unknown };
}

function readAsText(name: string, path: string): InputProblem {
  const message = `is missing, and the program would read the text ${quoted(name)}: pass it, or write $${name}, which is null then`;
  return { path, code: "input_missing", message };
}

function unknownMembers(names: ReadonlySet<string>, frame: object): readonly string[] {
  const unknown = Object.keys(frame).filter((name) => !names.has(name));
  const shown = unknown.slice(0, MAX_UNKNOWN).map((name) => {
    const near = nearest(name, names);
    const hint = near === null ? "" : `; did you mean ${near}?`;
    return `input_unknown: the program does not declare ${quoted(name)}${hint}`;
  });
  const more = unknown.length - shown.length;
  return more > 0
    ? [...shown, `warnings_left_out: ${counted(more, "more member")} that the program does not declare`]
    : shown;
}
