/** What the compiler says, with the edits it offers. */
import { useMemo } from "preact/hooks";
import type { Diagnostic, Fix } from "../../../grammar/diagnostic.ts";

type FindingsOf = {
  readonly diagnostics: readonly Diagnostic[];
  readonly apply: (fix: Fix) => void;
  readonly showLine: (line: number) => void;
};

/** There may be a thousand, and each key that is pressed shows them again. */
export function Findings(findings: FindingsOf) {
  return useMemo(() => listOf(findings), [findings.diagnostics]);
}

function listOf({ diagnostics, apply, showLine }: FindingsOf) {
  if (diagnostics.length === 0) return <p>No findings: the program can run.</p>;
  return (
    <ul class="findings" aria-live="polite">
      {diagnostics.map(({ code, severity, message, suggestion, span, fix }, at) => (
        <li key={`${at} ${code}`}>
          <strong class={severity === "error" ? "bad" : undefined}>{severity}</strong>{" "}
          {span === null ? null : (
            <button type="button" class="tag" onClick={() => showLine(span.line)}>
              line {span.line}
            </button>
          )}
          {message} <code>{code}</code>
          {suggestion === null || suggestion === fix?.title ? null : <div class="quiet">{suggestion}</div>}
          {fix === null ? null : (
            <button type="button" onClick={() => apply(fix)}>
              {fix.title}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
