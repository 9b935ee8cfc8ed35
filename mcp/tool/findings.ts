/**
 * Findings of a compile in the text block of an answer, a line each: `2:13 WF6001 nothing defines 'cuont' -> count`. The structured answer has
 * them whole, with offsets and source lines; a model reads the text, and pays for each token of it.
 */
import { isObject } from "../../compiler/json.ts";

type Members = { readonly [member: string]: unknown };

/** Longer findings are cut: about 60 tokens. */
const MOST_CHARACTERS = 220;
/** What the findings say, too, or what nothing is known of where there are errors. */
const SAID = ["errors", "warnings", "diagnostics", "primary_diagnostic"];
const UNKNOWN = ["required_adapters", "runtime_readiness", "frame_hints"];

/** The payload as the text block says it. */
export function textPayload(payload: Members): Members {
  const { diagnostics } = payload;
  if (!Array.isArray(diagnostics)) return payload;
  const { ok, ...members } = payload;
  const left = new Set(ok === true ? SAID : [...SAID, ...UNKNOWN]);
  const kept = Object.entries(members).filter(([name]) => !left.has(name));
  const findings = diagnostics.filter(isObject).map(findingText);
  return { ok, ...(findings.length === 0 ? {} : { findings }), ...Object.fromEntries(kept) };
}

/** A finding as `diagnosticDocument` makes it. */
function findingText(finding: Members): string {
  const { code, severity, message, line, column, suggestion, span } = finding;
  const file = isObject(span) && typeof span["file"] === "string" ? `${span["file"]}:` : "";
  const place = typeof line === "number" ? `${file}${line}:${String(column)} ` : "";
  const kind = severity === "error" ? "" : `${String(severity)} `;
  const wanted = typeof suggestion === "string" ? ` -> ${suggestion.replace(/^did you mean '([^']+)'\?$/, "$1")}` : "";
  const text = `${place}${kind}${String(code)} ${String(message)}${wanted}`;
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}
