import type { AdapterLog } from "../definition/effect.ts";

/** What is there before it was checked. */
export type Found = { readonly value: unknown; close(): Promise<void> };

export type LoadDeps = {
  /** Absolute; what paths of the entry count from. */
  readonly baseFolder: string;
  /** Where a plugin of its own process gets the variables that the entry names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: AdapterLog;
  /** Default 10 s. */
  readonly timeoutMs?: number;
};
