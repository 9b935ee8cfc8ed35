/** Where a path really leads, and what lies inside what. Nothing here judges a path. */
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { ifPresent } from "./errors.ts";

/** As many links in a row as Linux follows. */
export const MAX_LINKS = 40;

/** Whether `path` is `folder` or lies below it; both absolute and normalized. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** As realpath, for paths whose last parts need not exist. Rejects with errno ELOOP where links go in circles. */
export async function realTarget(path: string, links = 0): Promise<string> {
  const whole = await ifPresent(realpath(path));
  if (whole !== undefined) return whole;
  const parent = await realTarget(dirname(path), links);
  const here = join(parent, basename(path));
  const link = links < MAX_LINKS ? await readlink(here).catch(() => undefined) : undefined;
  return link === undefined ? here : realTarget(resolve(parent, link), links + 1);
}
