/** Deciders of the operator file: modules named and pinned as plugins are, loaded before anything is served. Throws StartFault. */
import type { PolicyDecider } from "../operator/deciders.ts";
import {
  checkHash,
  fault,
  hashOf,
  importOf,
  moduleFile,
  originOf,
  type PluginEntry,
  readPluginEntries,
} from "./entries.ts";

const NAME = /^[a-z][a-z0-9_-]{0,60}$/;

/** All of the list, in its order: the one that is asked first stands first. */
export async function loadDeciders(
  list: unknown,
  where: string,
  baseFolder: string,
): Promise<readonly PolicyDecider[]> {
  const deciders: PolicyDecider[] = [];
  for (const entry of readPluginEntries(list, where)) {
    const decider = await loadDecider(entry, baseFolder);
    if (deciders.some(({ name }) => name === decider.name))
      throw fault(originOf(entry), `its name ${decider.name} is that of another decider`);
    deciders.push(decider);
  }
  return deciders;
}

async function loadDecider(entry: PluginEntry, baseFolder: string): Promise<PolicyDecider> {
  const origin = originOf(entry);
  if (entry.isolation === "process") throw fault(origin, "a decider is a module of this process");
  const file = await moduleFile(entry.module, baseFolder);
  checkHash(entry, await hashOf([file]));
  const exports = Object.values(await importOf(origin, file, baseFolder));
  const found = exports.find(isDecider);
  if (found === undefined) throw fault(origin, "exports no decider (an object with name and decide)");
  if (!NAME.test(found.name)) throw fault(origin, "the name of a decider is lower-case letters, digits, _ and -");
  return found;
}

function isDecider(value: unknown): value is PolicyDecider {
  if (typeof value !== "object" || value === null) return false;
  return "name" in value && typeof value.name === "string" && "decide" in value && typeof value.decide === "function";
}
