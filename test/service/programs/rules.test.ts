/** Every rule of the design of deployments has a test that names it: deployments (P), endpoints (E), schedules (K), inputs (I). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const RULES = { P: 8, E: 7, K: 9, I: 4 } as const;
const FOLDERS = ["service", "surfaces", "cli"];
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

it("names each rule in the title of a test", () => {
  const titles = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) => readFileSync(join(ROOT, folder, path), "utf8").split("\n"))
      .filter((line) => /["'`].*\b[PEKI]-\d.*["'`]/.test(line)),
  ).join("\n");
  const wanted = Object.entries(RULES).flatMap(([area, count]) =>
    Array.from({ length: count }, (_, at) => `${area}-${at + 1}`),
  );
  expect(wanted.filter((rule) => !new RegExp(`\\b${rule}\\b`).test(titles))).toEqual([]);
});
