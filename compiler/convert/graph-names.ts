/** Names of graphs for the labels of a program of the opcode form. Knows nothing of what stands in them. */

import type { SourceFile } from "../../grammar/ast.ts";
import { isName } from "../../grammar/operands/tokens.ts";
import { findOp } from "../../grammar/ops.ts";
import { findFunction } from "../functions.ts";

/** What a label becomes: the name of its graph, and the label that this is. */
export type GraphName = { readonly name: string; readonly label: string };

/** Words that begin statements. */
const WORDS: ReadonlySet<string> = new Set(
  "and break call continue def elif else err except for if in is limit not or out pass raise return settle try while null true false None True False".split(
    " ",
  ),
);
const MAIN = "main";

export function graphNames({ lines }: SourceFile): ReadonlyMap<string, GraphName> {
  const names = new Map<string, GraphName>();
  const taken = new Set<string>();
  /** The last number that was put after a name. */
  const counts = new Map<string, number>();
  const variables = new Set(lines.flatMap((line) => (line.kind === "step" ? line.step.writes : [])));
  const isFree = (name: string): boolean =>
    !taken.has(name) && !variables.has(name) && !WORDS.has(name) && !isFunction(name) && findOp(name) === undefined;
  for (const line of lines) {
    if (line.kind !== "label" || names.has(line.id)) continue;
    const { id } = line;
    const isFirst = names.size === 0;
    if (id === "ENTRY" || id.startsWith("EXIT_")) {
      taken.add(id);
      names.set(id, { name: id, label: id });
      continue;
    }
    const wanted = isFirst ? firstName(lines) : nameFor(id);
    let name = wanted;
    let count = counts.get(wanted) ?? 1;
    while (!isFree(name) || (!isFirst && name === "entry")) name = `${wanted}_${++count}`;
    counts.set(wanted, count);
    taken.add(name);
    names.set(id, { name, label: isFirst ? "_entry" : `_${name}` });
  }
  return names;
}

function isFunction(name: string): boolean {
  return findFunction(name) !== undefined;
}

/** The first graph names the service where the file does not. */
function firstName(lines: SourceFile["lines"]): string {
  for (const line of lines) {
    const name = line.kind === "declaration" && line.op === "S" ? (line.slots[0]?.text ?? "") : "";
    if (isName(name)) return name;
  }
  return MAIN;
}

function nameFor(id: string): string {
  const bare = id.startsWith("_") ? id.slice(1) : id;
  // `L2:` and `LOOP:` look like labels.
  const isPlain = isName(bare) && !/^L(?!\p{Ll})/u.test(bare) && !bare.startsWith("EXIT_") && bare !== "ENTRY";
  if (isPlain) return bare;
  const words = id.replace(/[^\p{L}\p{Nd}_]+/gu, "_").replace(/^_+/, "");
  return `label_${words}`;
}
