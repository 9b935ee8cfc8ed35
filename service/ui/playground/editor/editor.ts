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
import { indentOnInput } from "@codemirror/language";
import {
  lintGutter,
  type Diagnostic as Mark,
  nextDiagnostic,
  previousDiagnostic,
  setDiagnostics,
} from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  type KeyBinding,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { EACH_HIDDEN, shownCharacter } from "../../../../compiler/hidden-characters.ts";
import { type Candidate, isMark, type WordClass } from "../../../../grammar/completion.ts";
import type { Diagnostic, Fix } from "../../../../grammar/diagnostic.ts";
import { isPython } from "../../../../grammar/surface.ts";
import { completed } from "../compiler.ts";
import { MAX_READ_WHILE_TYPING } from "./bounds.ts";
import { COLORS, colors } from "./colors.ts";
import { indentation } from "./indentation.ts";

/** Tab indents while the editor has the focus. */
export const KEYS =
  "Tab indents; Esc, then Tab leaves the editor. F8 goes to the next problem, and Ctrl+. (⌘. on a Mac) fixes it.";

export type EditorEvents = {
  changed(text: string): void;
  /** `line`: of the caret, from 1. */
  moved(line: number): void;
  /** The key for the fix of what is wrong on a line. */
  fix(line: number): void;
};

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
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "transparent", border: "none" },
  ".cm-activeLineGutter": { color: "var(--ink)", backgroundColor: "transparent" },
  ".cm-content": { fontFamily: "ui-monospace, monospace", minHeight: "20rem", caretColor: "currentColor" },
  ".cm-activeLine": { backgroundColor: "rgba(128, 128, 128, 0.12)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--waits)" },
  ".cm-lintRange-info": { backgroundImage: "none", textDecoration: "underline dotted currentColor" },
  ".cm-lint-marker": { width: "auto", height: "auto", textAlign: "center", fontWeight: "700" },
  ".cm-lint-marker-error": { color: "var(--bad)" },
  ".cm-lint-marker-warning": { color: "var(--waits)" },
  ".cm-lint-marker-error::before": { content: "'✕'" },
  ".cm-lint-marker-warning::before": { content: "'!'" },
  ".cm-lint-marker-info::before": { content: "'i'" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--paper)", border: "1px solid var(--edge)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--on-accent)", backgroundColor: "var(--accent)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "0.8" },
  ".cm-specialChar": { color: "var(--bad)", fontWeight: "600" },
  ...COLORS,
});

const SEVERITIES = { error: "error", warning: "warning", hint: "info" } as const;

export function openEditor(place: HTMLElement, text: string, events: EditorEvents): Editor {
  const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      lintGutter(),
      highlightActiveLine(),
      highlightSpecialChars({ addSpecialChars: EACH_HIDDEN, render: hiddenCharacter }),
      colors,
      indentation,
      indentOnInput(),
      autocompletion({ override: [suggestions] }),
      keymap.of([...completionKeymap, ...problemKeys(events), ...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Program", "aria-description": KEYS, tabindex: "0" }),
      EditorView.domEventHandlers({ beforeinput: typedOver }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) events.changed(update.state.doc.toString());
        if (update.docChanged || update.selectionSet) events.moved(caretLine(update.view));
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

/** Chromium gives what is typed over coloured words their colour as a style attribute, which the page's policy reports: the editor types it itself. */
function typedOver(event: InputEvent, view: EditorView): boolean {
  const { main, ranges } = view.state.selection;
  if (event.inputType !== "insertText" || event.data === null || view.composing || (main.empty && ranges.length === 1))
    return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

const caretLine = ({ state }: EditorView): number => state.doc.lineAt(state.selection.main.head).number;

function problemKeys({ fix }: EditorEvents): readonly KeyBinding[] {
  return [
    { key: "F8", run: nextDiagnostic, shift: previousDiagnostic },
    {
      key: "Mod-.",
      run(view) {
        fix(caretLine(view));
        return true;
      },
    },
  ];
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
  if (!context.explicit && (word === null || context.state.doc.length > MAX_READ_WHILE_TYPING)) return null;
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
  const isWritten = isPython(context.state.sliceDoc(0, context.pos));
  const options = items.filter((item) => item.class !== "end" && !(isWritten && isMark(item))).map(optionOf);
  return { from, options };
}

/** What a usage line is longer than stands next to the list, for the one that is chosen. */
const MAX_DETAIL = 32;

const ICONS: Partial<Record<WordClass, string>> = {
  ...{ fn: "function", verb: "method", call: "namespace", ref: "namespace", op: "keyword", key: "property" },
  ...{ operand: "variable", name: "variable" },
};

function optionOf({ text: label, detail, class: one }: Candidate) {
  const type = ICONS[one];
  const said = detail.length > MAX_DETAIL ? { info: detail } : detail === "" ? {} : { detail };
  return { label, ...said, ...(type === undefined ? {} : { type }) };
}
