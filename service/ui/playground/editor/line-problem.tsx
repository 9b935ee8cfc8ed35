/** What is wrong on the line of the caret, below the editor: what the margin only marks, for readers of every kind, with its fix. */
import type { Diagnostic } from "../../../../grammar/diagnostic.ts";
import { Button } from "../../look/button.tsx";

export function LineProblem({ problem, fix }: { readonly problem: Diagnostic | null; readonly fix: () => void }) {
  return (
    <p class={`line-problem${problem?.severity === "error" ? " bad" : ""}`} role="status">
      {problem === null ? null : (
        <>
          <span>
            <strong>Line {problem.span?.line}</strong> {problem.message}
            {problem.fix !== null || problem.suggestion === null ? "" : `; ${problem.suggestion}`}
          </span>
          {problem.fix === null ? null : (
            <Button onClick={fix}>
              {problem.fix.title} <kbd>Ctrl+.</kbd>
            </Button>
          )}
        </>
      )}
    </p>
  );
}

/** Of the problems of a line the first that can be fixed, else the first. */
export function problemOn(line: number, diagnostics: readonly Diagnostic[]): Diagnostic | null {
  const here = diagnostics.filter(({ span }) => span?.line === line && span.file === null);
  return here.find(({ fix }) => fix !== null) ?? here[0] ?? null;
}
