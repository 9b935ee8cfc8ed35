/** A line on a terminal that shows that something is waited for, drawn anew while it goes on; nothing elsewhere. */
import type { Clock } from "../../vm/run.ts";
import type { TextSink } from "../io.ts";

const FRAMES = { utf8: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], ascii: ["|", "/", "-", "\\"] } as const;
const REDRAW_MS = 100;

export type Spinner = {
  /** What is shown from the next drawing on. */
  show(text: string): void;
  /** Takes the line away; a second time does nothing. */
  end(): void;
};

export function startSpinner(clock: Pick<Clock, "wait">, sink: TextSink, utf8: boolean): Spinner {
  const frames = utf8 ? FRAMES.utf8 : FRAMES.ascii;
  let text = "waiting";
  let drawn = 0;
  let over = false;
  let stop = (): void => undefined;
  const draw = (): void => {
    sink.write(`\r${frames[drawn % frames.length]} ${text}\u001b[K`);
    drawn += 1;
    stop = clock.wait(REDRAW_MS, draw);
  };
  if (sink.terminal) stop = clock.wait(REDRAW_MS, draw);
  return {
    show: (next) => {
      text = next;
    },
    end: () => {
      stop();
      if (drawn > 0 && !over) sink.write("\r\u001b[K");
      over = true;
    },
  };
}
