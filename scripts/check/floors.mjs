/**
 * Import directions (`.dependency-cruiser.cjs` holds the rules). A cruiser that sees no modules finds no faults either, so
 * this check also compares the modules it saw with the files on disk.
 */
import { execute, FLOORS, filesBelow } from "./tools.mjs";

export async function checkFloors() {
  const folders = [...FLOORS, "test", "benchmarks"].filter((folder) => filesBelow(folder, [".ts"]).length > 0);
  const { code, stdout, stderr } = await execute("dependency-cruiser", "bin/dependency-cruise.mjs", [
    "--config",
    ".dependency-cruiser.cjs",
    "--output-type",
    "json",
    ...folders,
  ]);
  if (stdout === "") throw new Error(`dependency-cruiser printed nothing (exit ${code}): ${stderr}`);
  const { modules, summary } = JSON.parse(stdout);
  const seen = new Set(modules.map((module) => module.source));
  const details = [];
  for (const folder of folders) {
    const unseen = filesBelow(folder, [".ts"]).filter((path) => !seen.has(path));
    if (unseen.length > 0)
      details.push(`${folder}: ${unseen.length} files were not looked at, for example ${unseen[0]}`);
  }
  for (const violation of summary.violations) {
    const path = violation.cycle?.map((step) => step.name).join(" -> ") ?? violation.to;
    details.push(`${violation.rule.name}: ${violation.from} -> ${path}`);
  }
  const unresolved = modules.flatMap((module) =>
    module.dependencies
      .filter((dependency) => dependency.couldNotResolve)
      .map((dependency) => `${module.source}: cannot resolve ${dependency.module}`),
  );
  details.push(...unresolved);
  return { ok: details.length === 0, note: `${seen.size} modules`, details: details.join("\n") };
}
