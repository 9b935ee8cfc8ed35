/** Path templates of endpoints that are served: whole segments, each a literal or a parameter `{name}`. */

export type Segment = { readonly literal: string } | { readonly parameter: string };
export type ReadTemplate =
  | { readonly ok: true; readonly segments: readonly Segment[] }
  | { readonly ok: false; readonly message: string };

const PARAMETER = /^\{([A-Za-z_][A-Za-z0-9_]{0,63})\}$/;
const MAX_LENGTH = 1024;
const MAX_SEGMENTS = 64;

/** Literals are unescaped: `%20` in a template is a space. */
export function readTemplate(written: string): ReadTemplate {
  const path = written.startsWith("/") ? written : `/${written}`;
  if (path.length > MAX_LENGTH) return { ok: false, message: `a path has at most ${MAX_LENGTH} characters` };
  if (/[?#\\]/.test(path)) return { ok: false, message: "a path has no ?, # or backslash" };
  const parts = path === "/" ? [] : path.slice(1).split("/");
  if (parts.length > MAX_SEGMENTS) return { ok: false, message: `a path has at most ${MAX_SEGMENTS} segments` };
  const segments: Segment[] = [];
  const names = new Set<string>();
  for (const [at, part] of parts.entries()) {
    if (part === "." || part === "..") return { ok: false, message: "a path has no segments . and .." };
    if (part === "" && at < parts.length - 1) return { ok: false, message: "a path has no empty segments" };
    if (!/[{}]/.test(part)) {
      const literal = unescaped(part);
      if (literal === null) return { ok: false, message: "a % in a path must begin an escape such as %20" };
      segments.push({ literal });
      continue;
    }
    const name = PARAMETER.exec(part)?.[1];
    if (name === undefined) return { ok: false, message: "a parameter is a whole segment such as {id}" };
    if (names.has(name)) return { ok: false, message: `the parameter {${name}} is there twice` };
    names.add(name);
    segments.push({ parameter: name });
  }
  return { ok: true, segments };
}

/** Segments of the path of a request, unescaped; null: it cannot be read. */
export function segmentsOf(path: string): readonly string[] | null {
  if (path === "/" || path === "") return [];
  const segments = path.slice(1).split("/").map(unescaped);
  return segments.includes(null) ? null : (segments as readonly string[]);
}

function unescaped(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
