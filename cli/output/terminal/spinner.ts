/** A line on a terminal that shows what a command waits for, redrawn until the wait is over. */
import type { Clock } from "../../../vm/run.ts";
import type { TextSink } from "../../session/io.ts";
import { ERASED, redrawnLine } from "./redrawn-line.ts";

const FRAMES = { utf8: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], ascii: ["|", "/", "-", "\\"] } as const;
const REDRAW_MS = 100;

export type Spinner = {
  /** What is shown from the next drawing on; a function is asked at every drawing. */
  show(text: string | (() => string)): void;
  /** Removes the line; a second call does nothing. */
  end(): void;
};

/** `sink`: one that can redraw. `muteMs`: a shorter wait shows nothing. */
export function startSpinner(clock: Pick<Clock, "now" | "wait">, sink: TextSink, utf8: boolean, muteMs = 0): Spinner {
  const frames = utf8 ? FRAMES.utf8 : FRAMES.ascii;
  const started = clock.now();
  let text: string | (() => string) = "waiting";
  let drawn = 0;
  let over = false;
  let stop = (): void => undefined;
  const draw = (): void => {
    if (clock.now() - started >= muteMs) {
      const shown = typeof text === "string" ? text : text();
      sink.write(redrawnLine(`${frames[drawn % frames.length]} ${shown}`, sink.columns));
      drawn += 1;
    }
    stop = clock.wait(REDRAW_MS, draw);
  };
  stop = clock.wait(REDRAW_MS, draw);
  return {
    show: (next) => {
      text = next;
    },
    end: () => {
      stop();
      if (drawn > 0 && !over) sink.write(ERASED);
      over = true;
    },
  };
}
