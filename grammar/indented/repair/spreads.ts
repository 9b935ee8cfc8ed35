/** Texts of values that other languages write with marks: spreads, `%` after a text, templates in backticks. */
/** `"%s: %.2f" % (a, b)` as a call of `format`; null where a mark has no equivalent. */
export function templateOfMarks(text: string, values: string): string | null {
  const marks = text.match(/%(?:%|[^%]*?[a-zA-Z])/g) ?? [];
  if (/[{}]/.test(text) || marks.some((mark) => !/^%(?:%|s|d|i|[-+0]?[0-9]*(?:\.[0-9]+)?[df])$/.test(mark)))
    return null;
  const count = marks.filter((mark) => mark !== "%%").length;
  const isTuple = /^\[.*\]$/s.test(values);
  if (count === 0 || (count > 1 && !isTuple)) return null;
  const template = text.replace(/%(?:%|([-+0]?[0-9]*(?:\.[0-9]+)?)([a-z]))/g, (mark, form = "", kind = "") => {
    if (mark === "%%") return "%";
    const spec =
      kind === "f" ? `${form.includes(".") ? form : `${form}.6`}f` : kind === "s" || form === "" ? "" : `${form}d`;
    return spec === "" ? "{}" : `{:${spec}}`;
  });
  return `format(${template}, ${isTuple ? values.slice(1, -1) : values})`;
}

/** The parts of `[*xs, 4, 5]` or `{**d, "c": 3}`: what is spread, and what stands between that, put together by `wrap`. */
export function withSpreads(
  texts: readonly string[],
  spread: readonly number[],
  wrap: (parts: string) => string,
  alone: (spread: string) => string = (text) => text,
): readonly string[] {
  const made: string[] = [];
  let parts: string[] = [];
  const flush = (): void => {
    if (parts.length > 0) made.push(wrap(parts.join(", ")));
    parts = [];
  };
  for (const [at, text] of texts.entries()) {
    if (spread[at] === 0) parts.push(text);
    else {
      flush();
      made.push(alone(text.slice(spread[at]).trimStart()));
    }
  }
  flush();
  return made;
}

/** A template of JavaScript, whose backtick stands at `from`, as one of this form, and where it ends; null where there is not a template, or it has what this form cannot say. */
export function templateAt(source: string, from: number): { readonly text: string; readonly end: number } | null {
  const [whole, inner = ""] = /^`([^`"\\\n]*)`/.exec(source.slice(from, from + MAX_TEMPLATE)) ?? [];
  if (whole === undefined) return null;
  const text = inner.replace(/\$\{([^{}]*)\}|[{}]/g, (found, value: string | undefined) =>
    value === undefined ? found + found : `{${value}}`,
  );
  return { text: inner.includes("${") ? `f"${text}"` : `"${inner}"`, end: from + whole.length };
}

const MAX_TEMPLATE = 1000;
