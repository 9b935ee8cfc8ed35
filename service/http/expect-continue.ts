/** Senders that ask before they send their body (`Expect: 100-continue`). */
import type { IncomingMessage, ServerResponse } from "node:http";

/** Says that the body may come when somebody begins to read it, and so not to one whose request is refused before that. */
export function continueWhenRead(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const listened = (event: string | symbol): void => {
    if (event !== "data" && event !== "readable") return;
    incoming.off("newListener", listened);
    if (!outgoing.headersSent) outgoing.writeContinue();
  };
  incoming.on("newListener", listened);
}
