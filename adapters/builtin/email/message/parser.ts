/**
 * Parsing the received messages of a run. One that takes too long or too much memory counts as one that cannot be parsed, so that it never
 * keeps a program from the messages after it.
 */
import type { Email } from "postal-mime";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import type { DocumentParsers } from "../../../content/document-parsers.ts";

const UNPARSED: ReadonlySet<string> = new Set(["ADAPTER_TOO_LARGE", "ADAPTER_BAD_DATA"]);

export class MailParser {
  readonly #parsers: DocumentParsers;
  readonly #ended = new AbortController();

  constructor(parsers: DocumentParsers) {
    this.#parsers = parsers;
  }

  /** null: it cannot be parsed, or not within bounds. Rejects when no thread is free or can be started, and when this one is closed. */
  async parse(source: Uint8Array): Promise<Email | null> {
    try {
      return await this.#parsers.parse("mail", [source], this.#ended.signal);
    } catch (thrown) {
      if (thrown instanceof AdapterError && UNPARSED.has(thrown.code)) return null;
      throw thrown;
    }
  }

  close(): void {
    this.#ended.abort();
  }
}
