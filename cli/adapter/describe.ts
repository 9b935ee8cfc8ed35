/** `wf adapter docs` and `wf adapter schema`: a definition as a page for people and as schemas for programs. */
import { adapterPage, filledPage } from "../../adapters/describe/page.ts";
import { adapterSchemas } from "../../adapters/describe/schemas.ts";
import { writeAtomically } from "../input/files.ts";
import { readTextFile } from "../input/input.ts";
import { jsonIndented } from "../output/terminal/json.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { definitionOf } from "./plugin.ts";

const MAX_PAGE_BYTES = 1024 * 1024;

/** `fill`: a page whose tables are written anew; with `check` it is only compared. */
export async function printDocs(
  session: Session,
  given: string,
  { fill, check }: { readonly fill: string | undefined; readonly check: boolean },
): Promise<number> {
  const { screen, cwd } = session;
  const definition = await definitionOf(session, given);
  if (fill === undefined) {
    const page = adapterPage(definition);
    if (screen.json) screen.document({ ok: true, page });
    else screen.text(page);
    return EXIT.success;
  }
  const page = readTextFile(cwd, fill, MAX_PAGE_BYTES);
  const filled = filledPage(page, definition);
  if (!filled.ok) throw new CliFault(`${fill}: ${filled.problem}`, { error: "invalid_page", exitCode: EXIT.usage });
  const stale = filled.text !== page;
  if (stale && !check) writeAtomically(cwd, fill, filled.text);
  if (screen.json) screen.document({ ok: !(stale && check), file: fill, changed: stale && !check, stale });
  else screen.note(`${fill} ${stale ? (check ? "is out of date" : "written") : "is up to date"}`);
  return stale && check ? EXIT.failed : EXIT.success;
}

export async function printSchema(session: Session, given: string): Promise<number> {
  const { screen } = session;
  const schemas = adapterSchemas(await definitionOf(session, given));
  if (screen.json) screen.document(schemas);
  else screen.out(`${jsonIndented(schemas)}\n`);
  return EXIT.success;
}
