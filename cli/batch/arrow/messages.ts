/**
 * The messages of an Arrow stream or file, one at a time. A file is a stream between a mark and a footer, so both are read from the beginning,
 * from a pipe too. Lengths are compared with what may be and with what is there before anything is allocated for them.
 */
import { damaged, MAX_BODY_BYTES, tooLarge, unsupported } from "./faults.ts";
import { checkedBodyLength } from "./metadata.ts";

export type ArrowMessage = { readonly metadata: Uint8Array; readonly body: Uint8Array };

const MAGIC = "ARROW1";
const HEAD_BYTES = 8;
const MAX_METADATA_BYTES = 16 * 1024 * 1024;
/** Length of the footer and the mark after it. */
const FOOTER_END_BYTES = 4 + MAGIC.length;

/** `total`: bytes of the input; null: not known. Throws CliFault for what is not Arrow, is damaged or was cut off. */
export async function* arrowMessages(
  input: AsyncIterable<Uint8Array>,
  total: number | null,
): AsyncGenerator<ArrowMessage, void> {
  const bytes = new ByteReader(input, total);
  let head = await bytes.start(HEAD_BYTES);
  const isFile = textOf(head.subarray(0, MAGIC.length)) === MAGIC;
  if (isFile) head = await bytes.take(HEAD_BYTES);
  else requireStream(head);
  for (;;) {
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    if (view.getInt32(0, true) !== -1) throw damaged("a message does not begin where it should");
    const length = view.getInt32(4, true);
    if (length === 0) break;
    if (length < 0 || length > MAX_METADATA_BYTES) throw damaged(`the description of a message has ${length} bytes`);
    const metadata = await bytes.take(length);
    const bodyLength = checkedBodyLength(metadata);
    if (bodyLength < 0n) throw damaged("a message has a negative length");
    if (bodyLength > MAX_BODY_BYTES) throw tooLarge("a record batch");
    yield { metadata, body: await bytes.take(Number(bodyLength)) };
    head = await bytes.take(HEAD_BYTES);
  }
  await (isFile ? requireFooter(bytes) : requireEnd(bytes));
}

function requireStream(head: Uint8Array): void {
  if (textOf(head.subarray(0, 4)) === "PAR1")
    throw unsupported("the file is Parquet, not Arrow", "write it as an Arrow file (Feather) without compression");
  if (new DataView(head.buffer, head.byteOffset).getInt32(0, true) !== -1)
    throw damaged("it begins neither as an Arrow file nor as an Arrow stream of version 0.15 or newer");
}

async function requireEnd(bytes: ByteReader): Promise<void> {
  if ((await bytes.rest(1)).count > 0) throw damaged("it continues after the end mark of its stream");
}

async function requireFooter(bytes: ByteReader): Promise<void> {
  const { count, last } = await bytes.rest(FOOTER_END_BYTES);
  const isWhole =
    last.length === FOOTER_END_BYTES &&
    textOf(last.subarray(4)) === MAGIC &&
    new DataView(last.buffer, last.byteOffset).getInt32(0, true) === count - FOOTER_END_BYTES;
  if (!isWhole) throw damaged("its footer is not whole: it was cut off, or something follows it");
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

class ByteReader {
  readonly #blocks: AsyncIterator<Uint8Array>;
  /** What may still come; null: not known. */
  #left: number | null;
  #block: Uint8Array = new Uint8Array(0);

  constructor(input: AsyncIterable<Uint8Array>, total: number | null) {
    this.#blocks = input[Symbol.asyncIterator]();
    this.#left = total;
  }

  /** The first bytes. */
  async start(count: number): Promise<Uint8Array> {
    const first = await this.#some(count);
    if (first.length === 0) throw damaged("it is empty");
    const more = first.length < count ? await this.take(count - first.length) : new Uint8Array(0);
    return Buffer.concat([first, more]);
  }

  async take(count: number): Promise<Uint8Array> {
    if (this.#left !== null && count > this.#left) throw cutOff();
    const parts: Uint8Array[] = [];
    for (let missing = count; missing > 0; ) {
      const part = await this.#some(missing);
      if (part.length === 0) throw cutOff();
      parts.push(part);
      missing -= part.length;
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  /** Reads to the end: the number of bytes, and the last ones of them. */
  async rest(most: number): Promise<{ readonly count: number; readonly last: Uint8Array }> {
    let count = 0;
    let last: Uint8Array = new Uint8Array(0);
    for (;;) {
      const part = await this.#some(Number.POSITIVE_INFINITY);
      if (part.length === 0) return { count, last };
      count += part.length;
      last = Buffer.concat([last, part.subarray(-most)]).subarray(-most);
    }
  }

  /** From one byte up to `most`; none at the end. */
  async #some(most: number): Promise<Uint8Array> {
    while (this.#block.length === 0) {
      const { done, value } = await this.#blocks.next();
      if (done === true) return this.#block;
      this.#block = value;
    }
    const part = this.#block.subarray(0, most);
    this.#block = this.#block.subarray(part.length);
    if (this.#left !== null) this.#left = Math.max(0, this.#left - part.length);
    return part;
  }
}

const cutOff = () => damaged("it ends in the middle: it was cut off, or a length in it is wrong");
