/** Which zone a calendar means by a name of its own: an IANA name, however it is dressed up, or the name that Windows has for it. */
import { namedZone, type Zone } from "./events/time.ts";
import { WINDOWS_ZONES } from "./windows-zones.ts";

const WINDOWS: ReadonlyMap<string, string> = new Map(
  [...WINDOWS_ZONES].map(([name, zone]) => [name.toLowerCase(), zone]),
);
/** Segments of the longest IANA names: `America/Argentina/Buenos_Aires`. */
const MAX_SEGMENTS = 3;

/**
 * Null for an unknown name. Offsets such as `GMT+0200` are not read: some programs write the sign as POSIX has it, the other way
 * round.
 */
export function zoneCalled(written: string): Zone | null {
  const name = written.trim().replace(/^(["'])(.*)\1$/, "$2");
  const known = namedZone(name) ?? namedZone(WINDOWS.get(name.toLowerCase().replaceAll("_", " ")) ?? "");
  if (known !== null) return known;
  // Global names (RFC 5545, 3.2.19) end with the IANA name: `/Europe/Vienna`, `/mozilla.org/20070129_1/Europe/Vienna`.
  const segments = name.replaceAll(" ", "_").split("/");
  for (let count = Math.min(MAX_SEGMENTS, segments.length); count > 0; count--) {
    const zone = namedZone(segments.slice(-count).join("/"));
    if (zone !== null) return zone;
  }
  return null;
}
