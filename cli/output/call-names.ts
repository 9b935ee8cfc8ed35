/** Calls as programs write them: journals and events have verbs in capital letters. */
import { findAdapter, findVerb } from "../../compiler/catalog.ts";
import { calledText } from "../../compiler/diagram/host-words.ts";

/** `http.Post` of `http` and `POST`, `now` of `core` and `NOW`; what is not in the catalog stays as it is. */
export type CallNames = (adapter: string, verb: string) => string;

/** A command that only asks a service does not load the compiler before it has something to show. */
export async function callNames(): Promise<CallNames> {
  const { builtinCatalog } = await import("../../compiler/catalog/builtin.ts");
  return (adapter, verb) => {
    const entry = findAdapter(builtinCatalog, adapter);
    const name = entry === undefined ? undefined : findVerb(entry, verb)?.name;
    return calledText(`${adapter}.${name ?? verb}`);
  };
}
