/**
 * How many connections of clients the open files of the process leave room for. The process itself must be able to open files even when
 * clients hold all the connections allowed to them: a module that could not be read for lack of a descriptor is never tried again,
 * so an adapter that is used for the first time then would fail until the next start.
 */
import { readFileSync } from "node:fs";
import type { ServiceStart } from "../config.ts";

/** For modules, stores, files and connections of adapters, and threads. */
const KEPT = 256;

/** `start` with as many connections as fit into `files`, the most that may be open (null: not known), and a warning when that is fewer. */
export function withinDescriptors(start: ServiceStart, files: number | null): ServiceStart {
  const { config, warnings } = start;
  if (files === null) return start;
  const fitting = Math.max(1, files - Math.min(KEPT, Math.ceil(files / 2)));
  if (config.maxConnections <= fitting) return start;
  const warning = `few_descriptors: ${fitting} connections are taken at a time, not ${config.maxConnections}, as the process may have no more than ${files} files open`;
  return { ...start, config: { ...config, maxConnections: fitting }, warnings: [...warnings, warning] };
}

/** null: not known, or without a limit. */
export function mostOpenFiles(): number | null {
  try {
    return openFilesOf(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    // Linux alone has it.
    return null;
  }
}

/** The limit that holds, of the table in which Linux tells a process its limits. */
export function openFilesOf(limits: string): number | null {
  const [, most] = /^Max open files +([0-9]+) /m.exec(limits) ?? [];
  return most === undefined ? null : Number(most);
}
