/**
 * How far a batch is, on stderr: a line that is drawn anew on a terminal that can, and a plain line now and then elsewhere. Time comes from the
 * clock it is given.
 */
import type { Clock } from "../../../vm/run.ts";
import type { TextSink } from "../../session/io.ts";
import { ERASED, redrawnLine } from "./redrawn-line.ts";
import { counted, duration, grouped } from "./table.ts";

export type Counts = { readonly count: number; readonly failed: number };

/** Share of the input that is done, from 0 to 1; null: not known. */
export type Share = () => number | null;

const REDRAW_MS = 100;
const PLAIN_MS = 10_000;
const BAR = 10;

export class Progress {
  readonly #clock: Pick<Clock, "now" | "wait">;
  readonly #sink: TextSink;
  readonly #drawn: boolean;
  readonly #share: Share;
  readonly #started: number;
  readonly #shareAtStart: number;
  #counts: Counts = { count: 0, failed: 0 };
  #shownAt: number;
  #stop: () => void = () => {};

  /** `drawn`: on one line, which the sink can redraw. */
  constructor(clock: Pick<Clock, "now" | "wait">, sink: TextSink, drawn: boolean, share: Share) {
    this.#clock = clock;
    this.#sink = sink;
    this.#drawn = drawn;
    this.#share = share;
    this.#started = clock.now();
    this.#shownAt = this.#started;
    this.#shareAtStart = share() ?? 0;
    this.#tick();
  }

  /** `counts` of this batch alone, without what was resumed. */
  update(counts: Counts): void {
    this.#counts = counts;
  }

  /** Nothing is drawn any more, and what was drawn is gone. */
  end(): void {
    this.#stop();
    if (this.#drawn) this.#sink.write(ERASED);
  }

  #tick(): void {
    const every = this.#drawn ? REDRAW_MS : PLAIN_MS;
    this.#stop = this.#clock.wait(every, () => {
      const now = this.#clock.now();
      if (now - this.#shownAt >= every) {
        this.#shownAt = now;
        const text = progressLine(this.#counts, now - this.#started, this.#share(), this.#shareAtStart, this.#drawn);
        this.#sink.write(this.#drawn ? redrawnLine(text, this.#sink.columns) : `${text}\n`);
      }
      this.#tick();
    });
  }
}

/** `batch ███████░░░ 68%  68,120/~100,000  31k/s  3 failed  eta 1s` */
export function progressLine(
  { count, failed }: Counts,
  elapsedMs: number,
  share: number | null,
  shareAtStart: number,
  bar: boolean,
): string {
  const parts: string[] = [];
  const part = share === null ? 0 : (share - shareAtStart) / Math.max(1e-9, 1 - shareAtStart);
  if (share === null) parts.push(`batch ${counted(count, "frame")}`);
  else {
    const full = Math.min(BAR, Math.floor(share * BAR));
    parts.push(`batch ${bar ? `${"█".repeat(full)}${"░".repeat(BAR - full)} ` : ""}${Math.floor(share * 100)}%`);
    parts.push(part > 0 ? `${grouped(count)}/~${grouped(Math.round(count / part))}` : grouped(count));
  }
  parts.push(rateText(count, elapsedMs));
  if (failed > 0) parts.push(`${grouped(failed)} failed`);
  if (part > 0 && part < 1) parts.push(`eta ${secondsText((elapsedMs * (1 - part)) / part)}`);
  return parts.join("  ");
}

/** `100,000 frames  3 failed  3.2 s  31k/s` */
export function summaryLine({ count, failed }: Counts, done: Counts, elapsedMs: number): string {
  const parts = [counted(count + done.count, "frame")];
  if (failed + done.failed > 0) parts.push(`${grouped(failed + done.failed)} failed`);
  if (done.count > 0) parts.push(`${grouped(done.count)} done before`);
  parts.push(duration(elapsedMs));
  if (count > 0) parts.push(rateText(count, elapsedMs));
  return parts.join("  ");
}

function rateText(count: number, elapsedMs: number): string {
  const rate = elapsedMs <= 0 ? 0 : (count / elapsedMs) * 1000;
  return rate >= 10_000 ? `${grouped(Math.round(rate / 1000))}k/s` : `${grouped(Math.round(rate))}/s`;
}

function secondsText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}
