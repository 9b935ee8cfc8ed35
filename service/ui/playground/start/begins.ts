/** What the page begins with when its address says so: a program in the link, a version of a deployment, the input of a job. */
import { get } from "../../api.ts";
import type { JobFrame, ProgramVersion } from "../../data.ts";
import { place } from "../../router.ts";
import { linkedProgram } from "./link.ts";

/** `note`: what the reader should know of it. `problem`: why the link gives nothing. */
export type Begun = { readonly code: string | null; readonly note: string | null; readonly problem: string | null };

const NOTHING: Begun = { code: null, note: null, problem: null };

/** What a link holds. Links may be pasted into the address of a page on which something was written. */
export function begunByLink(): Begun {
  const linked = linkedProgram(location.hash);
  if (linked.kind === "none") return NOTHING;
  if (linked.kind === "unreadable") return { ...NOTHING, problem: linked.why };
  const note =
    "This program came with the link. Nothing of it was sent or run; Ctrl+Z brings back what was here before.";
  return { ...NOTHING, code: linked.code, note };
}

/** The version of a program that the address names. */
export async function deployedProgram(): Promise<string | null> {
  const { query } = place.value;
  const [name, version] = [query.get("program"), query.get("version")];
  if (name === null || version === null) return null;
  const path = `/programs/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
  return get<ProgramVersion>(path).then(
    ({ code }) => code ?? null,
    () => null,
  );
}

/** The variables with which the job began that the address names. */
export async function inputOfJob(): Promise<object | null> {
  const id = place.value.query.get("job");
  if (id === null) return null;
  return get<JobFrame>(`/result/${encodeURIComponent(id)}/frame?values=1`).then(
    ({ frame, shown }) => (shown === "values" ? frame : null),
    () => null,
  );
}
