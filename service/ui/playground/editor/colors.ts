/** The colours of a program in Python, from the words that its lexer tells. Only lines that can be seen are elements, so only they are coloured. */
import { type Range, StateEffect } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { builtinCatalog } from "../../../../compiler/catalog/builtin.ts";
import type { ColoredKind, ColoredWord } from "../../../../grammar/python/lexing/colored.ts";
import { isPython } from "../../../../grammar/surface.ts";
import { coloredWords, isLoaded, LIBRARY_SHAPE, loadPython } from "../python/form.ts";
import { MAX_READ_WHILE_TYPING } from "./bounds.ts";

/** `library`: a builtin, a module or an adapter. */
type Color = Exclude<ColoredKind, "owner" | "member" | "name"> | "library";

/** Colours of `tokens.css`, which reach into the editor's shadow. Each has a contrast of 4.5 on the ground of a line. */
export const COLORS = {
  ".wf-keyword": { color: "var(--c2)", fontWeight: "600" },
  ".wf-constant": { color: "var(--c4)" },
  ".wf-text": { color: "var(--c1)" },
  ".wf-number": { color: "var(--c4)" },
  ".wf-comment": { color: "var(--quiet)", fontStyle: "italic" },
  ".wf-definition": { color: "var(--c0)", fontWeight: "600" },
  ".wf-library": { color: "var(--c3)" },
};

const MARKS: Readonly<Record<Color, Decoration>> = {
  keyword: Decoration.mark({ class: "wf-keyword" }),
  constant: Decoration.mark({ class: "wf-constant" }),
  text: Decoration.mark({ class: "wf-text" }),
  number: Decoration.mark({ class: "wf-number" }),
  comment: Decoration.mark({ class: "wf-comment" }),
  definition: Decoration.mark({ class: "wf-definition" }),
  library: Decoration.mark({ class: "wf-library" }),
};

const loaded = StateEffect.define<null>();

class Colors {
  decorations: DecorationSet = Decoration.none;
  #words: readonly ColoredWord[] = [];
  #isOver = false;

  constructor(view: EditorView) {
    this.#read(view);
  }

  update(update: ViewUpdate): void {
    const isLoaded = update.transactions.some(({ effects }) => effects.some((one) => one.is(loaded)));
    if (update.docChanged || isLoaded) this.#read(update.view);
    else if (update.viewportChanged) this.decorations = seen(update.view, this.#words);
  }

  destroy(): void {
    this.#isOver = true;
  }

  #read(view: EditorView): void {
    const { doc } = view.state;
    const text = doc.length > MAX_READ_WHILE_TYPING ? "" : doc.toString();
    const isRead = text !== "" && isPython(text);
    if (isRead && !isLoaded())
      void loadPython().then(() => this.#isOver || view.dispatch({ effects: loaded.of(null) }));
    this.#words = isRead && isLoaded() ? coloredWords(text) : [];
    this.decorations = seen(view, this.#words);
  }
}

/** The words of the lines that are elements. */
function seen(view: EditorView, words: readonly ColoredWord[]): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    for (let at = firstAfter(words, from); at < words.length; at++) {
      const word = words[at] as ColoredWord;
      if (word.start >= to) break;
      const color = colorOf(word, view);
      if (color !== null) ranges.push(MARKS[color].range(word.start, word.end));
    }
  }
  return Decoration.set(ranges, true);
}

/** The first word that ends after a place. Words follow each other. */
function firstAfter(words: readonly ColoredWord[], place: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] as ColoredWord).end <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function colorOf({ kind, start, end }: ColoredWord, view: EditorView): Color | null {
  if (kind === "member") return null;
  if (kind !== "owner" && kind !== "name") return kind;
  return isLibrary(view.state.sliceDoc(start, end), kind) ? "library" : null;
}

function isLibrary(name: string, kind: "owner" | "name"): boolean {
  if (kind === "owner") return LIBRARY_SHAPE.modules.includes(name) || builtinCatalog.adapter(name) !== undefined;
  return builtins().has(name);
}

let names: ReadonlySet<string> | null = null;
function builtins(): ReadonlySet<string> {
  names ??= new Set(LIBRARY_SHAPE.builtins.map(({ name }) => name));
  return names;
}

export const colors = ViewPlugin.fromClass(Colors, { decorations: (plugin) => plugin.decorations });
