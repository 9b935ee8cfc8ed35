/** Lists of frames as requests bring them along. */
import { counted } from "../../grammar/text/english.ts";
import { faults } from "../wire/errors.ts";

/** Throws ServiceFault invalid_request. */
export function checkFrameCount(frames: unknown, least: number, most: number): void {
  if (!Array.isArray(frames) || (frames.length >= least && frames.length <= most)) return;
  const message =
    frames.length < least
      ? `must have at least ${counted(least, "frame")}`
      : `must have at most ${counted(most, "frame")}`;
  throw faults.invalidRequest([{ path: "/frames", code: "range", message }]);
}

/** Names of the variables that some frame has. */
export function namesIn(frames: readonly object[]): readonly string[] {
  const names = new Set<string>();
  // A list of names for each frame would take longer than this whole function.
  for (const frame of frames) for (const name in frame) names.add(name);
  return [...names];
}
