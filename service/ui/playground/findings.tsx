/** What the compiler says, with the edits it offers. */
import { useMemo } from "preact/hooks";
import type { Diagnostic } from "../../../grammar/diagnostic.ts";
import type { Editor } from "./editor.ts";

type FindingsOf = {
  readonly diagnostics: readonly Diagnostic[];
  readonly editor: Editor | null;
};

/** There may be a thousand, and each key that is pressed shows them again. */
export function Findings({ diagnostics, editor }: FindingsOf) {
  return useMemo(() => listOf(diagnostics, editor), [diagnostics, editor]);
}

function listOf(diagnostics: readonly Diagnostic[], editor: Editor | null) {
  if (diagnostics.length === 0) return <p>No findings: the program can run.</p>;
  return (
    <ul class="findings" aria-live="polite">
      {diagnostics.map(({ code, severity, message, suggestion, span, fix }, at) => (
        <li key={`${at} ${code}`}>
          <strong class={severity === "error" ? "bad" : undefined}>{severity}</strong>{" "}
          {span === null ? null : (
            <button type="button" class="tag" onClick={() => editor?.showLine(span.line)}>
              line {span.line}
            </button>
          )}
          {message} <code>{code}</code>
          {suggestion === null || suggestion === fix?.title ? null : <div class="quiet">{suggestion}</div>}
          {fix === null ? null : (
            <button type="button" onClick={() => editor?.apply(fix)}>
              {fix.title}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
