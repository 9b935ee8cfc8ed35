/**
 * The frames of a batch, numbered as they are taken. Those of a document are all present; those of lines arrive with the
 * request. A line that is not a frame is represented by its error.
 */
import type { JsonObject } from "../../compiler/json.ts";
import { readJsonObject } from "../http/body/json.ts";
import { ServiceFault } from "../wire/errors.ts";

/** A frame with its index in the batch, from 0, or the error of a line that is not a frame. */
export type FrameItem = { readonly index: number; readonly frame: JsonObject };
export type BatchItem = FrameItem | { readonly index: number; readonly broken: ServiceFault };

export interface BatchItems {
  /** Maximum number of frames that one call of `next` returns. */
  readonly atHand: number;
  /** Place of the frame that is taken next. */
  readonly upcoming: number;
  /** Null at the end. Callers are served in order. Throws, or rejects with, the error that ended the input. */
  next(): BatchItem | null | Promise<BatchItem | null>;
}

export class ListedFrames implements BatchItems {
  readonly #frames: readonly object[];
  #taken = 0;

  constructor(frames: readonly object[]) {
    this.#frames = frames;
  }

  get atHand(): number {
    return this.#frames.length - this.#taken;
  }

  get upcoming(): number {
    return this.#taken;
  }

  next(): FrameItem | null {
    const index = this.#taken;
    const frame = this.#frames[index];
    if (frame === undefined) return null;
    this.#taken += 1;
    return { index, frame: frame as JsonObject };
  }
}

/** The same frames, each changed as it is taken. */
export function changedFrames(items: BatchItems, change: (frame: JsonObject) => JsonObject): BatchItems {
  const changed = (item: BatchItem | null): BatchItem | null =>
    item === null || "broken" in item ? item : { index: item.index, frame: change(item.frame) };
  return {
    get atHand() {
      return items.atHand;
    },
    get upcoming() {
      return items.upcoming;
    },
    next() {
      const item = items.next();
      return item instanceof Promise ? item.then(changed) : changed(item);
    },
  };
}

/** Frames that were taken but not run. Only the taker may run them. */
export class TakenFrames implements BatchItems {
  readonly atHand = 0;
  readonly #frames: readonly FrameItem[];
  #taken = 0;

  constructor(frames: readonly FrameItem[]) {
    this.#frames = frames;
  }

  get upcoming(): number {
    return this.#frames[this.#taken]?.index ?? 0;
  }

  next(): FrameItem | null {
    const item = this.#frames[this.#taken];
    this.#taken += 1;
    return item ?? null;
  }
}

export class LineFrames implements BatchItems {
  /** Lines that came together. */
  readonly #groups: AsyncIterator<readonly Buffer[], void>;
  #group: readonly Buffer[] = [];
  #at = 0;
  #taken = 0;
  #ended = false;
  #coming: Promise<void> | null = null;

  constructor(groups: AsyncIterator<readonly Buffer[], void>) {
    this.#groups = groups;
  }

  get atHand(): number {
    return this.#group.length - this.#at;
  }

  get upcoming(): number {
    return this.#taken;
  }

  /** The line before the frames; null when the body is empty. */
  async head(): Promise<Buffer | null> {
    await this.#fetch();
    return this.atHand === 0 ? null : this.#line();
  }

  next(): BatchItem | Promise<BatchItem | null> {
    return this.atHand > 0 ? this.#take() : this.#later();
  }

  async #later(): Promise<BatchItem | null> {
    while (this.atHand === 0) {
      if (this.#ended) return null;
      this.#coming ??= this.#fetch();
      await this.#coming;
    }
    return this.#take();
  }

  async #fetch(): Promise<void> {
    const { value, done } = await this.#groups.next();
    this.#coming = null;
    if (done === true) this.#ended = true;
    else {
      this.#group = value;
      this.#at = 0;
    }
  }

  #line(): Buffer {
    const line = this.#group[this.#at] as Buffer;
    this.#at += 1;
    return line;
  }

  #take(): BatchItem {
    const line = this.#line();
    const index = this.#taken;
    this.#taken += 1;
    try {
      return { index, frame: readJsonObject(line) };
    } catch (cause) {
      if (!(cause instanceof ServiceFault)) throw cause;
      return { index, broken: new ServiceFault("invalid_json", "the line is not a JSON object") };
    }
  }
}
