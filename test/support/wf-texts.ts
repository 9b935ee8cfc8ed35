/** The texts of all programs in the documentation, the examples and the shared cases. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isPython } from "../../grammar/surface.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDERS = ["docs", "examples", "skills", "test/cases", "test/language", "benchmarks"];

export function programTexts(): readonly string[] {
  const texts = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).flatMap((path) =>
      textsIn(join(ROOT, folder, path)),
    ),
  );
  // The Python form has generators and completion of its own, once they are there.
  return [...new Set(texts)].filter((text) => !isPython(text));
}

function textsIn(path: string): readonly string[] {
  if (path.endsWith(".wf")) return [readFileSync(path, "utf8")];
  if (path.endsWith(".md"))
    return [...readFileSync(path, "utf8").matchAll(/```wf[^\n]*\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  if (!path.endsWith(".json")) return [];
  const read: unknown = JSON.parse(readFileSync(path, "utf8"));
  const cases = Array.isArray(read) ? read : ((read as { cases?: unknown } | null)?.cases ?? []);
  return Array.isArray(cases) ? cases.flatMap(({ source }) => (typeof source === "string" ? [source] : [])) : [];
}
