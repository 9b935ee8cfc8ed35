/** Calls as a journal names them, in the words of programs. */
import { useMemo } from "preact/hooks";
import { hostArguments, hostName } from "../../../compiler/diagram/host-words.ts";
import { useData } from "../loading.ts";

/** `name`: as in programs, `http.Post` or `sleep`, with its arguments where they are known: `http.Post("https://…")`; `effect`: undefined for an adapter or verb that the service does not have. */
export type CallWords = { readonly name: string; readonly effect: string | undefined };

type Capabilities = {
  readonly adapters: Readonly<Record<string, { readonly verb_effects: Readonly<Record<string, string>> }>>;
};
/** `seq`: of its record. */
type Called = { readonly adapter?: string; readonly verb?: string; readonly seq?: number };
type ArgumentsOf = ReadonlyMap<number, string>;
const NONE: ArgumentsOf = new Map();

/**
 * A journal has verbs in capital letters; the service's own list has them as they are written. `args`: by number of the record, as far as they are
 * known. The function is the same while the list and `args` are.
 */
export function useCallWords(args: ArgumentsOf = NONE): (call: Called) => CallWords {
  const { data } = useData<Capabilities>("/capabilities", null);
  return useMemo(() => {
    const known = new Map<string, CallWords>();
    for (const [adapter, { verb_effects }] of Object.entries(data?.adapters ?? {}))
      for (const [verb, effect] of Object.entries(verb_effects))
        known.set(`${adapter}.${verb.toUpperCase()}`, { name: `${adapter}.${verb}`, effect });
    return ({ adapter = "", verb = "", seq = 0 }) => {
      if (adapter === "") return { name: "", effect: undefined };
      const { name = `${adapter}.${verb}`, effect } = known.get(`${adapter}.${verb.toUpperCase()}`) ?? {};
      const host = hostName(adapter, verb);
      const given = args.get(seq);
      if (given === undefined) return { name: host ?? name, effect };
      return { name: host === null ? `${name}(${given})` : `${host}(${hostArguments(verb, given)})`, effect };
    };
  }, [data, args]);
}
