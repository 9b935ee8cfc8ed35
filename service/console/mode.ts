/** What the console may do: nothing, look, or act; and whether it shows values. */
import type { IncomingHttpHeaders } from "node:http";
import { ServiceFault } from "../wire/errors.ts";

export type ConsoleMode = "off" | "read" | "act";

export type ConsoleRules = {
  readonly mode: ConsoleMode;
  /** Results and variables are shown, and not only their shapes. */
  readonly values: boolean;
};

/** The header that the page sends with everything that changes something: no plain form of another page can send it. */
const PAGE_HEADER = "x-wf-ui";

/** It draws a text, and changes nothing. */
const PURE_PATH = "/ui/layout";

type ConsoleRequest = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders };

/**
 * Throws ServiceFault ui_read_only for a request of a page that may not act. The console is the only page of this origin, so what a
 * browser sends with it is the console's or pretends to be; programs that send no Origin are not concerned.
 */
export function checkConsole({ mode }: ConsoleRules, { method, url, headers }: ConsoleRequest): void {
  if (mode === "off" || method === "GET" || method === "HEAD" || method === "OPTIONS") return;
  const { origin, host } = headers;
  const own = origin !== undefined && host !== undefined && origin.toLowerCase().endsWith(`://${host.toLowerCase()}`);
  if (!own) return;
  if ((mode === "act" || url === PURE_PATH) && headers[PAGE_HEADER] === "1") return;
  const why =
    mode === "act" ? "a page must send X-WF-UI: 1 with what it changes" : "the console of this service only reads";
  throw new ServiceFault("ui_read_only", why);
}
