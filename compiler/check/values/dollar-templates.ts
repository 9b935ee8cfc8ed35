/**
 * `f"/users/${id}"`: a template of JavaScript with an `f` before it, whose `$` stays in the text (WF9031). A dollar sign before an amount is meant,
 * so nothing is said of numbers, and of names that are those of money.
 */
import type { Operand } from "../../../grammar/ast.ts";
import type { Finding } from "../../../grammar/diagnostic.ts";
import { findFunction } from "../../functions.ts";
import { walkOperands } from "../operand-walk.ts";
import type { ProgramView } from "../program-view.ts";
import { kindOf, type ValueTypes } from "./value-types.ts";

const MONEY =
  /(?:price|cost|total|amount|sum|fee|tax|balance|revenue|sales|salary|budget|usd|dollar|value|due|owed|paid|payment|profit|income|discount|spend|spent|net|gross|charge|refund|bill|money|cash|wage|bonus|credit|debit|tip|limit|threshold|avg|average|mean|min|max|worth|turnover|margin|deposit|rent)s?$/i;

export function checkDollarTemplates({ program }: ProgramView, types: () => ValueTypes): Finding[] {
  const findings: Finding[] = [];
  const texts = new Set(program.labels.map(({ module }) => module.file.text));
  const suspects = new Set([...texts].filter((text) => text.includes("${")));
  for (const { id: label_id, module, steps } of program.labels) {
    const { text } = module.file;
    if (!suspects.has(text)) continue;
    for (const { step, node } of steps) {
      if (step.faulty || node === null) continue;
      walkOperands(step, (operand) => {
        if (operand.k !== "call" || findFunction(operand.fn.text)?.name !== "format") return;
        const { start } = operand.fn.span;
        if (!/^[fF]["']/.test(text.slice(start, start + 2))) return;
        for (const value of operand.args.slice(1)) {
          const finding = findingOf(value, text, types());
          if (finding !== null) findings.push({ ...finding, label_id, node_id: node.id });
        }
      });
    }
  }
  return findings;
}

function findingOf(value: Operand, source: string, types: ValueTypes): Finding | null {
  const { span } = value;
  const before = /(?<!\$)\$\{\s*$/.exec(source.slice(Math.max(0, span.start - 20), span.start))?.[0];
  if (before === undefined || !/^\s*\}/.test(source.slice(span.end, span.end + 20))) return null;
  const kind = kindOf(types.of(value), types.records);
  if (kind === "number") return null;
  const name =
    value.k === "path" ? value.segments.at(-1) : value.k === "name" || value.k === "var" ? value.v : undefined;
  // No amount stands directly after these.
  const isInside = /[/=&?@.#]/.test(source.charAt(span.start - before.length - 1));
  if (kind === null && !isInside && (name === undefined || MONEY.test(name) || isAmount(source, span.start)))
    return null;
  const suggestion = "leave the $ out, unless a dollar sign is meant";
  const place = {
    ...span,
    start: span.start - before.length,
    end: span.start - before.length + 1,
    column: span.column - before.length,
    end_line: span.line,
    end_column: span.column - before.length + 1,
  };
  const fix = kind === null && !isInside ? null : { title: "leave the $ out", edits: [{ span: place, new_text: "" }] };
  return { code: "WF9031", span: place, words: { mark: "$", joined: "" }, suggestion, fix };
}

/** Whether the text before the sign speaks of money: `costs ${x}`. */
function isAmount(source: string, start: number): boolean {
  const line = source.slice(Math.max(0, start - MAX_BEFORE, source.lastIndexOf("\n", start)), start);
  return (line.match(/[\p{L}]+/gu) ?? []).some((word) => MONEY.test(word) || /^(?:pay|pays|buy|for only)$/i.test(word));
}

const MAX_BEFORE = 60;
