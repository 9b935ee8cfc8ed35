/** Calls as a journal names them, in the words of programs. */
import { useMemo } from "preact/hooks";
import { useData } from "../loading.ts";

/** `name`: as in programs, `http.Post`; `effect`: undefined for an adapter or verb that the service does not have. */
export type CallWords = { readonly name: string; readonly effect: string | undefined };

type Capabilities = {
  readonly adapters: Readonly<Record<string, { readonly verb_effects: Readonly<Record<string, string>> }>>;
};
type Called = { readonly adapter?: string; readonly verb?: string };

/** A journal has verbs in capital letters; the service's own list has them as they are written. The function is the same while the list is. */
export function useCallWords(): (call: Called) => CallWords {
  const { data } = useData<Capabilities>("/capabilities", null);
  return useMemo(() => {
    const known = new Map<string, CallWords>();
    for (const [adapter, { verb_effects }] of Object.entries(data?.adapters ?? {}))
      for (const [verb, effect] of Object.entries(verb_effects))
        known.set(`${adapter}.${verb.toUpperCase()}`, { name: `${adapter}.${verb}`, effect });
    return ({ adapter = "", verb = "" }) =>
      adapter === ""
        ? { name: "", effect: undefined }
        : (known.get(`${adapter}.${verb.toUpperCase()}`) ?? { name: `${adapter}.${verb}`, effect: undefined });
  }, [data]);
}
