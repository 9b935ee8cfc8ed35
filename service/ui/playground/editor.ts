/**
 * The editor: CodeMirror in a shadow root, so that its styles are adopted style sheets, which a strict content security policy allows.
 */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintGutter, type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { EACH_HIDDEN, shownCharacter } from "../../../compiler/hidden-characters.ts";
import type { Diagnostic, Fix } from "../../../grammar/diagnostic.ts";
import { completed } from "./compiler.ts";

/** Tab indents while the editor has the focus. */
export const LEAVING = "Esc, then Tab leaves the editor.";

export type Editor = {
  readonly text: () => string;
  replace(text: string): void;
  mark(diagnostics: readonly Diagnostic[]): void;
  apply(fix: Fix): void;
  showLine(line: number): void;
  close(): void;
};

const THEME = EditorView.theme({
  "&": { fontSize: "13px", color: "inherit", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "2px solid Highlight" },
  ".cm-gutters": { color: "inherit", backgroundColor: "transparent", border: "none" },
  ".cm-gutterElement": { opacity: "0.75" },
  ".cm-content": { fontFamily: "ui-monospace, monospace", minHeight: "20rem", caretColor: "currentColor" },
  ".cm-activeLine": { backgroundColor: "rgba(128, 128, 128, 0.12)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy #c53030" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy #b7791f" },
  ".cm-lintRange-info": { backgroundImage: "none", textDecoration: "underline dotted currentColor" },
  ".cm-lint-marker-error": { content: "'✕'", color: "#c53030" },
  ".cm-lint-marker-warning": { content: "'!'", color: "#b7791f" },
  ".cm-lint-marker-info": { content: "'i'" },
  ".cm-tooltip": { color: "CanvasText", backgroundColor: "Canvas" },
});

const SEVERITIES = { error: "error", warning: "warning", hint: "info" } as const;

export function openEditor(place: HTMLElement, text: string, changed: (text: string) => void): Editor {
  const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      lintGutter(),
      highlightActiveLine(),
      highlightSpecialChars({ addSpecialChars: EACH_HIDDEN, render: hiddenCharacter }),
      EditorState.tabSize.of(2),
      autocompletion({ override: [suggestions] }),
      keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Program", "aria-description": LEAVING, tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed(update.state.doc.toString());
      }),
      THEME,
    ],
  });
  const view = new EditorView({ state, root, parent: root });
  return {
    text: () => view.state.doc.toString(),
    replace: (fresh) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: fresh } }),
    mark: (diagnostics) => view.dispatch(setDiagnostics(view.state, marksOf(diagnostics, view.state.doc.length))),
    apply: ({ edits }) =>
      view.dispatch({
        changes: edits.map(({ span, new_text: insert }) => ({ from: span.start, to: span.end, insert })),
      }),
    showLine(line) {
      const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    },
    close: () => view.destroy(),
  };
}

function marksOf(diagnostics: readonly Diagnostic[], length: number): Mark[] {
  return diagnostics.flatMap(({ span, severity, code, message }) =>
    span === null || span.file !== null || span.start > length
      ? []
      : [
          {
            from: span.start,
            to: Math.min(span.end, length),
            severity: SEVERITIES[severity],
            message: `${code}: ${message}`,
          },
        ],
  );
}

/** As everything else on the page shows it (`visible.ts`). */
function hiddenCharacter(code: number, description: string | null): HTMLElement {
  const shown = document.createElement("span");
  shown.className = "cm-specialChar";
  shown.textContent = shownCharacter(String.fromCodePoint(code));
  shown.title = description ?? "a character that cannot be seen";
  return shown;
}

/** null where nothing fits, where the word is whole (Enter would take it instead of ending the line), and where another key was pressed meanwhile. */
async function suggestions(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w.]+$/);
  if (word === null && !context.explicit) return null;
  const ended = new AbortController();
  context.addEventListener("abort", () => ended.abort(), { onDocChange: true });
  const found = await completed(context.state.sliceDoc(0, context.pos), ended.signal).catch((cause: unknown) => {
    if (ended.signal.aborted) return null;
    throw cause;
  });
  if (found === null) return null;
  const { items, from } = found;
  const typed = context.state.sliceDoc(from, context.pos);
  if (!context.explicit && items.some(({ text }) => text === typed)) return null;
  const options = items
    .filter((item) => item.class !== "end")
    .map(({ text, detail }) => ({ label: text, ...(detail === "" ? {} : { detail }) }));
  return { from, options };
}
