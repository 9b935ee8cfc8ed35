/**
 * What a plugin of its own process may ask the host for: HTTP requests and files, in the name of a call that is under way, and within
 * bounds that the plugin has no say in. Hosts are those of its merged settings, files those of a folder of its own.
 */

import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import type { OpenCall } from "../../definition/define.ts";
import { WaitingLine } from "../../engine/waiting-line.ts";
import { adapterError } from "../../errors.ts";
import type { HostCalls, ReachFacts } from "./host-facts.ts";
import { HostFiles } from "./host-files.ts";
import { HostHttp } from "./host-http.ts";

/** The services of one instance. */
export type HostReach = {
  request(service: string, request: JsonObject, signal: AbortSignal): Promise<Json>;
  close(): Promise<void>;
};

/** A request to the plugin that is under way. */
export type Asking = { readonly reach: HostReach; readonly signal: AbortSignal };
/** Requests of one plugin that are served at once, and that wait for their turn: each takes connections, descriptors and memory. */
const MAX_AT_ONCE = 16;
const MAX_WAITING = 1000;

/** Answers `{id, call, service, request}`; `asking` finds the call by its id. */
export function hostCallsOf(asking: (id: number) => Asking | null): HostCalls {
  const turns = Array.from({ length: MAX_AT_ONCE }, (_, turn) => turn);
  const line = new WaitingLine(turns, { waiting: MAX_WAITING, busy });
  return async ({ call, service, request }) => {
    const found = typeof call === "number" ? asking(call) : null;
    if (found === null) throw adapterError("ADAPTER_CANCELLED", "no such call is under way");
    if (typeof service !== "string" || !isObject(request))
      throw adapterError("ADAPTER_BAD_ARGS", "a host message has call, service and request");
    const turn = await line.take(found.signal);
    try {
      return await found.reach.request(service, request, found.signal);
    } finally {
      line.give(turn);
    }
  };
}

function busy(): AdapterError {
  return adapterError("ADAPTER_BUSY", "too many requests of the plugin to the host are under way");
}

export function reachOf({ name, needs = [], settings = {} }: ReachFacts, call: OpenCall<unknown>): HostReach {
  const adapter = String(name);
  const http = needs.includes("http") ? new HostHttp(adapter, settings, call) : null;
  const files = needs.includes("files") ? new HostFiles(adapter, call) : null;
  return {
    async request(service, request, signal) {
      if (service === "http" && http !== null) return http.request(request, signal);
      if (service === "files" && files !== null) return files.request(request, signal);
      throw adapterError(
        "ADAPTER_NOT_ALLOWED",
        "the definition does not list this service under needs, or the service is unknown",
      );
    },
    close: async () => http?.close(),
  };
}
