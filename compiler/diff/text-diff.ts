/** A line diff in the unified form. */
import { alignSequences, type SequenceChange } from "./sequence.ts";

const CONTEXT = 3;

/** A unified diff for `patch`. `what`: a word for the new version, written after its name where other tools write a time. */
export function unifiedDiff(before: string, after: string, name: string, what = "formatted"): string {
  const changes = alignSequences(linesOf(before), linesOf(after));
  if (changes.every((change) => change.kind === " ")) return "";
  return `--- ${name}\n+++ ${name}\t(${what})\n${hunks(changes).join("")}`;
}

/** A last line that no line break ends is another line than one with it. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  return rest === "" ? lines : [...lines, `${rest}\n\\ No newline at end of file`];
}

/** The lines of both texts, marked with a sign and a blank: `- ` only before, `+ ` only after, two blanks in both. */
export function diffLines(before: string, after: string): string[] {
  return alignSequences(before.split("\n"), after.split("\n")).map(({ kind, text }) => `${kind} ${text}`);
}

function hunks(changes: readonly SequenceChange[]): string[] {
  const found: string[] = [];
  let oldLine = 1;
  let newLine = 1;
  let index = 0;
  while (index < changes.length) {
    const first = nextChange(changes, index);
    if (first === -1) break;
    const begin = Math.max(index, first - CONTEXT);
    oldLine += begin - index;
    newLine += begin - index;
    const stop = hunkEnd(changes, first);
    const part = changes.slice(begin, stop);
    const olds = part.filter((change) => change.kind !== "+").length;
    const news = part.filter((change) => change.kind !== "-").length;
    // Of no lines, the line before them is named.
    const oldStart = olds === 0 ? oldLine - 1 : oldLine;
    const newStart = news === 0 ? newLine - 1 : newLine;
    found.push(
      `@@ -${oldStart},${olds} +${newStart},${news} @@\n${part.map((change) => `${change.kind}${change.text}\n`).join("")}`,
    );
    oldLine += olds;
    newLine += news;
    index = stop;
  }
  return found;
}

function nextChange(changes: readonly SequenceChange[], from: number): number {
  for (let index = from; index < changes.length; index += 1) if (changes[index]?.kind !== " ") return index;
  return -1;
}

/** Changes closer together than two contexts share a hunk. */
function hunkEnd(changes: readonly SequenceChange[], first: number): number {
  let last = first;
  for (
    let next = nextChange(changes, last + 1);
    next !== -1 && next - last <= 2 * CONTEXT + 1;
    next = nextChange(changes, last + 1)
  )
    last = next;
  return Math.min(changes.length, last + 1 + CONTEXT);
}
