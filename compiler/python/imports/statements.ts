/** Import statements of a file, wherever they stand. */
import type { Import, ImportFrom, Stmt } from "../../../grammar/python/tree.ts";

type Found = {
  readonly node: Import | ImportFrom;
  /** It stands at the top, and nothing there catches what it raises. */
  readonly isPlain: boolean;
};

/** In the order of the source. */
export function importsIn(body: readonly Stmt[], isPlain = true, found: Found[] = []): readonly Found[] {
  for (const node of body) {
    switch (node.kind) {
      case "Import":
      case "ImportFrom":
        found.push({ node, isPlain });
        break;
      case "FunctionDef":
        importsIn(node.body, false, found);
        break;
      case "If":
      case "For":
      case "While":
        importsIn(node.body, isPlain, found);
        importsIn(node.orelse, isPlain, found);
        break;
      case "With":
        importsIn(node.body, isPlain, found);
        break;
      case "Match":
        for (const one of node.cases) importsIn(one.body, isPlain, found);
        break;
      case "Try":
        importsIn(node.body, false, found);
        for (const one of node.handlers) importsIn(one.body, false, found);
        importsIn(node.orelse, false, found);
        importsIn(node.finalbody, false, found);
        break;
      default:
        break;
    }
  }
  return found;
}
