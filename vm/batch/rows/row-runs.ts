/**
 * Runs of a program in Python whose frames are rows of text: the row is read as far as the program takes it, its values go to the program as they are, and the
 * result comes back as text. A row that is not what nearly all rows are is left to those who make a frame of it.
 */
import type { Json } from "../../../compiler/json.ts";
import type { RowInputs } from "../../inputs/check-inputs.ts";
import { usageOf } from "../../machine/outcome.ts";
import { exactSize } from "../../memory/accounting.ts";
import type { TextBytes } from "../../memory/text-bytes.ts";
import { PyFloat } from "../../python/kinds/float.ts";
import { floatText } from "../../python/operators/floats.ts";
import type { Cancellation, Usage } from "../../run.ts";
import { driveOn, firstSlice, isOver, type Turn } from "../../runs/driver.ts";
import type { MachinePool } from "../../runs/machine-pool.ts";
import { thousandths } from "../../values/durations.ts";
import { unsetSize } from "../../values/json-size.ts";
import { type FrameEnd, FrameOptions, type SharedOptions } from "../frame-options.ts";
import { type BatchResult, frameResult } from "../result.ts";
import { RowReader } from "./row-reader.ts";

/** Longer rows are frames: runs that hold much are counted together. */
const MOST_UNITS = 8192;
const NO_WARNINGS: readonly string[] = [];
const NO_FRAME = Object.freeze({});

type RowRunsDeps = {
  readonly turn: Turn;
  readonly shared: SharedOptions;
  readonly pool: MachinePool;
  readonly inputs: RowInputs;
  /** Frames are looked at before they run. */
  readonly isChecked: boolean;
  readonly endOf: (m: ReturnType<MachinePool["take"]>, startedAt: number) => FrameEnd;
};

export class RowRuns {
  startedAt = 0;
  endedAt = 0;
  readonly #deps: RowRunsDeps;
  readonly #reader: RowReader;
  readonly #given: { readonly names: readonly string[]; values: readonly unknown[] };
  readonly #keyBytes: readonly number[];
  #told = 0;
  #options: FrameOptions;
  #usage: Usage | null = null;

  constructor(deps: RowRunsDeps) {
    const { names } = deps.inputs;
    this.#deps = deps;
    this.#reader = new RowReader(names, true);
    this.#given = { names, values: this.#reader.values };
    this.#keyBytes = names.map((name) => -unsetSize(name));
    this.#options = new FrameOptions(deps.shared);
  }

  /** About members that the program does not take: each name once, of many the first ones. */
  warnings(): readonly string[] {
    const { passed } = this.#reader;
    if (passed.size === this.#told) return NO_WARNINGS;
    const { inputs, isChecked } = this.#deps;
    const news = [...passed].slice(this.#told);
    this.#told = passed.size;
    return isChecked ? inputs.unknown(news) : NO_WARNINGS;
  }

  /** Where the line ends that begins at `start`; -1: it is a row for others. `run` comes next. `isWhole`: it may have nothing that the program does not take. */
  read(text: string, start: number, isWhole: boolean): number {
    const { inputs, isChecked } = this.#deps;
    const end = this.#reader.read(text, start);
    if (end < 0 || end - start > MOST_UNITS || (isWhole && this.#reader.hasPassed)) return -1;
    return !isChecked || inputs.fits(this.#reader.plain()) ? end : -1;
  }

  /** Runs with the row that was read; null: it has ended well, and its result is in `out`. Else nothing is. */
  run(
    out: TextBytes,
    batch: string,
    index: number,
    since: number | null,
    signal: Cancellation,
  ): FrameEnd | Promise<FrameEnd> | null {
    const { pool, shared, turn, endOf } = this.#deps;
    const startedAt = since ?? shared.deps.clock.now();
    const options = this.#options;
    options.batch = batch;
    options.index = index;
    options.startedAt = startedAt;
    options.signal = signal;
    this.startedAt = startedAt;
    const m = pool.take(NO_FRAME, options);
    const { executor } = m;
    if (executor === null) throw new Error("a program in Python without its executor");
    executor.given = this.#given;
    executor.out = out;
    const start = out.at;
    if (shared.limits.max_frame_bytes !== undefined) m.frameBytes += this.#bytes();
    const stop = firstSlice(m);
    if (!isOver(m, stop)) {
      executor.out = null;
      // Its options and values are its own from here on.
      executor.given = { names: this.#given.names, values: [...this.#reader.values] };
      this.#options = new FrameOptions(shared);
      return driveOn(m, stop, turn).then((ended) => endOf(ended, startedAt));
    }
    executor.given = null;
    executor.out = null;
    if (m.error !== null || m.callTimes.size > 0 || m.openSession !== null || !executor.isSilent) {
      const text = m.error === null ? out.since(start) : null;
      out.at = start;
      const end = endOf(m, startedAt);
      pool.give(m);
      return text === null ? end : withText(end, text);
    }
    this.endedAt = m.endedAt;
    this.#usage = usageOf(m, m.endedAt);
    pool.give(m);
    return null;
  }

  /** The result of the run that ended last, with this text. */
  resultOf(index: number, text: string, ms: number): BatchResult {
    const facts = { usage: this.usage, duration_ms: thousandths(ms), warnings: NO_WARNINGS };
    return frameResult(index, { out: JSON.parse(text) as Json, out_text: text }, facts);
  }

  /** Of the run that ended last. */
  get usage(): Usage {
    if (this.#usage === null) throw new Error("no run has ended");
    return this.#usage;
  }

  /** The size of the values that are given, as the frame of any run counts it. */
  #bytes(): number {
    let bytes = 0;
    for (const [at, value] of this.#reader.values.entries()) {
      if (value === undefined) continue;
      bytes +=
        (this.#keyBytes[at] as number) +
        (value instanceof PyFloat ? floatText(value.value).length : exactSize(value as Json));
    }
    return bytes;
  }
}

/** The end of a run whose result was written. */
function withText(end: FrameEnd, text: string): FrameEnd {
  return end.outcome.ok ? { ...end, outcome: { ...end.outcome, out: JSON.parse(text) as Json, out_text: text } } : end;
}
