import type { Json, JsonObject } from "../../../compiler/json.ts";

/** Does what a `host` message of the plugin asks for. */
export type HostCalls = (message: JsonObject) => Promise<Json>;

/** What the definition says of its needs. */
export type ReachFacts = {
  readonly name?: unknown;
  readonly needs?: readonly string[] | undefined;
  readonly settings?: Readonly<Record<string, { readonly merge: string }>> | undefined;
};
