/**
 * The frames of a batch as they are asked for, numbered as they are taken: those of a document are all there, those of lines come with the
 * request. A line that is no frame stands in its place as what is wrong with it.
 */
import type { JsonObject } from "../compiler/json.ts";
import { ServiceFault } from "./errors.ts";
import { readJsonObject } from "./json-body.ts";

/** A frame with its place in the batch, from 0, or a line that is none. */
export type FrameItem = { readonly index: number; readonly frame: JsonObject };
export type BatchItem = FrameItem | { readonly index: number; readonly broken: ServiceFault };

export interface BatchItems {
  /** So many `next` gives at once. */
  readonly atHand: number;
  /** Place of the frame that is taken next. */
  readonly upcoming: number;
  /** null: there are no more. Whoever asks while others wait is served after them. Throws, or rejects with, what ended the input. */
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

/** Frames that were taken before and not run. They are for who took them, and for nobody else. */
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

  /** The line before the frames; null: there is none. */
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
      return { index, broken: new ServiceFault("invalid_json", "the line is no JSON object that can be a frame") };
    }
  }
}
