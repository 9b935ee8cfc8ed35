/**
 * Texts too large for a row, each in a file of its own. A file is complete before a row names it: written to a temporary name, synced,
 * then renamed. What no row names is removed at the next start.
 */
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../../adapters/guard/files/make-folder.ts";
import { opened, sealed } from "./sealed-texts.ts";

/** Characters a row holds; longer texts go to files. */
const MAX_INLINE = 1024 * 1024;

export type PlacedText = { readonly text: string | null; readonly file: string | null };

export class TextFiles {
  readonly #folder: string | null;
  /** Files that no row will name when the transaction is committed. */
  #dropped: string[] = [];

  /** null: nothing is kept on disk, rows hold everything. */
  constructor(folder: string | null) {
    this.#folder = folder;
    if (folder !== null) makeFolder(folder);
  }

  /** As it is stored: with a checksum where it goes to the disk. `of`: what it belongs to. */
  seal(text: string, of: string): string {
    return this.#folder === null ? text : sealed(text, of);
  }

  /** As it was before it was stored. Throws StoreDamaged. */
  open(stored: string, of: string): string {
    return this.#folder === null ? stored : opened(stored, of);
  }

  /** `name` without slashes. */
  place(name: string, given: string): PlacedText {
    const text = this.seal(given, name);
    if (this.#folder === null || given.length <= MAX_INLINE) return { text, file: null };
    const file = `${name}.json`;
    const begun = join(this.#folder, `${file}.tmp`);
    const handle = openSync(begun, "w", 0o600);
    try {
      const bytes = Buffer.from(text, "utf8");
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } catch (thrown) {
      rmSync(begun, { force: true });
      throw thrown;
    } finally {
      closeSync(handle);
    }
    renameSync(begun, join(this.#folder, file));
    this.#syncFolder(this.#folder);
    return { text: null, file };
  }

  /** `name`: with which it was placed. Throws StoreDamaged. */
  read(name: string, { text, file }: PlacedText): string | null {
    const isInFile = file !== null && this.#folder !== null;
    const stored = isInFile ? readFileSync(join(this.#folder as string, file), "utf8") : text;
    return stored === null ? null : this.open(stored, name);
  }

  /** The file goes when the transaction is committed. */
  drop(file: string | null): void {
    if (file !== null) this.#dropped.push(file);
  }

  /** Stands for what was dropped so far. */
  mark(): number {
    return this.#dropped.length;
  }

  /** What was dropped since then stays: its changes were rolled back. */
  rollback(mark: number): void {
    this.#dropped.length = mark;
  }

  committed(): void {
    for (const file of this.#dropped.splice(0)) this.#remove(file);
  }

  /** Removes what is not in use, files begun and not completed included. */
  tidy(isUsed: (file: string) => boolean): void {
    if (this.#folder === null) return;
    for (const file of readdirSync(this.#folder)) if (!isUsed(file)) this.#remove(file);
  }

  #remove(file: string): void {
    if (this.#folder !== null) rmSync(join(this.#folder, file), { force: true });
  }

  #syncFolder(folder: string): void {
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  }
}
