/**
 * Parsing a received message, in a thread that parses and nothing else: the platform's class for blobs is replaced there. Messages are
 * untrusted, and the library takes seconds for a megabyte that was made to be slow.
 */
import PostalMime, { type Email } from "postal-mime";
import { textOfHtml } from "../../../content/html-text.ts";
import { withJoinedWords } from "../encoded-words.ts";

/**
 * A message beyond the first two cannot be parsed: the library needs seconds for each megabyte of addresses, and for parts within parts.
 * Messages within messages that are deeper are attachments, because it reads all of their lines again at each level.
 */
const LIMITS = { maxHeadersSize: 256 * 1024, maxNestingDepth: 32, maxRfc822NestingDepth: 2 } as const;

type Part = Uint8Array | ArrayBuffer | string;

/**
 * Joins the parts of a body as the platform's class of this name does, without its cost of a microsecond and half a kilobyte for each
 * part: the library makes two for every line. Whole bodies are read here, and nothing else of a blob is used.
 */
class JoinedParts {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    const parts = this.#parts.map(bytesOf);
    const joined = new Uint8Array(parts.reduce((bytes, part) => bytes + part.length, 0));
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return Promise.resolve(joined.buffer);
  }
}

function bytesOf(part: Part): Uint8Array {
  if (typeof part === "string") return Buffer.from(part);
  return part instanceof ArrayBuffer ? new Uint8Array(part) : part;
}

Object.defineProperty(globalThis, "Blob", { value: JoinedParts });

/** null: it cannot be parsed. */
export async function parsedMail(source: Uint8Array): Promise<Email | null> {
  try {
    const email = await PostalMime.parse(withJoinedWords(source), LIMITS);
    const text = email.text ?? (email.html === undefined ? undefined : textOfHtml(email.html));
    return text === undefined ? email : { ...email, text };
  } catch {
    return null;
  }
}
