/**
 * Frames that are lines of text, run as they are read. Lines that look like nearly all others go the short way (`row-runs.ts`); each of the
 * others becomes a frame, or what is wrong with it.
 */
import type { FrameEnd } from "../frame-options.ts";
import type { FrameRunner } from "../frame-runner.ts";
import type { BatchItem, BatchResult } from "../result.ts";
import type { BatchPace, Beginning, FrameGroup } from "../run-groups.ts";
import { beginItem, resultAt } from "../run-items.ts";
import {
  brokenTextLines,
  type FrameChunk,
  type FrameRules,
  isBlankLine,
  itemOfLine,
  textOfLines,
} from "./frame-lines.ts";
import type { RowRuns } from "./row-runs.ts";
import type { RowSink } from "./row-sink.ts";

export type LineGroupDeps = {
  readonly runner: FrameRunner;
  readonly sink: RowSink;
  readonly rules: Required<FrameRules>;
  readonly called: BatchPace["called"];
};

class LineGroup implements FrameGroup {
  readonly #deps: LineGroupDeps;
  readonly #rows: RowRuns | null;
  readonly #text: string;
  /** Where the next line begins. */
  #at = 0;
  #index: number;
  #line: number;

  constructor({ index, line }: FrameChunk, text: string, deps: LineGroupDeps) {
    this.#deps = deps;
    this.#rows = deps.runner.rows;
    this.#text = text;
    this.#index = index;
    this.#line = line;
    this.#passBlanks();
  }

  get more(): boolean {
    return this.#at < this.#text.length;
  }

  begin(about: Beginning): BatchResult | null | Promise<BatchResult | null> {
    const rows = this.#rows;
    const end = rows === null ? -1 : rows.read(this.#text, this.#at, this.#deps.sink.rows === "full");
    return rows === null || end < 0 ? this.#frame(about) : this.#row(rows, end, about);
  }

  #row(rows: RowRuns, end: number, about: Beginning): BatchResult | null | Promise<BatchResult | null> {
    const { sink, called } = this.#deps;
    const { out } = sink;
    const index = this.#next(end);
    const start = out.at;
    for (const warning of rows.warnings()) sink.warn(warning);
    const isWritten = about.isNext && sink.begins();
    const valueAt = out.at;
    const ended = rows.run(out, about.traceId, index, about.now, about.signal);
    if (ended === null) {
      const { endedAt, startedAt, usage } = rows;
      about.now = endedAt;
      if (isWritten && sink.ends(valueAt, usage, startedAt, endedAt)) return null;
      const text = out.since(valueAt);
      out.at = start;
      const isFull = about.isNext && sink.rows === "full";
      if (isFull && sink.full(index, text, usage, startedAt, endedAt)) return null;
      return rows.resultOf(index, text, endedAt - startedAt);
    }
    out.at = start;
    if (ended instanceof Promise) return ended.then((later) => this.#settled(index, later));
    about.now = ended.endedAt;
    return resultAt(index, ended, undefined, called);
  }

  #settled(index: number, end: FrameEnd): BatchResult | null {
    return resultAt(index, end, undefined, this.#deps.called);
  }

  #frame(about: Beginning): BatchResult | null | Promise<BatchResult | null> {
    const { runner, rules, called } = this.#deps;
    const found = this.#text.indexOf("\n", this.#at);
    const end = found < 0 ? this.#text.length : found;
    const text = this.#text.slice(this.#at, end);
    const line = this.#line;
    const index = this.#next(end);
    return beginItem(runner, itemOfLine(text, { ...rules, index, line }), about, called);
  }

  /** Goes to the next line that is not empty. The index of the one that ends at `end`. */
  #next(end: number): number {
    const index = this.#index;
    this.#at = end + 1;
    this.#line += 1;
    this.#index += 1;
    this.#passBlanks();
    return index;
  }

  #passBlanks(): void {
    const text = this.#text;
    // Nearly all lines begin with a bracket.
    while (this.#at < text.length && text.charCodeAt(this.#at) <= SPACE) {
      const found = text.indexOf("\n", this.#at);
      const end = found < 0 ? text.length : found;
      if (!isBlankLine(text.slice(this.#at, end))) return;
      this.#at = end + 1;
      this.#line += 1;
    }
  }
}

const SPACE = 32;

/** Lines that were read one by one, because some are not UTF-8. */
class BrokenLines implements FrameGroup {
  readonly #deps: LineGroupDeps;
  readonly #items: readonly BatchItem[];
  #at = 0;

  constructor({ bytes, index, line }: FrameChunk, deps: LineGroupDeps) {
    this.#deps = deps;
    let next = index;
    this.#items = brokenTextLines(bytes).flatMap((text, at) => {
      if (isBlankLine(text)) return [];
      const item = itemOfLine(text, { ...deps.rules, index: next, line: line + at });
      next += 1;
      return [item];
    });
  }

  get more(): boolean {
    return this.#at < this.#items.length;
  }

  begin(about: Beginning): BatchResult | null | Promise<BatchResult | null> {
    const item = this.#items[this.#at] as BatchItem;
    this.#at += 1;
    return beginItem(this.#deps.runner, item, about, this.#deps.called);
  }
}

/** The frames of whole lines. */
export function linesGroup(chunk: FrameChunk, deps: LineGroupDeps): FrameGroup {
  const text = textOfLines(chunk.bytes);
  return text === null ? new BrokenLines(chunk, deps) : new LineGroup(chunk, text, deps);
}
