/**
 * Room for the bodies of all requests under way: what has come of them and is not parsed yet, together. Each body may be as large as
 * WF_MAX_BODY_BYTES, and connections are many, so slow senders could otherwise fill the memory of the process.
 */
import { later, ServiceFault } from "../../wire/errors.ts";

/** Small bodies are not counted: connections bound them, and slow senders of large bodies do not keep them out. */
const UNCOUNTED_BYTES = 64 * 1024;

/** What one body takes of the room. */
export type BodyShare = {
  /** `bytes`: held so far. Throws ServiceFault server_busy when the limit is exceeded. */
  hold(bytes: number): void;
  release(): void;
};

export class BodyRoom {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  share(): BodyShare {
    let held = 0;
    const hold = (bytes: number): void => {
      const counted = bytes <= UNCOUNTED_BYTES ? 0 : bytes;
      if (counted > held && this.#bytes - held + counted > this.#maxBytes) throw this.#full();
      this.#bytes += counted - held;
      held = counted;
    };
    return { hold, release: () => hold(0) };
  }

  #full(): ServiceFault {
    const { error, message, members, headers } = later(
      "server_busy",
      `the service is busy: the bodies of the requests under way are together larger than ${this.#maxBytes} bytes`,
      1,
    );
    // What is left of the body is not wanted, so the connection cannot serve another request.
    return new ServiceFault(error, message, members, { ...headers, connection: "close" });
  }
}
