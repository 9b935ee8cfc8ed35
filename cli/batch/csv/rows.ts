/**
 * Rows of CSV from a stream of bytes, in memory bounded by the longest row. csv-parse reads them by RFC 4180; lines end in LF, CRLF or
 * CR. A row that breaks the rules is read again as one line, where quotes may stand anywhere, and reading continues on the next
 * line: no line is ever taken into the row of a stray quote, so every row is a row or a fault of its own.
 */
import { isUtf8 } from "node:buffer";
import { CsvError, type Info, type Options, parse } from "csv-parse/sync";
import { isUtf16 } from "../../../grammar/text/text-bytes.ts";
import { usageFault } from "../../session/faults.ts";

/** `line`: where the row begins. `fault`: why it has no values, as the end of a sentence about the line. */
export type Row = { readonly line: number } & ({ readonly values: readonly string[] } | { readonly fault: string });

const CR = 13;
const LF = 10;
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");
/** Bytes that tell UTF-8 from UTF-16. */
const MARK_BYTES = 4;
/** Less than this is read anew for every block, so that a row of a slow writer is not kept waiting. */
const SMALL_BYTES = 64 * 1024;
const NOT_UTF8 = "is not UTF-8";

/** Rows that contain at least one character. `maxRowBytes`: a longer row is a fault. Throws CliFault for UTF-16. */
export class RowReader {
  readonly #maxRowBytes: number;
  /** What is not read yet; it begins with a row. */
  #rest: Uint8Array = new Uint8Array(0);
  /** Blocks that came since `#rest` was last looked at, and the number of bytes at which it pays to look again. */
  #blocks: Uint8Array[] = [];
  #waiting = 0;
  #enough = 0;
  /** Inside a line that is too long: its bytes are dropped until it ends. */
  #dropping = false;
  #line = 1;
  #begun = false;

  constructor(maxRowBytes: number) {
    this.#maxRowBytes = maxRowBytes;
  }

  *read(block: Uint8Array): Generator<Row, void> {
    this.#blocks.push(block);
    this.#waiting += block.length;
    if (this.#waiting >= this.#enough) yield* this.#rows(false);
  }

  *end(): Generator<Row, void> {
    yield* this.#rows(true);
  }

  *#rows(atEnd: boolean): Generator<Row, void> {
    this.#rest = Buffer.concat([this.#rest, ...this.#blocks]);
    this.#blocks = [];
    this.#waiting = 0;
    if (!this.#begun && !this.#begin(atEnd)) return;
    if (this.#dropping) this.#dropLine();
    while (!this.#dropping) {
      this.#skipEmptyLines(atEnd);
      const found = strictRows(this.#rest, atEnd);
      const long = (yield* this.#take(found.rows, atEnd)) || this.#rest.length > this.#maxRowBytes;
      if (!long && !found.broken) break;
      if (!(yield* this.#oneLine(atEnd, long && !found.broken))) break;
    }
    // A long row is looked at again only once it has doubled, so that reading it takes linear time.
    this.#enough = this.#rest.length < SMALL_BYTES ? 0 : this.#rest.length;
  }

  /** Passes the byte order mark. False: too little has come to know. */
  #begin(atEnd: boolean): boolean {
    if (this.#rest.length < MARK_BYTES && !atEnd) return false;
    this.#begun = true;
    if (isUtf16(this.#rest)) throw usageFault("the CSV is UTF-16 text, not UTF-8: save it as UTF-8");
    if (BYTE_ORDER_MARK.equals(this.#rest.subarray(0, BYTE_ORDER_MARK.length)))
      this.#rest = this.#rest.subarray(BYTE_ORDER_MARK.length);
    return true;
  }

  /** Returns true when it stopped at a row that is too long. Empty lines after the rows are passed. */
  *#take(rows: readonly FoundRow[], atEnd: boolean): Generator<Row, boolean> {
    const bytes = this.#rest;
    const clean = isUtf8(bytes.subarray(0, rows.at(-1)?.end ?? 0));
    let start = 0;
    for (const { values, end } of rows) {
      const row = bytes.subarray(start, end);
      // Empty lines before the row count as lines, not as part of it.
      const first = skippedLines(row);
      const line = this.#line + first.lines;
      if (row.length - first.bytes > this.#maxRowBytes) {
        this.#line = line;
        this.#rest = bytes.subarray(start + first.bytes);
        return true;
      }
      start = end;
      this.#line = line + linesIn(row.subarray(first.bytes));
      yield !clean && !isUtf8(row) ? { line, fault: NOT_UTF8 } : { line, values };
    }
    this.#rest = bytes.subarray(start);
    this.#skipEmptyLines(atEnd);
    return false;
  }

  /**
   * The row that begins `#rest` breaks a rule, or is too long: its first line becomes a row, if it can be one, or a fault. Returns false
   * when the line has not come whole.
   */
  *#oneLine(atEnd: boolean, long: boolean): Generator<Row, boolean> {
    const line = this.#line;
    const end = endOfLine(this.#rest);
    if (end === null && !atEnd) {
      if (this.#rest.length <= this.#maxRowBytes) return false;
      this.#rest = new Uint8Array(0);
      this.#dropping = true;
      yield { line, fault: this.#tooLong() };
      return true;
    }
    const bytes = this.#rest.subarray(0, end ?? this.#rest.length);
    this.#rest = this.#rest.subarray(bytes.length);
    this.#line += 1;
    if (bytes.length > this.#maxRowBytes) yield { line, fault: this.#tooLong() };
    else if (!isUtf8(bytes)) yield { line, fault: NOT_UTF8 };
    else
      yield { line, ...(relaxedRow(bytes) ?? { fault: long ? this.#tooLong() : "opens a quote that is not closed" }) };
    return true;
  }

  #dropLine(): void {
    const end = endOfLine(this.#rest);
    this.#rest = this.#rest.subarray(end ?? this.#rest.length);
    if (end === null) return;
    this.#dropping = false;
    this.#line += 1;
  }

  #skipEmptyLines(atEnd: boolean): void {
    // A CR that came last may be half of a line end.
    const whole = !atEnd && this.#rest.at(-1) === CR ? this.#rest.subarray(0, -1) : this.#rest;
    const { bytes, lines } = skippedLines(whole);
    this.#rest = this.#rest.subarray(bytes);
    this.#line += lines;
  }

  #tooLong(): string {
    return `begins a row longer than ${this.#maxRowBytes} bytes`;
  }
}

type FoundRow = { readonly values: readonly string[] /** Offset of the byte after it. */; readonly end: number };
type Found = {
  readonly rows: readonly FoundRow[];
  /** The row after them breaks a rule. */
  readonly broken: boolean;
};

const OPTIONS: Options = {
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_column_count: true,
  skip_empty_lines: true,
};

function strictRows(bytes: Uint8Array, atEnd: boolean): Found {
  const rows: FoundRow[] = [];
  const last = bytes.length - 1;
  const take = (values: string[], { bytes: end }: Info): null => {
    // A row without a line end, or with half of one, may continue in the next block.
    if (atEnd || bytes[end - 1] === LF || (bytes[end - 1] === CR && end - 1 < last)) rows.push({ values, end });
    return null;
  };
  try {
    parse(bytes, { ...OPTIONS, on_record: take });
    return { rows, broken: false };
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    return { rows, broken: atEnd || cause.code !== "CSV_QUOTE_NOT_CLOSED" };
  }
}

/** One line by itself, null when its quotes stay open: quotes inside an unquoted value, and characters after a closing quote, are kept as they are. */
function relaxedRow(line: Uint8Array): { readonly values: readonly string[] } | null {
  try {
    const [values] = parse(line, { ...OPTIONS, relax_quotes: true });
    if (values !== undefined) return { values };
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
  }
  return null;
}

/** Offset of the byte after the first line end, or null. A CR that is the last byte may be half of a line end. */
function endOfLine(bytes: Uint8Array): number | null {
  const lf = bytes.indexOf(LF);
  const cr = (lf < 0 ? bytes : bytes.subarray(0, lf)).indexOf(CR);
  if (cr < 0) return lf < 0 ? null : lf + 1;
  if (cr === bytes.length - 1) return null;
  return bytes[cr + 1] === LF ? cr + 2 : cr + 1;
}

function skippedLines(bytes: Uint8Array): { readonly bytes: number; readonly lines: number } {
  let end = 0;
  while (bytes[end] === LF || bytes[end] === CR) end += 1;
  return { bytes: end, lines: linesIn(bytes.subarray(0, end)) };
}

/** Line ends: LF, CRLF, and CR alone. */
function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines += 1;
  for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) if (bytes[at + 1] !== LF) lines += 1;
  return lines;
}
