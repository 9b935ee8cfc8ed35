/** What the console may do: nothing, look, act, or only run what is written in its playground; and whether it shows values. */
import type { IncomingMessage } from "node:http";
import { ServiceFault } from "../wire/errors.ts";

export const CONSOLE_MODES = ["off", "read", "act", "playground"] as const;
export type ConsoleMode = (typeof CONSOLE_MODES)[number];

export type ConsoleRules = {
  readonly mode: ConsoleMode;
  /** Results and variables are shown, and not only their shapes. */
  readonly values: boolean;
  /** What the operator calls this service, such as `production`: letters, digits, spaces, dots, dashes and underscores. */
  readonly environment: string | null;
  /** What the service is for, such as `Orders`: of the same characters. */
  readonly name: string | null;
};

/** The header that the page sends with everything that changes something: no plain form of another page can send it. */
const PAGE_HEADER = "x-wf-ui";

/** Browsers say with it whether a page sends to its own origin, and no page can set it. */
const SITE_HEADER = "sec-fetch-site";

/** The pages of links are of this origin, too, and have a proof of their own. */
const FORMS = /^\/a\//;
const DECISIONS = /^\/(approvals\/[0-9a-f]{32}|proposals\/[0-9a-f]{32}\/(accept|decline))$/;
/** It draws a text, and changes nothing. */
const PURE_PATH = "/ui/layout";
/** What a playground does besides. */
const RUN_PATH = "/run";

const WHY = {
  read: "the console of this service only reads",
  act: "a page must send X-WF-UI: 1 with what it changes",
  playground: "the console of this service only runs what is written in its playground",
} as const;

/** Behind a proxy that changes the Host, the console's origin is one of WF_ALLOWED_ORIGINS, like those of other pages that may call the API. */
function isOwn({ origin, host, [SITE_HEADER]: site }: IncomingMessage["headers"]): boolean {
  if (origin === undefined) return false;
  return site === "same-origin" || (host !== undefined && origin.toLowerCase().endsWith(`://${host.toLowerCase()}`));
}

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
  const isPage = headers[PAGE_HEADER] === "1";
  if ((!isPage && !isOwn(headers)) || FORMS.test(url)) return;
  // Who may decide is then said by the proxy, so people decide in a console that only reads, too.
  const isOfPeople = namesPeople && DECISIONS.test(url);
  const isOfPlayground = mode === "playground" && url === RUN_PATH;
  if (isPage && (mode === "act" || isOfPeople || isOfPlayground || url === PURE_PATH)) return;
  throw new ServiceFault("ui_read_only", WHY[mode]);
}
