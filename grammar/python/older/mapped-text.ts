/** A text made of pieces of a source and of new ones, which knows where each of its places stands in the source. */
export class MappedText {
  private readonly parts: string[] = [];
  /** Where the pieces begin, here and in the source. */
  private readonly starts: number[] = [];
  private readonly origins: number[] = [];
  private readonly copies: boolean[] = [];
  private length = 0;
  /** The end of the last piece that was copied. */
  private origin = 0;

  /** `source` from `start` to `end`. */
  copy(source: string, start: number, end: number): void {
    this.push(source.slice(start, end), start, true);
    this.origin = end;
  }

  /** A new text, which stands for the place `origin` of the source; else for the one copied last. */
  add(text: string, origin = this.origin): void {
    this.push(text, origin, false);
  }

  private push(text: string, origin: number, isCopy: boolean): void {
    if (text === "") return;
    this.parts.push(text);
    this.starts.push(this.length);
    this.origins.push(origin);
    this.copies.push(isCopy);
    this.length += text.length;
  }

  toString(): string {
    return this.parts.join("");
  }

  /** The place in the source of a place in the text. */
  placeOf(at: number): number {
    const piece = this.pieceAt(at);
    const origin = this.origins[piece] ?? 0;
    return this.copies[piece] === true ? origin + at - (this.starts[piece] as number) : origin;
  }

  /** The same for the end of a stretch, which belongs to the piece before it. */
  endOf(end: number): number {
    return end === 0 ? this.placeOf(0) : this.placeOf(end - 1) + (this.copies[this.pieceAt(end - 1)] === true ? 1 : 0);
  }

  /** Whether a stretch stands in the source as it is. */
  isCopied(start: number, end: number): boolean {
    const piece = this.pieceAt(start);
    return this.copies[piece] === true && end <= (this.starts[piece + 1] ?? this.length);
  }

  private pieceAt(at: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
