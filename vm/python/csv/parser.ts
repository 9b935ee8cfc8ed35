/** The state machine that reads records of CSV from lines: a port of `_csv.c` of CPython 3.11. */
import { raised } from "../exceptions.ts";
import { PyList } from "../kinds/list.ts";
import { Bytes, type Context, type Value } from "../object.ts";
import { CSV_ERROR, type Dialect, Quoting } from "./dialect.ts";

const enum State {
  StartRecord,
  StartField,
  Escaped,
  InField,
  InQuoted,
  EscapedInQuoted,
  QuoteInQuoted,
  EatLineEnd,
  AfterEscapedLineEnd,
}

const MAX_FIELD = 131_072;

/** Stands for the end of a line that was given. */
const EOL = "";

export class CsvParser {
  readonly #dialect: Dialect;
  /** Makes the number of a field without quotes, under QUOTE_NONNUMERIC. */
  readonly #numberOf: (text: string) => Value;
  #state = State.StartRecord;
  #fields: Value[] = [];
  #field = "";
  #length = 0;
  #isNumeric = false;

  constructor(dialect: Dialect, numberOf: (text: string) => Value) {
    this.#dialect = dialect;
    this.#numberOf = numberOf;
  }

  /** Forgets what an earlier record left. */
  begin(): void {
    this.#state = State.StartRecord;
    this.#fields = [];
    this.#clear();
  }

  /** Takes a line; true: the record is complete. */
  feed(line: string, ctx: Context): boolean {
    ctx.charge(line.length);
    for (const char of line) this.#take(char);
    this.#take(EOL);
    return this.#state === State.StartRecord;
  }

  /** After the last line: whether a record remains, which has no end. */
  end(): boolean {
    if (this.#length === 0 && this.#state !== State.InQuoted) return false;
    if (this.#dialect.strict) throw raised(CSV_ERROR, "unexpected end of data");
    this.#save();
    return true;
  }

  record(ctx: Context): PyList {
    const fields = this.#fields;
    let bytes = Bytes.Object + fields.length * Bytes.Element;
    for (const field of fields) bytes += typeof field === "string" ? field.length * Bytes.Unit : Bytes.Object;
    ctx.alloc(bytes);
    this.#fields = [];
    return new PyList(fields);
  }

  #clear(): void {
    this.#field = "";
    this.#length = 0;
    this.#isNumeric = false;
  }

  #save(): void {
    const field = this.#field;
    const isNumeric = this.#isNumeric;
    this.#clear();
    this.#fields.push(isNumeric ? this.#numberOf(field) : field);
  }

  #add(char: string): void {
    if (this.#length >= MAX_FIELD) throw raised(CSV_ERROR, `field larger than field limit (${MAX_FIELD})`);
    this.#field += char === EOL ? "\n" : char;
    this.#length += 1;
  }

  /** The end of a record, by a line end or because the line is over. */
  #endRecord(char: string): void {
    this.#save();
    this.#state = char === EOL ? State.StartRecord : State.EatLineEnd;
  }

  #take(char: string): void {
    const { delimiter, quotechar, escapechar, doublequote, quoting, skipinitialspace, strict } = this.#dialect;
    const isEnd = char === EOL || char === "\n" || char === "\r";
    const isQuote = char === quotechar && quoting !== Quoting.None;
    switch (this.#state) {
      case State.StartRecord:
        if (char === EOL) return;
        if (isEnd) {
          this.#state = State.EatLineEnd;
          return;
        }
        this.#state = State.StartField;
        this.#take(char);
        return;
      case State.StartField:
        if (isEnd) this.#endRecord(char);
        else if (isQuote) this.#state = State.InQuoted;
        else if (char === escapechar) this.#state = State.Escaped;
        else if (char === " " && skipinitialspace) return;
        else if (char === delimiter) this.#save();
        else {
          if (quoting === Quoting.NonNumeric) this.#isNumeric = true;
          this.#add(char);
          this.#state = State.InField;
        }
        return;
      case State.Escaped:
        this.#add(char);
        this.#state = isEnd && char !== EOL ? State.AfterEscapedLineEnd : State.InField;
        return;
      case State.AfterEscapedLineEnd:
      case State.InField:
        if (char === EOL && this.#state === State.AfterEscapedLineEnd) return;
        if (isEnd) this.#endRecord(char);
        else if (char === escapechar) this.#state = State.Escaped;
        else if (char === delimiter) {
          this.#save();
          this.#state = State.StartField;
        } else this.#add(char);
        return;
      case State.InQuoted:
        if (char === EOL) return;
        if (char === escapechar) this.#state = State.EscapedInQuoted;
        else if (isQuote) this.#state = doublequote ? State.QuoteInQuoted : State.InField;
        else this.#add(char);
        return;
      case State.EscapedInQuoted:
        this.#add(char);
        this.#state = State.InQuoted;
        return;
      case State.QuoteInQuoted:
        if (isQuote) {
          this.#add(char);
          this.#state = State.InQuoted;
        } else if (char === delimiter) {
          this.#save();
          this.#state = State.StartField;
        } else if (isEnd) this.#endRecord(char);
        else if (!strict) {
          this.#add(char);
          this.#state = State.InField;
        } else throw raised(CSV_ERROR, `'${delimiter}' expected after '${quotechar}'`);
        return;
      case State.EatLineEnd:
        if (char === EOL) this.#state = State.StartRecord;
        else if (!isEnd)
          throw raised(
            CSV_ERROR,
            "new-line character seen in unquoted field - do you need to open the file in universal-newline mode?",
          );
    }
  }
}
