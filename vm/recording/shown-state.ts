/**
 * What a Python program shows of itself while it runs: `progress(value, text)` and `set_state(name, value)`. It is computed by the program like everything
 * else, so a run that is replayed comes to the same; nothing of it is in a journal. A branch has a part of its own: parts are joined in
 * the order of the branches, whatever came first.
 */

/** `value`: the JSON text of a number from 0 to 1. */
type Progress = { readonly value: string; readonly text: string | null };

/** Names of one run. */
export const MAX_STATE_NAMES = 64;
/** UTF-8 bytes of all names and values of one run. */
export const MAX_STATE_BYTES = 65_536;
/** The same of all branches of a step together, and what each of them has at least. */
const MAX_BRANCH_BYTES = 16 * 1024 * 1024;
const LEAST_BRANCH_BYTES = 256;

const utf8 = new TextEncoder();

export class ShownState {
  /** Called for every change, of its branches as well. Must not throw. */
  onChange: (() => void) | null = null;
  /** The run takes what it learned from its journal, and shows again what it showed before. */
  isReplaying: () => boolean = () => false;
  #progress: Progress | null = null;
  /** JSON texts. */
  readonly #values = new Map<string, string>();
  #bytes = 0;
  #given: string | null = null;
  readonly #owner: ShownState | null;
  readonly #room: number;
  /** Of the branches under way, or that have ended and are not joined. */
  readonly #branches = new Map<number, ShownState>();

  /** `room`: bytes. */
  constructor(owner: ShownState | null = null, room = MAX_STATE_BYTES) {
    this.#owner = owner;
    this.#room = room;
  }

  showProgress(progress: Progress): void {
    this.#progress = progress;
    this.#changed();
  }

  /** False: it does not fit, and nothing was changed. */
  set(name: string, value: string): boolean {
    const before = this.#values.get(name);
    if (before === value) return true;
    const bytes = this.#bytes + bytesOf(name, value) - (before === undefined ? 0 : bytesOf(name, before));
    if (bytes > this.#room || (before === undefined && this.#values.size >= MAX_STATE_NAMES)) return false;
    this.#values.set(name, value);
    this.#bytes = bytes;
    this.#changed();
    return true;
  }

  /** The part of one of `count` branches, by its number. How much room it has does not depend on what the others do. */
  branch(number: number, count: number): ShownState {
    const share = Math.max(LEAST_BRANCH_BYTES, Math.floor(MAX_BRANCH_BYTES / count));
    const part = new ShownState(this, Math.min(this.#room, share));
    this.#branches.set(number, part);
    return part;
  }

  /** Takes over what its branches have shown. False: not all of it fits. */
  join(): boolean {
    let hasRoom = true;
    for (const part of this.#parts()) {
      if (part.#progress !== null) this.showProgress(part.#progress);
      for (const [name, value] of part.#values) hasRoom = this.set(name, value) && hasRoom;
    }
    this.#branches.clear();
    return hasRoom;
  }

  /** `text`: what `text()` of another one gave, whose run this one stands for. */
  replace(text: string): void {
    this.#given = text;
    this.#changed();
  }

  /** JSON of `{progress, state}` as it is now; null: nothing was shown. */
  text(): string | null {
    if (this.#given !== null) return this.#given;
    const values = new Map<string, string>();
    const progress = this.#collect(values);
    if (progress === null && values.size === 0) return null;
    const state = [...values].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",");
    return `{"progress":${progressText(progress)},"state":{${state}}}`;
  }

  #collect(into: Map<string, string>): Progress | null {
    let progress = this.#progress;
    for (const [name, value] of this.#values) into.set(name, value);
    for (const part of this.#parts()) progress = part.#collect(into) ?? progress;
    return progress;
  }

  #parts(): readonly ShownState[] {
    return [...this.#branches].sort(([a], [b]) => a - b).map(([, part]) => part);
  }

  #changed(): void {
    if (this.#owner === null) this.onChange?.();
    else this.#owner.#changed();
  }
}

function bytesOf(name: string, value: string): number {
  return utf8.encode(name).length + utf8.encode(value).length;
}

function progressText(progress: Progress | null): string {
  if (progress === null) return "null";
  return `{"value":${progress.value},"text":${JSON.stringify(progress.text)}}`;
}
