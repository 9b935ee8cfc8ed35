/**
 * CSV (RFC 4180) as frames: the first row names the variables, every value is text. Read as it comes, a row at a time. A row with the
 * wrong number of values, or with quotes where none can be, is a fault of its own.
 */
import type { Json } from "../../compiler/json.ts";
import { setMember } from "../../compiler/json.ts";
import { usageFault } from "../faults.ts";
import type { Piece, Selection } from "./chunks.ts";
import { encoded } from "./part.ts";

/** `line`: where the row begins. null: it is no row. */
type Row = { readonly line: number; readonly values: readonly string[] | null };

/** One chunk of JSON lines for each block that comes in. Throws CliFault when there is no usable header. */
export async function* csvFrames(input: AsyncIterable<Uint8Array>, selection: Selection): AsyncGenerator<Piece, void> {
  const reader = new RowReader(selection.maxLineBytes);
  const decoder = new TextDecoder("utf-8");
  const frames = new RowFrames(selection);
  for await (const block of input) {
    yield* frames.pieces(reader.read(decoder.decode(block, { stream: true })));
    if (frames.full) return;
  }
  yield* frames.pieces(reader.end(decoder.decode()));
  if (frames.header === null) throw usageFault("the CSV has no header row");
}

class RowFrames {
  header: readonly string[] | null = null;
  readonly #selection: Selection;
  #index = 0;

  constructor(selection: Selection) {
    this.#selection = selection;
  }

  get full(): boolean {
    return this.#index >= this.#selection.most;
  }

  *pieces(rows: Iterable<Row>): Generator<Piece, void> {
    let lines: string[] = [];
    let first = { index: this.#index, line: 1 };
    const cut = (): Piece | null => {
      const chunk = { ...first, bytes: encoded(lines.join("\n")) };
      lines = [];
      return chunk.bytes.length === 0 ? null : chunk;
    };
    for (const { line, values } of rows) {
      if (this.header === null) {
        this.header = headerOf(values);
        continue;
      }
      if (this.full) break;
      const index = this.#index;
      this.#index += 1;
      if (!this.#selection.isDone(index) && values?.length === this.header.length) {
        if (lines.length === 0) first = { index, line };
        lines.push(JSON.stringify(frameOf(this.header, values)));
        continue;
      }
      const before = cut();
      if (before !== null) yield before;
      if (this.#selection.isDone(index)) continue;
      yield { index, fault: { ok: false, error: "invalid_json", message: faultText(line, values, this.header), line } };
    }
    const last = cut();
    if (last !== null) yield last;
  }
}

function faultText(line: number, values: readonly string[] | null, header: readonly string[]): string {
  if (values === null) return `line ${line} is no row of CSV, or too long`;
  return `line ${line} has ${values.length} values, the header has ${header.length}`;
}

function headerOf(values: readonly string[] | null): readonly string[] {
  if (values === null || values.some((name) => name === "")) throw usageFault("the CSV header names no variables");
  if (new Set(values).size < values.length) throw usageFault("the CSV header has a name twice");
  return values;
}

function frameOf(header: readonly string[], values: readonly string[]): { readonly [name: string]: Json } {
  const frame: { [name: string]: Json } = {};
  for (const [at, name] of header.entries()) setMember(frame, name, values[at] ?? "");
  return frame;
}

const enum State {
  Start = 0,
  Plain = 1,
  Quoted = 2,
  /** After a quote inside quotes: the end, or half of a doubled one. */
  Quote = 3,
}

class RowReader {
  readonly #longest: number;
  #state = State.Start;
  #values: string[] = [];
  #value = "";
  #broken = false;
  #size = 0;
  #line = 1;
  #begun = 1;

  constructor(longest: number) {
    this.#longest = longest;
  }

  *read(text: string): Generator<Row, void> {
    for (const character of text) {
      this.#size += 1;
      if (this.#size > this.#longest) this.#drop();
      if (character === "\n") this.#line += 1;
      if (this.#state === State.Quoted) {
        if (character === '"') this.#state = State.Quote;
        else this.#add(character);
      } else if (character === "\n") yield* this.#row();
      else if (character === ",") this.#endValue();
      else if (character === '"') this.#quote();
      else if (character !== "\r") {
        if (this.#state === State.Quote) this.#broken = true;
        else this.#state = State.Plain;
        this.#add(character);
      }
    }
  }

  *end(text: string): Generator<Row, void> {
    yield* this.read(text);
    if (this.#state === State.Quoted) this.#broken = true;
    if (this.#size > 0) yield* this.#row();
  }

  #quote(): void {
    if (this.#state === State.Plain) this.#broken = true;
    if (this.#state === State.Quote) this.#add('"');
    this.#state = State.Quoted;
  }

  #add(character: string): void {
    if (!this.#broken) this.#value += character;
  }

  #drop(): void {
    this.#broken = true;
    this.#values = [];
    this.#value = "";
  }

  #endValue(): void {
    if (!this.#broken) this.#values.push(this.#value);
    this.#value = "";
    this.#state = State.Start;
  }

  /** A row without any character but its end is none. */
  *#row(): Generator<Row, void> {
    const empty = this.#values.length === 0 && this.#value === "" && this.#state === State.Start && !this.#broken;
    this.#endValue();
    const row = { line: this.#begun, values: this.#broken ? null : this.#values };
    this.#values = [];
    this.#broken = false;
    this.#size = 0;
    this.#begun = this.#line;
    if (!empty) yield row;
  }
}
