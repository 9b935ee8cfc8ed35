import type { IncomingHttpHeaders } from "node:http";
import { single } from "../http/request-context.ts";
import { faults } from "../wire/errors.ts";

/** Whether the run continues when its caller goes away. A misspelt word would cancel what was to be kept: throws ServiceFault. */
export function outlivesCaller(headers: IncomingHttpHeaders): boolean {
  const word = single(headers["wf-on-disconnect"])?.toLowerCase() ?? "cancel";
  if (word === "continue" || word === "cancel") return word === "continue";
  const message = "WF-On-Disconnect must be continue or cancel";
  throw faults.invalidRequest([{ path: "", code: "value", message }], "headers");
}
