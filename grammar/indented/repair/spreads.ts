/** Texts of values that other languages write with marks: spreads, `%` after a text, templates in backticks. */
import { grouped } from "./arguments.ts";

type Part = readonly [number, number];

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

/** `[*xs, 4]` → `xs + [4]` */
export function joinedLists(
  parts: readonly Part[],
  spread: readonly number[],
  read: (from: number, to: number) => string,
): string {
  const lists: string[] = [];
  let items: string[] = [];
  const flush = (): void => {
    if (items.length > 0) lists.push(`[${items.join(", ")}]`);
    items = [];
  };
  parts.forEach(([from, to], at) => {
    const text = read(from, to);
    if (spread[at] === 0) items.push(text);
    else {
      flush();
      lists.push(grouped(text.slice(spread[at]).trimStart()));
    }
  });
  flush();
  return lists.length === 1 ? `${lists[0]}` : `(${lists.join(" + ")})`;
}

/** `{**d, "c": 3}` → `merge(d, {"c": 3})` */
export function mergedMaps(
  parts: readonly Part[],
  spread: readonly number[],
  read: (from: number, to: number) => string,
): string {
  const maps: string[] = [];
  let entries: string[] = [];
  const flush = (): void => {
    if (entries.length > 0) maps.push(`{${entries.join(", ")}}`);
    entries = [];
  };
  parts.forEach(([from, to], at) => {
    const text = read(from, to);
    if (spread[at] === 0) entries.push(text);
    else {
      flush();
      maps.push(text.slice(spread[at]).trimStart());
    }
  });
  flush();
  return `merge(${maps.join(", ")})`;
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
