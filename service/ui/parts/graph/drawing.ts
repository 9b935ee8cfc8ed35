/** Drawings of a text, which the service lays out and keeps nothing of. */
import { useEffect, useState } from "preact/hooks";
import type { Layout } from "../../../console/layout/shapes.ts";
import { send } from "../../api.ts";

/** `source`: a box for each line of a program in Python, of any other the steps. */
export type GraphView = "source" | "steps" | "labels";

const drawText = (code: string, view: GraphView, signal: AbortSignal): Promise<Layout> =>
  send<Layout>("POST", "/ui/layout", { code, view }, signal);

/** A text that is written on has changed by then. */
const PAUSE_MS = 150;

export type LiveDrawing = {
  /** The last one that came. It stays until there is another. */
  readonly layout: Layout | null;
  /** The text that it is of. */
  readonly of: string | null;
  /** It is one of an earlier text, because the present one cannot be read. */
  readonly isOld: boolean;
  /** Why none came. */
  readonly problem: string | null;
};

const NONE: LiveDrawing = { layout: null, of: null, isOld: false, problem: null };

/** Follows a text while it is written. `code`: null where it cannot be read. `isWanted`: without it nothing is sent. */
export function useLiveDrawing(code: string | null, view: GraphView, isWanted: boolean): LiveDrawing {
  const [live, setLive] = useState(NONE);
  useEffect(() => {
    if (!isWanted) return;
    if (code === null) return setLive((before) => ({ ...before, isOld: true, problem: null }));
    const ended = new AbortController();
    const failed = (cause: unknown) => {
      if (ended.signal.aborted) return;
      const problem = cause instanceof Error ? cause.message : String(cause);
      setLive((before) => ({ ...before, isOld: true, problem }));
    };
    const timer = setTimeout(() => {
      drawText(code, view, ended.signal).then(
        (layout) => setLive({ layout, of: code, isOld: false, problem: null }),
        failed,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [code, view, isWanted]);
  return live;
}
