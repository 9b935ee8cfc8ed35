/** What a refused request says of its members: each problem beside the field it is about, the others in a list. */
import type { Refused } from "../api.ts";

type Issue = { readonly path: string; readonly message: string };

function issuesOf(fault: Refused | null): readonly Issue[] {
  const issues = fault?.body["issues"];
  return Array.isArray(issues) ? issues.filter(isIssue) : [];
}

function isIssue(each: unknown): each is Issue {
  const { path, message } = (each ?? {}) as Partial<Issue>;
  return typeof path === "string" && typeof message === "string";
}

const textOf = ({ path, message }: Issue): string => (path === "" ? message : `${path}: ${message}`);

/** Problems that are said at once; the service names up to a hundred. */
const MAX_TEXTS = 3;

/** The first problems, each with its place. */
export function problemTexts(fault: Refused): readonly string[] {
  const issues = issuesOf(fault);
  const left = issues.length - MAX_TEXTS;
  return [...issues.slice(0, MAX_TEXTS).map(textOf), ...(left > 0 ? [`and ${left} more`] : [])];
}

const isBelow = (path: string, pointer: string): boolean => path === pointer || path.startsWith(`${pointer}/`);

/** Problems of the value at a JSON pointer, and of what is in it; null: there are none. */
export function problemAt(fault: Refused | null, pointer: string): string | null {
  const own = issuesOf(fault).filter(({ path }) => isBelow(path, pointer));
  const texts = own.map(({ path, message }) =>
    path === pointer ? message : `${path.slice(pointer.length)}: ${message}`,
  );
  return texts.length === 0 ? null : texts.join(", ");
}

/** By name, for the members of the object at a pointer. */
export function problemsIn(
  fault: Refused | null,
  pointer: string,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const all = names.map((name) => [name, problemAt(fault, `${pointer}/${name}`)] as const);
  return Object.fromEntries(all.filter((each): each is readonly [string, string] => each[1] !== null));
}

/** Those that are not beside one of the fields, which are named by their JSON pointers. */
export function OtherProblems({
  fault,
  fields,
}: {
  readonly fault: Refused | null;
  readonly fields: readonly string[];
}) {
  const others = issuesOf(fault).filter(({ path }) => !fields.some((pointer) => isBelow(path, pointer)));
  if (others.length === 0) return null;
  return (
    <ul class="bad" aria-label="Problems">
      {others.map((issue) => (
        <li key={issue.path}>{textOf(issue)}</li>
      ))}
    </ul>
  );
}
