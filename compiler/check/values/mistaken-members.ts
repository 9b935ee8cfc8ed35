/**
 * Members of values that have none (WF9039): `rows.length`, and `rows.price` where `rows` is a list; and objects that a loop takes apart as if they
 * were pairs (WF9038). Both read null. Types come from declarations and literals, or from what the graph does with the value.
 */
import type { Operand, Step } from "../../../grammar/ast.ts";
import type { Finding } from "../../../grammar/diagnostic.ts";
import { isShown } from "../../../grammar/indented/hidden-names.ts";
import { isIndented } from "../../../grammar/surface.ts";
import { listed } from "../../../grammar/text/english.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import type { Task } from "../../../grammar/text/task.ts";
import { findFunction } from "../../functions.ts";
import { ERROR_INFO_MEMBERS } from "../error-members.ts";
import { conditionOf, walkOperands } from "../operand-walk.ts";
import { eachStep, type ProgramView } from "../program-view.ts";
import type { ListUses } from "./list-uses.ts";
import { elementOf, kindOf, type ValueTypes } from "./value-types.ts";

type Path = Operand & { readonly k: "path" };
type Known = { readonly types: ValueTypes; readonly isList: (operand: Operand) => boolean; readonly source: string };

export function* checkMistakenMembers(
  { program }: ProgramView,
  types: () => ValueTypes,
  uses: ListUses,
): Task<Finding[]> {
  const findings: Finding[] = [];
  yield* eachStep(program, ({ id: label_id, module }, { step, node }) => {
    if (step.faulty || node === null) return;
    const known: Known = {
      get types() {
        return types();
      },
      isList: (operand) => uses.isList(label_id, operand),
      source: module.file.text,
    };
    for (const finding of [...membersIn(step, known), ...unpackedIn(step, known)])
      findings.push({ ...finding, label_id, node_id: node.id });
  });
  return findings;
}

function membersIn(step: Step, known: Known): readonly Finding[] {
  const findings: Finding[] = [];
  // There a path is a text.
  const keys = new Set<Operand>();
  // There a list is read.
  const lists = new Set<Operand | undefined>();
  if (step.op === "Loop" || step.op === "Each") lists.add(step.list.k === "call" ? step.list.args[0] : step.list);
  const note = (word: string, args: readonly Operand[]): void => {
    const { name, parameters = [] } = findFunction(word) ?? {};
    if (name === "join") lists.add(args[1]);
    if (args.length === 1 && LIST_FUNCTIONS.has(name ?? "")) lists.add(args[0]);
    for (const [at, one] of args.entries())
      if ((parameters[at] ?? parameters.at(-1))?.class === "key" && one.k === "path" && one.text !== null)
        keys.add(one);
  };
  if (step.op === "X" && step.first.k === "name") note(step.first.v, step.args);
  walkOperands(step, (operand) => {
    if (operand.k === "call") note(operand.fn.text, operand.args);
    if (operand.k !== "path" || keys.has(operand) || !isShown(operand.root)) return;
    const finding =
      memberOf(operand, step, known) ?? knownMember(operand, known) ?? (lists.has(operand) ? columnOf(operand) : null);
    if (finding !== null) findings.push(finding);
  });
  return findings;
}

function memberOf(path: Path, step: Step, { types, isList, source }: Known): Finding | null {
  const { root, segments, span } = path;
  for (const [at, member] of segments.entries()) {
    if (/^-?[0-9]+$/.test(member)) continue;
    const before: Operand =
      at === 0 ? { k: "var", v: root, span } : { ...path, segments: segments.slice(0, at), text: null };
    const kind = kindOf(types.of(before), types.records) ?? (isList(before) ? "list" : null);
    if (kind !== null && kind !== "list" && kind !== "text") continue;
    const isLast = at === segments.length - 1;
    const isLength = isLast && /^(?:length|size|len|count)$/.test(member);
    if (kind === null && !(isLast && member === "length" && !root.startsWith("_"))) continue;
    const of = [root, ...segments.slice(0, at)].join(".");
    const place = { code: "WF9039", span };
    if (kind === null)
      return {
        ...place,
        severity: "warning",
        words: { what: "a list or string", member },
        suggestion: `write len(${of}); for a member of an object, ${of}["length"]`,
        fix: null,
      };
    const special = specialMember(types.of(before), path, at, source);
    if (special !== null) return { ...place, ...special };
    const words = { what: `'${of}', a ${kind === "list" ? "list" : "string"},`, member };
    if (!isLength) return { ...place, words, ...adviceFor(of, member, kind) };
    const isOwn = isIndented(source);
    const written = isOwn ? `len(${of})` : `(len ${of})`;
    const title = `write ${written}`;
    const isPlain = source.slice(span.start, span.end) === `${of}.${member}`;
    const fix =
      isPlain && (isOwn || conditionOf(step) === null) ? { title, edits: [{ span, new_text: written }] } : null;
    return { ...place, words, suggestion: title, fix };
  }
  return null;
}

/** What members of pairs are called elsewhere, and their places. */
const PLACES: Readonly<Record<string, string>> = {
  key: "0",
  k: "0",
  name: "0",
  index: "0",
  i: "0",
  value: "1",
  v: "1",
};

/** `e.key` of a pair that `entries` made; `k.price` of a key that a loop passes. */
function specialMember(
  type: string | null,
  { root, segments, span }: Path,
  at: number,
  source: string,
): Pick<Finding, "words" | "suggestion" | "fix"> | null {
  const [of, member = ""] = [[root, ...segments.slice(0, at)].join("."), segments[at]];
  if (type === "key") {
    const suggestion = `a loop passes the keys of an object: write for ${of}, value in …: and value.${member}`;
    return { words: { what: `'${of}', a key,`, member }, suggestion, fix: null };
  }
  if (type === "part") {
    const suggestion = "a loop passes the names of the parts of an answer: go through its body, as in r.body";
    return { words: { what: `'${of}', the name of a part,`, member }, suggestion, fix: null };
  }
  if (type !== "pair") return null;
  const place = Object.hasOwn(PLACES, member) ? PLACES[member] : undefined;
  const own = place === undefined ? `${of}[1].${member}` : `${of}[${place}]`;
  const suggestion = `a pair has [0], its key or place, and [1], its value: write ${own}`;
  const [plain, written] = [`${of}.${member}`, source.slice(span.start, span.end)];
  const edits = [{ span, new_text: `${own}${written.slice(plain.length)}` }];
  const fix = written.startsWith(plain) ? { title: `write ${own}`, edits } : null;
  return { words: { what: `'${of}', a pair,`, member }, suggestion, fix };
}

/** What an answer of the adapter http has. */
const ANSWER = "ok status status_code error body headers url final_url redirects elapsed_ms lossy parse_error".split(
  " ",
);
/** What clients of other languages call its parts. */
const PARTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["data", "json", "text", "content", "payload"].map((name) => [name, "body"])),
  statusCode: "status",
  code: "status",
};

/** `r.items` of an answer, whose body holds the items; `groups[0]` of groups, whose keys are values of the field. */
function knownMember({ root, segments, span }: Path, { types, source }: Known): Finding | null {
  const [member = ""] = segments;
  const type = types.of({ k: "var", v: root, span });
  const written = source.slice(span.start, span.end);
  const place = { code: "WF9039", span, severity: "warning" } as const;
  if (type === "groups" && /^(?:0|1|-[0-9]+)$/.test(member) && written.startsWith(`${root}[`)) {
    const suggestion = `write values(${root}) for a list of the groups, ${root}["${member}"] for the key "${member}"`;
    return { ...place, words: { what: `'${root}', whose keys are values of a field,`, member }, suggestion, fix: null };
  }
  if (type === "failure") return ofFailure(root, member, written, span);
  if (type !== "answer" || ANSWER.includes(member)) return null;
  const isElement = /^-?[0-9]+$/.test(member);
  const parts = isElement ? [`body[${member}]`] : Object.hasOwn(PARTS, member) ? [PARTS[member]] : ["body", member];
  const read = (isElement ? [`${root}[${member}]`] : [`${root}.${member}`, `${root}["${member}"]`]).find((one) =>
    written.startsWith(one),
  );
  const own = `${[root, ...parts].join(".")}${read === undefined ? "" : written.slice(read.length)}`;
  const title = `write ${own}`;
  const fix = read === undefined ? null : { title, edits: [{ span, new_text: own }] };
  return { ...place, words: { what: `'${root}', an answer of http,`, member }, suggestion: title, fix };
}

/** What the message and the kind of a failure are called elsewhere. */
const OF_FAILURES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["msg", "text", "reason", "description", "args", "error"].map((name) => [name, "message"])),
  ...Object.fromEntries(["type", "name", "kind", "errno"].map((name) => [name, "code"])),
};

/** `e.status` of what `except e:` caught. */
function ofFailure(root: string, member: string, written: string, span: Path["span"]): Finding | null {
  if (root === "_error_info" || ERROR_INFO_MEMBERS.includes(member)) return null;
  const near = Object.hasOwn(OF_FAILURES, member) ? OF_FAILURES[member] : nearest(member, ERROR_INFO_MEMBERS);
  const place = { code: "WF9032", span, words: { root, member } };
  if (near === undefined || near === null) {
    const suggestion = `a failure has ${listed(ERROR_INFO_MEMBERS)}`;
    return { ...place, suggestion, fix: null };
  }
  const title = `write ${root}.${near}`;
  const isPlain = written === `${root}.${member}`;
  return {
    ...place,
    suggestion: title,
    fix: isPlain ? { title, edits: [{ span, new_text: `${root}.${near}` }] } : null,
  };
}

/** Functions of one list, which give a value for what is missing, too. */
const LIST_FUNCTIONS: ReadonlySet<string> = new Set("sum avg max min sort unique len any all".split(" "));
const PLURAL = /^[a-z_]{2,}[^s\W]s$/;
/** Plural words that name an object, and words for a list of any kind. */
const OBJECTS =
  /(?:settings|options|params|args|headers|details|stats|totals|metrics|props|limits|defaults|counts|values|status|rules|fields|rates|prices)$/;
const COLLECTIVE = /^(?:data|list|body|page|all|value|content|json|history|children|people|text)$/;

/** `sum(rows.n)`, as a column is read elsewhere: a list of rows has no such member. */
function columnOf({ root, segments, span }: Path): Finding | null {
  const parts = [root, ...segments];
  const [of = "", member = ""] = parts.slice(-2);
  if (!PLURAL.test(of) || OBJECTS.test(of) || PLURAL.test(member) || COLLECTIVE.test(member)) return null;
  if (!/^[\p{L}_]/u.test(member)) return null;
  const whole = parts.slice(0, -1).join(".");
  const words = { what: `a list, as '${whole}' seems to be,`, member };
  return { code: "WF9039", span, severity: "warning", words, ...adviceFor(whole, member, "list") };
}

function adviceFor(of: string, member: string, kind: "list" | "text"): Pick<Finding, "suggestion" | "fix"> {
  if (kind !== "list") return { suggestion: null, fix: null };
  const item = (of.split(".").at(-1) ?? of).charAt(0);
  const suggestion = `write [${item}.${member} for ${item} in ${of}] for all elements, ${of}[0].${member} for the first`;
  return { suggestion, fix: null };
}

/** `for a, b in rows` where the elements of `rows` are objects. */
function unpackedIn(step: Step, { types, isList, source }: Known): readonly Finding[] {
  if ((step.op !== "Loop" && step.op !== "Each") || isShown(step.item.name)) return [];
  const list = step.list.k === "call" && step.list.fn.text === "pairs" ? step.list.args[0] : step.list;
  if (list === undefined) return [];
  const element = elementOf(types.of(list));
  if (kindOf(element, types.records) !== "map" && !isList(list)) return [];
  const { span } = step.item;
  const name = source.slice(span.start, span.end);
  const written = source.slice(list.span.start, list.span.end);
  const of = written.length > MAX_SHOWN || written.includes("\n") ? "…" : written;
  const suggestion = `write for item in ${of}: and read item.${name}`;
  return [{ code: "WF9038", span, words: { list: of }, suggestion, fix: null }];
}

const MAX_SHOWN = 40;
