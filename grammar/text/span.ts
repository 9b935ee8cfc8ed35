/**
 * Where something stands in a source text. Lines and columns are 1-based, ends exclusive; `start` and `end` are 0-based
 * offsets. All of them count UTF-16 code units of the text as given.
 * `file` is null for the main source and the path as written for included files.
 */
export type Span = {
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
  readonly start: number;
  readonly end: number;
};

/** The span from the start of `first` to the end of `last`; both must be of one file. */
export function spanOver(first: Span, last: Span): Span {
  const { file, line, column, start } = first;
  const { end_line, end_column, end } = last;
  return { file, line, column, end_line, end_column, start, end };
}

/** The span from the start of `first` to the start of `last`; both must be of one file. */
export function spanUpTo(first: Span, last: Span): Span {
  return { ...first, end_line: last.line, end_column: last.column, end: last.start };
}

/** The empty span at the end of `span`: where something missing would be inserted. */
export function spanAfter(span: Span): Span {
  return { ...span, line: span.end_line, column: span.end_column, start: span.end };
}

/** The empty span at the start of `span`. */
export function spanBefore(span: Span): Span {
  return { ...span, end_line: span.line, end_column: span.column, end: span.start };
}
