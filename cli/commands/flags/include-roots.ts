/** Folders in which includes are looked up: those of `--include-root`, then those of the project's wf.config.json. */
import { projectConfig } from "../../grant/project-config.ts";
import type { Session } from "../../session/session.ts";

/** For commands that compile a program without a grant. `file`: the program as the user named it, or its path; null is standard input. */
export function includeRootsFor(
  { cwd }: Pick<Session, "cwd">,
  file: string | null | undefined,
  given: readonly string[] | undefined,
): readonly string[] {
  return [...(given ?? []), ...(projectConfig(cwd, file, undefined)?.includeRoots ?? [])];
}
