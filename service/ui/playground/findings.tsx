/** What the compiler says, with the edits it offers. */
import type { Diagnostic, Fix } from "../../../grammar/diagnostic.ts";

type FindingsOf = {
  readonly diagnostics: readonly Diagnostic[];
  readonly show: (line: number) => void;
  readonly apply: (fix: Fix) => void;
};

export function Findings({ diagnostics, show, apply }: FindingsOf) {
  if (diagnostics.length === 0) return <p>No findings: the program can run.</p>;
  return (
    <ul class="findings" aria-live="polite">
      {diagnostics.map(({ code, severity, message, suggestion, span, fix }, at) => (
        <li key={`${at} ${code}`}>
          <strong class={severity === "error" ? "bad" : undefined}>{severity}</strong>{" "}
          {span === null ? null : (
            <button type="button" class="tag" onClick={() => show(span.line)}>
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
