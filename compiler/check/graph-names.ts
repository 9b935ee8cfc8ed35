/**
 * Graphs of the indented form that have the name of a function: `total(rows)` would call one or the other. Each is refused, with the next free
 * name in its place.
 */
import type { SourceFile } from "../../grammar/ast.ts";
import type { Edit, Finding } from "../../grammar/diagnostic.ts";
import { createSource, spanOf } from "../../grammar/text/source.ts";
import { findFunction } from "../functions.ts";

export function checkGraphNames({ file, text, lines }: SourceFile): Finding[] {
  return lines.flatMap((line): Finding[] => {
    if (line.kind !== "label") return [];
    const { text: name, span } = line.word;
    if (line.id !== `_${name}` && (line.id !== "_entry" || name === "_entry")) return [];
    if (findFunction(name) === undefined) return [];
    // `call find` calls a graph and nothing else.
    if (!placesOf(name, text).some((place) => isCall(text, place + name.length))) return [];
    const free = freeName(name, text);
    const suggestion = `write ${free}`;
    const fix = { title: suggestion, edits: editsOf(name, free, text, file) };
    return [{ code: "WF1110", span, words: { name }, suggestion, fix, label_id: line.id }];
  });
}

/** `total_2`, `total_3`: the first that the text does not hold. */
function freeName(name: string, text: string): string {
  let count = 2;
  while (text.includes(`${name}_${count}`)) count++;
  return `${name}_${count}`;
}

function editsOf(name: string, free: string, text: string, file: string | null): Edit[] {
  const source = createSource(text, file);
  return placesOf(name, text).map((place) => ({
    span: spanOf(source, place, place + name.length),
    new_text: free,
  }));
}

const isCall = (text: string, end: number): boolean => /^[ \t]*\(/.test(text.slice(end, end + 100));

/** Where the graph is declared, called or referred to; in a text only where that is a template. */
function placesOf(name: string, text: string): number[] {
  const called = String.raw`(?<![\p{L}\p{Nd}_.])${name}(?=[ \t]*\()`;
  const named = String.raw`(?<![\p{L}\p{Nd}_.])(?<=\bcall[ \t]+|->[ \t]*(?:L_)?)${name}(?![\p{L}\p{Nd}_])`;
  const declared = String.raw`(?<=^(?:def[ \t]+)?)${name}(?=[ \t]*[:@(])`;
  const quoted = String.raw`[fF]?(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|#[^\n]*`;
  const places: number[] = [];
  for (const { 0: found, index } of text.matchAll(new RegExp(`${quoted}|${called}|${named}|${declared}`, "gmu"))) {
    if (found === name) places.push(index);
    else if (/^f/i.test(found))
      for (const inner of found.matchAll(new RegExp(called, "gu"))) places.push(index + inner.index);
  }
  return places;
}
