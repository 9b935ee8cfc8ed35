/**
 * Ends a connection whose sender is still sending. If it were closed at once, the next bytes would be answered with a reset, and most clients
 * would report a broken connection instead of the answer with the reason. So the answer is sent, and further input is read and dropped
 * for a while, until the sender has noticed.
 */
import type { IncomingMessage } from "node:http";
import type { Clock } from "../../vm/run.ts";

const LINGER_MS = 5000;
/** A sender who sends nothing for so long has noticed, or is in no danger of being cut off: its connection is not kept for it. */
export const SILENT_MS = 1000;

/** For an answer with which the connection ends. */
export function lingerAfterAnswer(incoming: IncomingMessage, clock: Clock): void {
  const { socket } = incoming;
  const close = socket.destroySoon.bind(socket);
  // How Node ends a connection when its last answer is written.
  socket.destroySoon = () => {
    if (incoming.complete || socket.destroyed) {
      close();
      return;
    }
    socket.end();
    const stop = clock.wait(LINGER_MS, () => socket.destroy());
    let stopSilence = (): void => {};
    let before = -1;
    const listen = (): void => {
      if (socket.bytesRead === before) socket.destroy();
      before = socket.bytesRead;
      stopSilence = clock.wait(SILENT_MS, listen);
    };
    listen();
    socket.once("close", () => {
      stop();
      stopSilence();
    });
    incoming.once("end", close);
    incoming.resume();
  };
}
