/** BLAKE2b and BLAKE2s (RFC 7693), with all parameters, of which the engine's own have none. Words of 64 bits are two of 32, the lower one first. */

/** What a hash is made with besides its bytes. */
export type Blake2Parameters = {
  readonly size: number;
  readonly key: Uint8Array;
  readonly salt: Uint8Array;
  readonly person: Uint8Array;
  readonly fanout: number;
  readonly depth: number;
  readonly leafSize: number;
  readonly nodeOffset: bigint;
  readonly nodeDepth: number;
  readonly innerSize: number;
  readonly isLastNode: boolean;
};

const SIGMA: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/** Of the two times eight mixes of a round, the four words. */
const MIXES: readonly (readonly [a: number, b: number, c: number, d: number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

/** Fractions of the roots of the first primes: of 64 bits, lower halves first; the upper halves are those of 32 bits. */
const START = Uint32Array.of(
  0xf3bcc908,
  0x6a09e667,
  0x84caa73b,
  0xbb67ae85,
  0xfe94f82b,
  0x3c6ef372,
  0x5f1d36f1,
  0xa54ff53a,
  0xade682d1,
  0x510e527f,
  0x2b3e6c1f,
  0x9b05688c,
  0xfb41bd6b,
  0x1f83d9ab,
  0x137e2179,
  0x5be0cd19,
);

/** A hash in the making. */
abstract class Blake2 {
  protected readonly state: Uint32Array;
  protected readonly words: Uint32Array;
  protected readonly isLastNode: boolean;
  readonly #block: Uint8Array;
  readonly #view: DataView;
  readonly #size: number;
  #filled = 0;
  #count = 0;

  constructor(start: Uint32Array, blockSize: number, parameters: Blake2Parameters, block: Uint8Array) {
    this.state = start;
    this.words = new Uint32Array(blockSize / 4);
    this.#block = new Uint8Array(blockSize);
    this.#view = new DataView(this.#block.buffer);
    this.#size = parameters.size;
    this.isLastNode = parameters.isLastNode;
    const view = new DataView(block.buffer);
    for (let at = 0; at < start.length; at += 1) start[at] = (start[at] as number) ^ view.getUint32(at * 4, true);
    if (parameters.key.length === 0) return;
    this.update(parameters.key);
    this.update(new Uint8Array(blockSize - parameters.key.length));
  }

  update(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      if (this.#filled === this.#block.length) this.#compress(false);
      const piece = bytes.subarray(from, from + this.#block.length - this.#filled);
      this.#block.set(piece, this.#filled);
      this.#filled += piece.length;
      this.#count += piece.length;
      from += piece.length;
    }
  }

  digest(): Uint8Array {
    this.#block.fill(0, this.#filled);
    this.#compress(true);
    const bytes = new Uint8Array(this.state.length * 4);
    const view = new DataView(bytes.buffer);
    for (const [at, word] of this.state.entries()) view.setUint32(at * 4, word, true);
    return bytes.subarray(0, this.#size);
  }

  #compress(isLast: boolean): void {
    for (let at = 0; at < this.words.length; at += 1) this.words[at] = this.#view.getUint32(at * 4, true);
    this.mix(this.#count, isLast);
    this.#filled = 0;
  }

  /** `count`: bytes up to and with this block. */
  protected abstract mix(count: number, isLast: boolean): void;
}

export class Blake2b extends Blake2 {
  readonly #v = new Uint32Array(32);

  constructor(parameters: Blake2Parameters) {
    const block = new Uint8Array(64);
    const view = new DataView(block.buffer);
    block.set([parameters.size, parameters.key.length, parameters.fanout, parameters.depth]);
    view.setUint32(4, parameters.leafSize, true);
    view.setBigUint64(8, parameters.nodeOffset, true);
    block.set([parameters.nodeDepth, parameters.innerSize], 16);
    block.set(parameters.salt, 32);
    block.set(parameters.person, 48);
    super(START.slice(), 128, parameters, block);
  }

  protected mix(count: number, isLast: boolean): void {
    const v = this.#v;
    v.set(this.state);
    v.set(START, 16);
    v[24] = (v[24] as number) ^ (count % 2 ** 32);
    v[25] = (v[25] as number) ^ Math.floor(count / 2 ** 32);
    if (isLast) {
      v[28] = ~(v[28] as number);
      v[29] = ~(v[29] as number);
      if (this.isLastNode) {
        v[30] = ~(v[30] as number);
        v[31] = ~(v[31] as number);
      }
    }
    for (let round = 0; round < 12; round += 1) {
      const sigma = SIGMA[round % 10] as readonly number[];
      for (let at = 0; at < 8; at += 1) {
        const [a, b, c, d] = MIXES[at] as readonly [number, number, number, number];
        this.#quarter(a * 2, b * 2, c * 2, d * 2, (sigma[at * 2] as number) * 2, (sigma[at * 2 + 1] as number) * 2);
      }
    }
    for (let at = 0; at < 16; at += 1)
      this.state[at] = (this.state[at] as number) ^ (v[at] as number) ^ (v[at + 16] as number);
  }

  #quarter(a: number, b: number, c: number, d: number, x: number, y: number): void {
    this.#add(a, b, this.words[x] as number, this.words[x + 1] as number);
    this.#turn(d, a, 32);
    this.#add(c, d, 0, 0);
    this.#turn(b, c, 24);
    this.#add(a, b, this.words[y] as number, this.words[y + 1] as number);
    this.#turn(d, a, 16);
    this.#add(c, d, 0, 0);
    this.#turn(b, c, 63);
  }

  /** a += b + a word. */
  #add(a: number, b: number, low: number, high: number): void {
    const v = this.#v;
    const sum = (v[a] as number) + (v[b] as number) + low;
    v[a] = sum;
    v[a + 1] = (v[a + 1] as number) + (v[b + 1] as number) + high + Math.floor(sum / 2 ** 32);
  }

  /** a = (a ^ b), turned to the right. */
  #turn(a: number, b: number, bits: number): void {
    const v = this.#v;
    const low = (v[a] as number) ^ (v[b] as number);
    const high = (v[a + 1] as number) ^ (v[b + 1] as number);
    if (bits === 32) [v[a], v[a + 1]] = [high, low];
    else if (bits === 63) {
      v[a] = (low << 1) | (high >>> 31);
      v[a + 1] = (high << 1) | (low >>> 31);
    } else {
      v[a] = (low >>> bits) | (high << (32 - bits));
      v[a + 1] = (high >>> bits) | (low << (32 - bits));
    }
  }
}

export class Blake2s extends Blake2 {
  readonly #v = new Uint32Array(16);

  constructor(parameters: Blake2Parameters) {
    const block = new Uint8Array(32);
    const view = new DataView(block.buffer);
    // Six bytes of an offset: the two after them are set after it.
    view.setUint32(4, parameters.leafSize, true);
    view.setBigUint64(8, parameters.nodeOffset, true);
    block.set([parameters.size, parameters.key.length, parameters.fanout, parameters.depth]);
    block.set([parameters.nodeDepth, parameters.innerSize], 14);
    block.set(parameters.salt, 16);
    block.set(parameters.person, 24);
    super(
      Uint32Array.from({ length: 8 }, (_, at) => START[at * 2 + 1] as number),
      64,
      parameters,
      block,
    );
  }

  protected mix(count: number, isLast: boolean): void {
    const v = this.#v;
    v.set(this.state);
    for (let at = 0; at < 8; at += 1) v[at + 8] = START[at * 2 + 1] as number;
    v[12] = (v[12] as number) ^ (count % 2 ** 32);
    v[13] = (v[13] as number) ^ Math.floor(count / 2 ** 32);
    if (isLast) v[14] = ~(v[14] as number);
    if (isLast && this.isLastNode) v[15] = ~(v[15] as number);
    for (let round = 0; round < 10; round += 1) {
      const sigma = SIGMA[round] as readonly number[];
      for (let at = 0; at < 8; at += 1) {
        const [a, b, c, d] = MIXES[at] as readonly [number, number, number, number];
        this.#quarter(a, b, c, d, sigma[at * 2] as number, sigma[at * 2 + 1] as number);
      }
    }
    for (let at = 0; at < 8; at += 1)
      this.state[at] = (this.state[at] as number) ^ (v[at] as number) ^ (v[at + 8] as number);
  }

  #quarter(a: number, b: number, c: number, d: number, x: number, y: number): void {
    const v = this.#v;
    v[a] = (v[a] as number) + (v[b] as number) + (this.words[x] as number);
    v[d] = turned((v[d] as number) ^ (v[a] as number), 16);
    v[c] = (v[c] as number) + (v[d] as number);
    v[b] = turned((v[b] as number) ^ (v[c] as number), 12);
    v[a] = (v[a] as number) + (v[b] as number) + (this.words[y] as number);
    v[d] = turned((v[d] as number) ^ (v[a] as number), 8);
    v[c] = (v[c] as number) + (v[d] as number);
    v[b] = turned((v[b] as number) ^ (v[c] as number), 7);
  }
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
