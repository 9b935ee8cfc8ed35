/** The pages of the documentation, as paths in `docs/`. What the site is built with has pages of its own. */
import { readdirSync } from "node:fs";

export const PAGES = readdirSync(new URL("../../docs", import.meta.url), { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".md") && !name.startsWith("node_modules/"),
);
