/** Lines of other languages, and the lines that do the same here. Knows the text of one line. */
import { findOutside } from "../../steps/slots.ts";

const NAME = String.raw`[\p{L}_][\p{L}\p{Nd}_]*`;
const DECLARED = "(?:(?:const|let|var)[ \\t]+)?";
const UNPACKED = new RegExp(
  String.raw`^${DECLARED}[([]?((?:\*?${NAME}[ \t]*,[ \t]*)+\*?${NAME})[)\]]?[ \t]*=(?!=)[ \t]*([^\n]+?);?$`,
  "u",
);
const MEMBERS = new RegExp(
  String.raw`^(?:const|let|var)[ \t]+\{((?:[ \t]*${NAME}[ \t]*,?)+)\}[ \t]*=[ \t]*([^\n]+?);?$`,
  "u",
);
const CHAINED = new RegExp(String.raw`^(${NAME})[ \t]*=[ \t]*(${NAME})[ \t]*=(?!=)[ \t]*([^=\n]+)$`, "u");
const THROWN = /^(?:throw|raise)[ \t]+(?:new[ \t]+)?[A-Z]\w*\(([^()\n]+)\);?$/;
const CAUGHT = new RegExp(String.raw`^catch[ \t]*(?:\([ \t]*(${NAME})[ \t]*\)|(${NAME}))?[ \t]*:$`, "u");
const COMMENT = /^(?:\/\*+[ \t]*(.*?)[ \t]*\*+\/|\/\/[ \t]?(.*))$/;
const STEPPED = new RegExp(String.raw`^\+\+(${NAME});?$`, "u");
const UNLESS = /^unless[ \t]+(.+):$/;
const UNTIL = /^until[ \t]+(.+):$/;
/** The end of a block in other languages. */
const CLOSED = /^(?:end|endif|endfor|endwhile|done|fi);?$/;

/** The lines that do the same as `line`, the first without its indentation; null when nothing is certain to. `source` is the whole file. */
export function linesFor(line: string, indent: string, source: string): string | null {
  const next = `\n${indent}`;
  return (
    unpacked(line, next, source) ??
    chained(line, next, source) ??
    declared(line, next) ??
    replaced(line, THROWN, ([message]) => `raise ${message}`) ??
    replaced(
      line,
      CAUGHT,
      ([first, second]) => `except${(first ?? second) === undefined ? "" : ` ${first ?? second}`}:`,
    ) ??
    replaced(line, COMMENT, ([block, rest]) => `# ${block ?? rest ?? ""}`.trimEnd()) ??
    replaced(line, STEPPED, ([name]) => `${name} += 1`) ??
    replaced(line, UNLESS, ([condition]) => `if not (${condition}):`) ??
    replaced(line, UNTIL, ([condition]) => `while not (${condition}):`) ??
    (CLOSED.test(line) ? "" : null)
  );
}

function replaced(
  line: string,
  pattern: RegExp,
  write: (parts: readonly (string | undefined)[]) => string,
): string | null {
  const found = pattern.exec(line);
  return found === null ? null : write(found.slice(1));
}

/** `a, b = b, a`: through a list of its own, so that all values are read before a name is set. */
function unpacked(line: string, next: string, source: string): string | null {
  const [, members, object] = MEMBERS.exec(line) ?? [];
  const [, names = members, value = object] = UNPACKED.exec(line) ?? [];
  if (names === undefined || value === undefined || value.includes("#")) return null;
  const own = freeName(members === undefined ? "parts" : "object", source);
  const targets = names.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  const starred = targets.findIndex((name) => name.startsWith("*"));
  if (starred !== -1 && starred !== targets.length - 1) return null;
  const set = targets.map((name, at) => {
    if (members !== undefined) return `${name} = ${own}.${name}`;
    return name.startsWith("*") ? `${name.slice(1)} = ${own}[${at}:]` : `${name} = ${own}[${at}]`;
  });
  return [`${own} = ${hasComma(value) ? `[${value}]` : value}`, ...set].join(next);
}

/** `a = b = 5`. Where `b` has a value already, `a = b == 5` may be meant. */
function chained(line: string, next: string, source: string): string | null {
  const [, first, second, value] = CHAINED.exec(line) ?? [];
  if (first === undefined || second === undefined || value === undefined) return null;
  const isKnown =
    source
      .slice(0, source.indexOf(line))
      .search(new RegExp(String.raw`(?<![\p{L}\p{Nd}_])${second}(?![\p{L}\p{Nd}_])`, "u")) !== -1;
  return isKnown ? null : `${second} = ${value}${next}${first} = ${second}`;
}

const DECLARATION = /^(?:const|let|var)[ \t]+([^\n]+?);?$/;
const SET = new RegExp(String.raw`^${NAME}[ \t]*=(?![=>])[ \t]*\S`, "u");

/** `let a = 1, b = 2` */
function declared(line: string, next: string): string | null {
  const [, list = ""] = DECLARATION.exec(line) ?? [];
  const parts: string[] = [];
  for (let at = 0; at < list.length; ) {
    const comma = findOutside(list, at, list.length, (character, depth) => depth === 0 && character === ",").at;
    parts.push(list.slice(at, comma).trim());
    at = comma + 1;
  }
  return parts.length > 1 && parts.every((part) => SET.test(part)) ? parts.join(next) : null;
}

const OF = new RegExp(
  String.raw`^for[ \t]*\([ \t]*(?:const|let|var)?[ \t]*(?:(${NAME})|\[[ \t]*(${NAME})[ \t]*,[ \t]*(${NAME})[ \t]*\])[ \t]+of[ \t]+(.+)\)[ \t]*:$`,
  "u",
);
const COUNTED = new RegExp(
  String.raw`^for[ \t]*\([ \t]*(?:let|var|int)?[ \t]*(${NAME})[ \t]*=[ \t]*([\p{L}\p{Nd}_]+)[ \t]*;[ \t]*\1[ \t]*(<=?)[ \t]*([\p{L}\p{Nd}_.]+)[ \t]*;[ \t]*(?:\1\+\+|\+\+\1|\1[ \t]*\+=[ \t]*([0-9]+))[ \t]*\)[ \t]*:$`,
  "u",
);
const NESTED = new RegExp(
  String.raw`^for[ \t]+(${NAME})[ \t]*,[ \t]*\([ \t]*(${NAME})[ \t]*,[ \t]*(${NAME})[ \t]*\)[ \t]+in[ \t]+(.+):$`,
  "u",
);
const GROUPED = new RegExp(
  String.raw`^for[ \t]+[([][ \t]*(${NAME})[ \t]*,[ \t]*(${NAME})[ \t]*[)\]][ \t]+in[ \t]+(.+):$`,
  "u",
);

/** The header of a loop of another language; null when it is not certain to do the same. `body` is the indentation of the loop's block. */
export function loopFor(line: string, body: string, source: string): string | null {
  return (
    replaced(line, OF, ([item, first, second, list = ""]) => {
      if (item !== undefined) return `for ${item} in ${list}:`;
      const [, object] = /^Object\.entries\((.+)\)$/.exec(list) ?? [];
      const [, places] = /^(.+)\.entries\(\)$/.exec(list) ?? [];
      return `for ${first}, ${second} in ${object ?? (places === undefined ? list : `enumerate(${places})`)}:`;
    }) ??
    replaced(line, COUNTED, ([name, from, sign, to = "", step]) => {
      const [, list] = /^(.+)\.length$/.exec(to) ?? [];
      const end = `${list === undefined ? to : `len(${list})`}${sign === "<=" ? " + 1" : ""}`;
      const bounds = step === undefined ? (from === "0" ? [end] : [from, end]) : [from, end, step];
      return `for ${name} in range(${bounds.join(", ")}):`;
    }) ??
    replaced(line, GROUPED, ([first, second, list]) => `for ${first}, ${second} in ${list}:`) ??
    replaced(line, NESTED, ([place, first, second, list]) => {
      const pair = freeName("pair", source);
      const parts = [first, second].map((name, at) => `\n${body}${name} = ${pair}[${at}]`);
      return `for ${place}, ${pair} in ${list}:${parts.join("")}`;
    })
  );
}

/** Whether a comma stands outside of brackets and quotes. */
function hasComma(text: string): boolean {
  const { length } = text;
  return findOutside(text, 0, length, (character, depth) => depth === 0 && character === ",").at < length;
}

function freeName(name: string, source: string): string {
  let free = name;
  for (let n = 2; new RegExp(String.raw`\b${free}\b`).test(source); n++) free = `${name}${n}`;
  return free;
}
