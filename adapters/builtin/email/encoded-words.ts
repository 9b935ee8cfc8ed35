/**
 * Encoded words of headers (RFC 2047) that continue in the next one. The standard forbids splitting a character between two words, but mailers do
 * it anyway; mail programs join the bytes first. The library does so only where charset and encoding are spelled the same and no word
 * ends with padding, so words that belong together are made one before it reads them.
 */

const WORD = /=\?([^?\s]+)\?([bq])\?([^?]*)\?=/gi;
const BOUNDARY = /\bboundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/gi;
const INNER_MESSAGE = /^content-type:\s*message\/rfc822/im;
/** Larger headers are refused when the message is parsed. */
const MAX_HEADER_BYTES = 256 * 1024;
const ESCAPE = 0x1b;
const IDLE_ESCAPE = new RegExp(`${String.fromCharCode(ESCAPE)}\\([BJ](?=${String.fromCharCode(ESCAPE)})`, "g");
const BLANK_LINE = /\r?\n\r?\n/;

/** The message with the words of its headers joined, and of those of its parts. */
export function withJoinedWords(source: Uint8Array): Uint8Array {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (!bytes.includes("=?")) return source;
  const joined: Buffer[] = [];
  const boundaries = new Set<string>();
  let from = 0;
  for (let at: number | null = 0; at !== null; ) {
    const end = headerEnd(bytes, at);
    const header: string = end - at > MAX_HEADER_BYTES ? "" : bytes.toString("latin1", at, end);
    const changed = joinedWords(header);
    if (changed !== header) {
      joined.push(bytes.subarray(from, at), Buffer.from(changed, "latin1"));
      from = end;
    }
    for (const [, quoted, plain] of header.matchAll(BOUNDARY)) boundaries.add(quoted ?? plain ?? "");
    at = INNER_MESSAGE.test(header) ? afterBlankLine(bytes, end) : nextPart(bytes, end, boundaries);
  }
  return joined.length === 0 ? source : Buffer.concat([...joined, bytes.subarray(from)]);
}

/** Where the empty line after a header begins. */
function headerEnd(bytes: Buffer, from: number): number {
  const ends = ["\n\n", "\n\r\n"].map((mark) => bytes.indexOf(mark, from)).filter((at) => at >= 0);
  return ends.length === 0 ? bytes.length : Math.min(...ends);
}

function afterBlankLine(bytes: Buffer, end: number): number | null {
  const [blank] = BLANK_LINE.exec(bytes.toString("latin1", end, end + 4)) ?? [];
  return blank === undefined ? null : end + blank.length;
}

/** Where the header of the next part begins; null without one. */
function nextPart(bytes: Buffer, from: number, boundaries: ReadonlySet<string>): number | null {
  if (boundaries.size === 0) return null;
  for (let at = bytes.indexOf("\n--", from); at >= 0; at = bytes.indexOf("\n--", at + 1)) {
    const end = bytes.indexOf("\n", at + 1);
    if (end < 0) return null;
    // Boundaries have at most 70 characters.
    const line = bytes.toString("latin1", at + 3, Math.min(end, at + 200)).trimEnd();
    if (boundaries.has(line)) return end + 1;
  }
  return null;
}

type Word = { readonly charset: string; readonly encoding: string; readonly text: string };

/** A header whose neighbouring words of one charset are one word each. */
function joinedWords(header: string): string {
  let result = "";
  let run: Word[] = [];
  let [runFrom, runTo] = [0, 0];
  const close = (): void => {
    result += run.length < 2 ? header.slice(runFrom, runTo) : oneWord(run);
    run = [];
  };
  for (const { 0: whole, 1: named = "", 2: encoding = "", 3: text = "", index } of header.matchAll(WORD)) {
    // RFC 2231 puts a language after the charset.
    const word = { charset: named.replace(/\*.*$/, ""), encoding: encoding.toLowerCase(), text };
    const [before] = run;
    const between = header.slice(runTo, index);
    const goesOn = before !== undefined && between.trim() === "" && charsetKey(before) === charsetKey(word);
    if (!goesOn) {
      close();
      result += between;
      runFrom = index;
    }
    run.push(word);
    runTo = index + whole.length;
  }
  close();
  return result + header.slice(runTo);
}

/** The same for every spelling of a charset. */
function charsetKey({ charset }: Word): string {
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return charset
      .toLowerCase()
      .replace(/^(?:x-|cs)/, "")
      .replace(/[._-]/g, "");
  }
}

function oneWord(run: readonly Word[]): string {
  const charset = run[0]?.charset ?? "utf-8";
  const joined = withoutIdleEscapes(Buffer.concat(run.map(bytesOf)));
  // Some mailers cut the base64 instead of the text.
  const isCut = run.every(({ encoding }) => encoding === "b") && !isText(joined, charset);
  const uncut = isCut ? Buffer.from(run.map(({ text }) => text.replace(/[\s=]+/g, "")).join(""), "base64") : joined;
  const bytes = isCut && isText(uncut, charset) ? uncut : joined;
  return `=?${charset}?B?${bytes.toString("base64")}?=`;
}

/** ISO-2022-JP goes back to ASCII at the end of a word, and decoders do not accept that next to the following change. */
function withoutIdleEscapes(bytes: Buffer): Buffer {
  return bytes.includes(ESCAPE) ? Buffer.from(bytes.toString("latin1").replace(IDLE_ESCAPE, ""), "latin1") : bytes;
}

function isText(bytes: Buffer, charset: string): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function bytesOf({ encoding, text }: Word): Buffer {
  // Padding may stand in the middle, where a mailer has joined pieces itself.
  if (encoding === "b") return Buffer.concat(text.split(/=+/).map((piece) => Buffer.from(piece, "base64")));
  const plain = text.replace(/\r?\n[ \t]/g, "").replaceAll("_", " ");
  return Buffer.from(
    plain.replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}
