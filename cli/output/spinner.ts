/** A line on a terminal that shows that something is waited for, drawn anew while it goes on. */
import type { Clock } from "../../vm/run.ts";
import type { TextSink } from "../io.ts";
import { ERASED, redrawnLine } from "./redrawn-line.ts";

const FRAMES = { utf8: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"], ascii: ["|", "/", "-", "\\"] } as const;
const REDRAW_MS = 100;

export type Spinner = {
  /** What is shown from the next drawing on. */
  show(text: string): void;
  /** Takes the line away; a second time does nothing. */
  end(): void;
};

/** `sink`: one that can redraw. */
export function startSpinner(clock: Pick<Clock, "wait">, sink: TextSink, utf8: boolean): Spinner {
  const frames = utf8 ? FRAMES.utf8 : FRAMES.ascii;
  let text = "waiting";
  let drawn = 0;
  let over = false;
  let stop = (): void => undefined;
  const draw = (): void => {
    sink.write(redrawnLine(`${frames[drawn % frames.length]} ${text}`, sink.columns));
    drawn += 1;
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
