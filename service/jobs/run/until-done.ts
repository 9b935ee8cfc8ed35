/** What must succeed at the store: it is repeated until the store answers. */
import { ServiceFault } from "../../wire/errors.ts";

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;

/** Repeats `act` while the store is not available, until `given up` fires; then rejects as the last try did. Other failures reject at once. */
export async function untilDone<T>(
  act: () => Promise<T>,
  wait: (ms: number, then: () => void) => () => void,
  givenUp: AbortSignal,
): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await act();
    } catch (thrown) {
      if (givenUp.aborted || !(thrown instanceof ServiceFault) || thrown.error !== "store_unavailable") throw thrown;
    }
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        stop();
        givenUp.removeEventListener("abort", goOn);
        resolve();
      };
      const stop = wait(pause, goOn);
      givenUp.addEventListener("abort", goOn);
    });
  }
}
