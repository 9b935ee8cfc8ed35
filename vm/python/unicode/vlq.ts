/** Reads the numbers of the generated tables: VLQ in the alphabet of base64, five bits a letter, the lowest first. */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const DIGITS = new Uint8Array(128);
for (let digit = 0; digit < ALPHABET.length; digit++) DIGITS[ALPHABET.charCodeAt(digit)] = digit;

export class Numbers {
  readonly #written: string;
  #at = 0;

  constructor(written: string) {
    this.#written = written;
  }

  get isOpen(): boolean {
    return this.#at < this.#written.length;
  }

  next(): number {
    let value = 0;
    for (let shift = 0; ; shift += 5) {
      const digit = DIGITS[this.#written.charCodeAt(this.#at++)] as number;
      value |= (digit & 31) << shift;
      if (digit < 32) return value;
    }
  }

  signed(): number {
    const value = this.next();
    return value & 1 ? -((value + 1) >> 1) : value >> 1;
  }
}
