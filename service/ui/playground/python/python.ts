/** All that the page has of the Python form, in a chunk of its own, which the first text of that form loads. */

export { compilePython } from "../../../../compiler/python/compile.ts";
export { LIBRARY_SHAPE } from "../../../../compiler/python/library/shape.ts";
export { completePython } from "../../../../grammar/python/ahead/complete.ts";
export { indentationOf } from "../../../../grammar/python/ahead/indentation.ts";
export { coloredWords } from "../../../../grammar/python/lexing/colored.ts";
export { printPython } from "../../../../grammar/python/print/print.ts";
