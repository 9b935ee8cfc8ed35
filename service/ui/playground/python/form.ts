/**
 * What the page's compiler imports in place of the Python form (`scripts/build.mjs`): the same functions, once `loadPython` has loaded them. They are
 * a chunk of their own, because a page that shows a program's report or graph needs none of them.
 */
type Python = typeof import("./python.ts");

let python: Python | null = null;

/** Before anything here is called. */
export async function loadPython(): Promise<void> {
  python ??= await import("./python.ts");
}

/** What follows a key that is pressed does not wait. */
export const isLoaded = (): boolean => python !== null;

function loaded(): Python {
  if (python === null) throw new Error("the Python form is not loaded");
  return python;
}

export const compilePython: Python["compilePython"] = (...given) => loaded().compilePython(...given);
export const completePython: Python["completePython"] = (...given) => loaded().completePython(...given);
export const indentationOf: Python["indentationOf"] = (...given) => loaded().indentationOf(...given);
export const coloredWords: Python["coloredWords"] = (...given) => loaded().coloredWords(...given);
export const printPython: Python["printPython"] = (...given) => loaded().printPython(...given);
export const LIBRARY_SHAPE: Python["LIBRARY_SHAPE"] = {
  get modules() {
    return loaded().LIBRARY_SHAPE.modules;
  },
  get builtins() {
    return loaded().LIBRARY_SHAPE.builtins;
  },
  under: (owner) => loaded().LIBRARY_SHAPE.under(owner),
};
