/** What a program wants in its frame: what its comments declare, then what it reads and never sets. */
import type { UndeclaredRead } from "../compiler/options.ts";
import { parse } from "../grammar/parse.ts";

export type FrameHint = { readonly name: string; readonly type: string; readonly source: "comment" | "inferred" };

export function frameHints(code: string, undeclared: readonly UndeclaredRead[]): readonly FrameHint[] {
  const hints = new Map<string, FrameHint>();
  for (const { name, type } of parse(code).inputs) hints.set(name, { name, type, source: "comment" });
  for (const { name } of undeclared) if (!hints.has(name)) hints.set(name, { name, type: "any", source: "inferred" });
  return [...hints.values()];
}
