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
