/** `io.StringIO`: a text that is written and read at a place, as a file is. */
import { raised, VALUE_ERROR } from "../../exceptions.ts";
import { Bytes, type Context, END, type Next, PyIterator, type PyType } from "../../object.ts";
import { offsetOf, positionOf, textLength } from "../../operators/texts.ts";

/** What `newline` may be. Null: all line ends become `\n`; empty: all are line ends and stay as they are. */
export type NewLine = null | "" | "\n" | "\r" | "\r\n";

const ANY_END = /\r\n?|\n/g;

export class PyStringIO extends PyIterator {
  declare readonly type: PyType;
  text = "";
  isClosed = false;
  readonly #newline: NewLine;
  /** Where the next one is read or written, as an offset. */
  #at = 0;
  /** Code points between the end of the text and that place. */
  #past = 0;

  constructor(newline: NewLine) {
    super();
    this.#newline = newline;
  }

  /** Where it stands, in code points. */
  get position(): number {
    return positionOf(this.text, this.#at) + this.#past;
  }

  get length(): number {
    return textLength(this.text);
  }

  set position(position: number) {
    const { length } = this;
    this.#at = offsetOf(this.text, Math.min(position, length));
    this.#past = Math.max(0, position - length);
  }

  /** `end`: some methods of CPython end the sentence. */
  check(end: "" | "." = ""): void {
    if (this.isClosed) throw raised(VALUE_ERROR, `I/O operation on closed file${end}`);
  }

  write(given: string, ctx: Context): void {
    const text = this.#translated(given);
    if (text === "") return;
    ctx.charge(text.length);
    const units = this.#past + text.length;
    ctx.room((this.text.length + units) * Bytes.Unit);
    ctx.alloc(units * Bytes.Unit);
    if (this.#past > 0) {
      this.text += "\0".repeat(this.#past);
      this.#at = this.text.length;
      this.#past = 0;
    }
    if (this.#at === this.text.length) this.text += text;
    else {
      ctx.charge(this.text.length);
      const end = offsetOf(this.text, Math.min(this.length, positionOf(this.text, this.#at) + textLength(text)));
      this.text = this.text.slice(0, this.#at) + text + this.text.slice(end);
    }
    this.#at += text.length;
  }

  /** At most `count` code points; none: all that are left. */
  read(count: number | null, ctx: Context): string {
    return this.#take(count === null ? this.text.length : this.#ahead(count), ctx);
  }

  /** With its end; empty after the last one. */
  readLine(count: number | null, ctx: Context): string {
    const end = this.#endOfLine();
    return this.#take(count === null ? end : Math.min(end, this.#ahead(count)), ctx);
  }

  truncate(position: number): void {
    if (position >= this.length) return;
    const { position: before } = this;
    this.text = this.text.slice(0, offsetOf(this.text, position));
    this.position = before;
  }

  override next(ctx: Context): Next {
    this.check();
    const line = this.readLine(null, ctx);
    return line === "" ? END : line;
  }

  #translated(text: string): string {
    if (this.#newline === null) return text.replace(ANY_END, "\n");
    return this.#newline === "\r" || this.#newline === "\r\n" ? text.replaceAll("\n", this.#newline) : text;
  }

  #ahead(count: number): number {
    return offsetOf(this.text, Math.min(this.length, positionOf(this.text, this.#at) + count));
  }

  #take(end: number, ctx: Context): string {
    const taken = this.text.slice(this.#at, end);
    ctx.charge(taken.length);
    ctx.alloc(taken.length * Bytes.Unit);
    this.#at = end;
    return taken;
  }

  #endOfLine(): number {
    if (this.#newline === "") {
      ANY_END.lastIndex = this.#at;
      const found = ANY_END.exec(this.text);
      ANY_END.lastIndex = 0;
      return found === null ? this.text.length : found.index + found[0].length;
    }
    const end = this.#newline ?? "\n";
    const found = this.text.indexOf(end, this.#at);
    return found < 0 ? this.text.length : found + end.length;
  }
}
