/** Waits that are written as longer than a job lives (docs/durable.md, waiting). */
import type { Finding } from "../../../grammar/diagnostic.ts";
import { createSource, spanOf } from "../../../grammar/text/source.ts";
import { spanText } from "../../catalog/time-span.ts";
import type { Ir } from "../../ir/graph.ts";
import { writtenTimes } from "../../policy/waits.ts";

/** Of both forms, because it reads the IR: each finding is at the whole line of its call. */
export function longWaits(ir: Ir, text: string, lifetimeS: number): readonly Finding[] {
  const life = lifetimeS * 1000;
  const found = writtenTimes(ir).filter(({ span }) => span !== null && span >= life);
  if (found.length === 0) return [];
  const source = createSource(text, null);
  return found.map(({ call, label, node, line, span }): Finding => {
    const words = { call, span: spanText(span ?? 0), life: spanText(life) };
    const place = line === null ? null : lineAt(text, line);
    return {
      code: "WF9044",
      span: place === null ? null : spanOf(source, place.start, place.end),
      label_id: label,
      node_id: node,
      words,
    };
  });
}

/** Where the text of a line begins and ends, without the spaces around it. */
function lineAt(text: string, line: number): { readonly start: number; readonly end: number } {
  let start = 0;
  for (let n = 1; n < line; n++) start = text.indexOf("\n", start) + 1;
  const end = text.indexOf("\n", start);
  const written = text.slice(start, end === -1 ? text.length : end);
  const indent = written.length - written.trimStart().length;
  return { start: start + indent, end: start + indent + written.trim().length };
}
