/** A store that was restored from a copy, in either database. */

import type { Ask } from "../port.ts";
import type { Restoring } from "../store.ts";
import type { restoreChanges } from "./restored.ts";

export function restoring(change: Ask<typeof restoreChanges>): Restoring {
  return { end: (most) => change("endRestored", most), pause: () => change("pauseRestored", null as never) };
}
