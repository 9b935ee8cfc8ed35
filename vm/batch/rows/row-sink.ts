/** Takes results and makes rows of them: as bytes, with what they come to. */
import { documentText, heldOutText } from "../../inputs/exact-text.ts";
import { TextBytes } from "../../memory/text-bytes.ts";
import type { Usage } from "../../run.ts";
import { thousandths } from "../../values/durations.ts";
import { lineSafe } from "../../values/json-line.ts";
import { type BatchResult, successLine } from "../result.ts";
import type { ResultSink } from "../run-groups.ts";
import { UsageTotals } from "../usage-totals.ts";
import {
  MAX_ROW_WARNINGS,
  MAX_SHOWN_FAILURES,
  type RowFailure,
  type Rows,
  type RowsPart,
  type RowWatch,
} from "./rows-part.ts";

/** Bytes of one part, as far as more rows are at hand. */
const PART_BYTES = 64 * 1024;

const LEAN_START = '{"ok":true,"out":';
const LEAN_END = "}\n";

export class RowSink implements ResultSink<RowsPart> {
  readonly rows: Rows;
  readonly out = new TextBytes();
  #count = 0;
  #failed = 0;
  #failures: RowFailure[] = [];
  #warnings = new Set<string>();
  #usage = new UsageTotals();
  readonly #watch: RowWatch | null;
  /** A row is missing: without an index, the next ones would be taken for those of other frames. */
  #isCut = false;

  constructor(rows: Rows, watch: RowWatch | null = null) {
    this.rows = rows;
    this.#watch = watch;
  }

  get isFull(): boolean {
    return this.out.at >= PART_BYTES;
  }

  gap(): void {
    this.#isCut = this.rows !== "full";
  }

  /** Before the value of a result is written to `out`; true when that may be done. */
  begins(): boolean {
    if (this.#isCut || this.rows === "full") return false;
    if (this.rows === "lean") this.out.ascii(LEAN_START);
    return true;
  }

  /** After that: false, and the value that begins at `start` is not to be written, because it is too large. */
  ends(start: number, usage: Usage, startedAt: number, endedAt: number): boolean {
    if (!this.#ran(this.out.at - start, startedAt, endedAt)) return false;
    this.out.ascii(this.rows === "lean" ? LEAN_END : "\n");
    this.#count += 1;
    this.#usage.add(usage);
    return true;
  }

  /** Of a run whose value was written as `out`, in full; false as above. */
  full(index: number, out: string, usage: Usage, startedAt: number, endedAt: number): boolean {
    if (!this.#ran(out.length, startedAt, endedAt)) return false;
    this.out.text(`${lineSafe(successLine(index, out, usage, thousandths(endedAt - startedAt)))}\n`);
    this.#count += 1;
    this.#usage.add(usage);
    return true;
  }

  #ran(size: number, startedAt: number, endedAt: number): boolean {
    const watch = this.#watch;
    if (watch === null) return true;
    if (size > watch.maxBytes) return false;
    watch.ran(startedAt, endedAt);
    return true;
  }

  deliver(given: BatchResult): void {
    if (this.#isCut) return;
    const result = this.#watch === null ? given : this.#watch.shown(given);
    this.#count += 1;
    if ("usage" in result) this.#usage.add(result.usage);
    if (this.rows !== "full" && "warnings" in result) for (const one of result.warnings ?? []) this.warn(one);
    this.#line(result);
    if (result.ok) return;
    this.#failed += 1;
    const { index, error, message } = result;
    if (this.#failures.length < MAX_SHOWN_FAILURES) this.#failures.push({ index, error, message });
  }

  warn(warning: string): void {
    if (this.#warnings.size < MAX_ROW_WARNINGS) this.#warnings.add(warning);
  }

  take(isIdle: boolean): RowsPart | null {
    if (this.#count === 0 || !(isIdle || this.isFull)) return null;
    const part: RowsPart = {
      bytes: this.out.take(),
      count: this.#count,
      failed: this.#failed,
      failures: this.#failures,
      usage: this.#usage.usage,
      warnings: [...this.#warnings],
    };
    this.#count = this.#failed = 0;
    this.#failures = [];
    this.#usage = new UsageTotals();
    this.#warnings = new Set();
    return part;
  }

  #line(result: BatchResult): void {
    const start = this.out.at;
    try {
      this.out.text(`${lineSafe(rowText(result, this.rows))}\n`);
    } catch (cause) {
      // A value may hold one part so often that its text is longer than any text can be.
      if (!(cause instanceof RangeError)) throw cause;
      this.out.at = start;
      const message = "the result is too large to write";
      this.out.text(`${JSON.stringify({ index: result.index, ok: false, error: "result_too_large", message })}\n`);
    }
  }
}

function rowText(result: BatchResult, rows: Rows): string {
  if (rows === "full" || !result.ok) return documentText(result);
  const out = heldOutText(result) ?? JSON.stringify(result.out);
  return rows === "out" ? out : `${LEAN_START}${out}}`;
}
