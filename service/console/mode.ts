/** What the console may do: nothing, look, or act; and whether it shows values. */
import type { IncomingMessage } from "node:http";
import { ServiceFault } from "../wire/errors.ts";

export type ConsoleMode = "off" | "read" | "act";

export type ConsoleRules = {
  readonly mode: ConsoleMode;
  /** Results and variables are shown, and not only their shapes. */
  readonly values: boolean;
};

/** The header that the page sends with everything that changes something: no plain form of another page can send it. */
const PAGE_HEADER = "x-wf-ui";

/** The pages of links are of this origin, too, and have a proof of their own. */
const FORMS = /^\/a\//;
const DECISIONS = /^\/approvals\/[0-9a-f]{32}$/;
/** It draws a text, and changes nothing. */
const PURE_PATH = "/ui/layout";

/**
 * Throws ServiceFault ui_read_only for a request of a page that may not act. The console is the only page of this origin, so what a
 * browser sends with it is the console's or pretends to be; programs that send no Origin are not concerned.
 */
export function checkConsole(
  { mode }: ConsoleRules,
  { method = "", url = "", headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  namesPeople: boolean,
): void {
  if (mode === "off" || method === "GET" || method === "HEAD" || method === "OPTIONS") return;
  const { origin, host } = headers;
  const own = origin !== undefined && host !== undefined && origin.toLowerCase().endsWith(`://${host.toLowerCase()}`);
  if (!own || FORMS.test(url)) return;
  const isPage = headers[PAGE_HEADER] === "1";
  // Who may decide is then said by the proxy, so people decide in a console that only reads, too.
  const isOfPeople = namesPeople && DECISIONS.test(url);
  if (isPage && (mode === "act" || isOfPeople || url === PURE_PATH)) return;
  const why =
    mode === "act" ? "a page must send X-WF-UI: 1 with what it changes" : "the console of this service only reads";
  throw new ServiceFault("ui_read_only", why);
}
