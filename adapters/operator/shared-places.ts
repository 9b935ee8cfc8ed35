/**
 * Where nothing says where memory and agent keep their state, it is in fixed places below /tmp, as the contract has it. They are made for
 * their user alone, so a service that only its own machine reaches does not share them, unless another user was there first.
 */
import { lstatSync } from "node:fs";
import { errnoOf } from "../guard/files/errors.ts";
import { CONTRACT_PLACES, type HostConfig } from "./host-config.ts";

/** Facts of a file or folder; null: there is nothing. Throws what `lstat` throws otherwise. */
type Look = (path: string) => { readonly uid: number; readonly mode: number } | null;
type SharedPlacesOf = {
  /** Other machines can reach the service. */
  readonly isReachable: boolean;
  /** The user of this process; undefined where the system has no such numbers. */
  readonly user: number | undefined;
  readonly look?: Look;
};

/** Bits of a mode that let others read, write or enter. */
const OTHERS = 0o077;

export function sharedPlaceWarnings(
  { places, databaseUrl }: Pick<HostConfig, "places" | "databaseUrl">,
  { isReachable, user, look = lookAt }: SharedPlacesOf,
): readonly string[] {
  if (databaseUrl !== null) return [];
  const used = [places.agentRoot, places.memoryDb].filter((place) => CONTRACT.has(place));
  if (used.length === 0) return [];
  const taken = used.find((place) => place !== null && isOfOthers(place, { user, look }));
  if (taken !== undefined && taken !== null)
    return [`shared_places: ${taken} belongs to another user of this machine, or others may use it; ${FIX}`];
  if (!isReachable) return [];
  return [`shared_places: mailboxes or memory of a service that other machines can reach are in /tmp; ${FIX}`];
}

const CONTRACT: ReadonlySet<string | null> = new Set(Object.values(CONTRACT_PLACES));
const FIX = "set WF_AGENT_ROOT and WF_MEMORY_DB";

/** Also a link: its own mode lets everybody use it. */
function isOfOthers(
  place: string,
  { user, look }: { readonly user: number | undefined; readonly look: Look },
): boolean {
  if (user === undefined) return false;
  try {
    const found = look(place);
    return found !== null && (found.uid !== user || (found.mode & OTHERS) !== 0);
  } catch {
    return true;
  }
}

function lookAt(path: string) {
  try {
    return lstatSync(path);
  } catch (cause) {
    if (errnoOf(cause) === "ENOENT") return null;
    throw cause;
  }
}
