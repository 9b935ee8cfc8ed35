/** The example of docs/migration.md, word for word after this comment. `library.test.ts` compares and runs it. */
import { builtinCatalog, compile } from "../../index.ts";

export function meaningChanges(source: string): string[] {
  const { diagnostics } = compile(source, { catalog: builtinCatalog, strict: false, compat_notes: true });
  return diagnostics
    .filter(({ code }) => code === "WF9021")
    .map(({ span, message }) => `line ${span?.line}: ${message}`);
}
