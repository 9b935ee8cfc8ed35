/** Folders hold at most 15 source files, except those named in `scripts/folder-sizes.json` with a bound and a reason. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FLOORS, filesBelow, root } from "./tools.mjs";

const MAX_FILES = 15;

export function checkFolders() {
  const exceptions = JSON.parse(readFileSync(join(root, "scripts", "folder-sizes.json"), "utf8"));
  const counts = new Map();
  for (const path of FLOORS.flatMap((floor) => filesBelow(floor, [".ts", ".tsx"]))) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  const failures = [];
  for (const [folder, count] of counts) {
    const max = exceptions[folder]?.max ?? MAX_FILES;
    if (count > max) failures.push(`${folder} holds ${count} files (maximum ${max}); group them by concept`);
  }
  for (const [folder, { max, reason = "" }] of Object.entries(exceptions)) {
    if (reason.length < 10) failures.push(`scripts/folder-sizes.json: ${folder} needs a reason`);
    if ((counts.get(folder) ?? 0) <= MAX_FILES)
      failures.push(`scripts/folder-sizes.json: ${folder} needs no exception`);
    if (max > MAX_FILES + 3)
      failures.push(`scripts/folder-sizes.json: ${folder} allows more than ${MAX_FILES + 3} files`);
  }
  return { ok: failures.length === 0, note: `${counts.size} folders`, details: failures.join("\n") };
}
