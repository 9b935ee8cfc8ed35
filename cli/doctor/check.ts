import type { Session } from "../session/session.ts";

export type CheckContext = {
  /** Loads the plugins of the operator, so it may fail. */
  readonly session: Session;
  readonly withAdapters: (session: Session) => Promise<Session>;
  /** Folders that are missing are to be made, and packages to be installed. */
  readonly fix: boolean;
};

export type Finding = {
  readonly state: "ok" | "warn" | "fail";
  readonly message: string;
  /** How to fix it; null when nothing is wrong. */
  readonly fix: string | null;
};

export type Check = { readonly name: string; look(context: CheckContext): Finding | Promise<Finding> };

export const fine = (message: string): Finding => ({ state: "ok", message, fix: null });
export const warn = (message: string, fix: string): Finding => ({ state: "warn", message, fix });
export const fail = (message: string, fix: string): Finding => ({ state: "fail", message, fix });

/** The word of the system or of SQLite for what went wrong: all of an error that can be shown. */
export function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "error";
}
