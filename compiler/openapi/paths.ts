/**
 * Paths of endpoints as OpenAPI wants them: from `/` on, with characters of a URL, each `{name}` once and a parameter. Braces that
 * enclose no name are ordinary characters.
 */

export type PathTemplate = {
  readonly path: string;
  /** Names in braces, in their order. */
  readonly parameters: readonly string[];
  /** The same for paths that differ in these names only. */
  readonly shape: string;
};

const PARAMETER = /\{([^{}/?#]+)\}/g;

export function pathTemplate(written: string): PathTemplate {
  const text = written.toWellFormed();
  const parameters = new Set<string>();
  let path = text.startsWith("/") ? "" : "/";
  let shape = path;
  let done = 0;
  for (const found of text.matchAll(PARAMETER)) {
    const name = found[1] ?? "";
    if (parameters.has(name)) continue;
    const before = urlText(text.slice(done, found.index));
    parameters.add(name);
    path += `${before}{${name}}`;
    shape += `${before}{}`;
    done = found.index + found[0].length;
  }
  const rest = urlText(text.slice(done));
  return { path: path + rest, parameters: [...parameters], shape: shape + rest };
}

/** Where paths begin; null: at the root. */
export function serverUrl(written: string): string | null {
  const text = urlText(written.toWellFormed());
  const whole = /^https?:\/\//.test(text) || text.startsWith("/") ? text : `/${text}`;
  let end = whole.length;
  while (whole.endsWith("/", end)) end -= 1;
  return end === 0 ? null : whole.slice(0, end);
}

/** Escapes that are there already stay as they are. */
function urlText(text: string): string {
  return encodeURI(text)
    .replace(/%25([0-9A-Fa-f]{2})/g, "%$1")
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
}
