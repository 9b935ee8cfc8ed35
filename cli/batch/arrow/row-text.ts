/** The JSON text of one row, which may have a bounded length: values of a dictionary are written as often as rows name them. */

/** Why a row has no frame, as the end of a sentence about a value. */
export class RowProblem extends Error {
  /** Name of the column. */
  column = "";
  readonly error: "invalid_json" | "payload_too_large";

  constructor(what: string, error: "invalid_json" | "payload_too_large" = "invalid_json") {
    super(what);
    this.error = error;
  }
}

export class RowText {
  readonly #maxBytes: number;
  #parts: string[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(text: string): void {
    this.room(text.length);
    this.#length += text.length;
    this.#parts.push(text);
  }

  /** Throws RowProblem where `bytes` more are too many. */
  room(bytes: number): void {
    if (this.#length + bytes > this.#maxBytes)
      throw new RowProblem(`makes the row longer than ${this.#maxBytes} bytes as JSON`, "payload_too_large");
  }

  /** The text, which begins anew. */
  take(): string {
    const text = this.#parts.join("");
    this.#parts = [];
    this.#length = 0;
    return text;
  }
}
