/** Record types that `D` lines declare: fields with their types as written (`I`, `A[Item]`, `S?`). */
import type { IrDeclaration } from "./graph.ts";

/** By type and by field. */
export type RecordTypes = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A type that is declared again gets further fields; the first declaration of a field counts. */
export function readRecordTypes(declarations: readonly IrDeclaration[]): RecordTypes {
  const types = new Map<string, Map<string, string>>();
  for (const { op, slots } of declarations) {
    const [type, ...fields] = slots;
    if (op !== "D" || type === undefined) continue;
    const known = types.get(type) ?? new Map<string, string>();
    types.set(type, known);
    for (const field of fields) {
      const colon = field.indexOf(":");
      const name = field.slice(0, colon).toWellFormed();
      if (colon > 0 && !known.has(name)) known.set(name, field.slice(colon + 1).trim());
    }
  }
  return types;
}
