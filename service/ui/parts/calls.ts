/** Calls and steps as a journal names them, in the words of programs. */
import { writtenLabel } from "../../../grammar/text/written-label.ts";
import { useData } from "../loading.ts";

/** `name`: as in programs, `http.Post`; `effect`: undefined for an adapter or verb that the service does not have. */
export type CallWords = { readonly name: string; readonly effect: string | undefined };

type Capabilities = {
  readonly adapters: Readonly<Record<string, { readonly verb_effects: Readonly<Record<string, string>> }>>;
};
type Called = { readonly adapter?: string; readonly verb?: string };
type Step = { readonly label?: string; readonly node?: string };

/** A journal has verbs in capital letters; the service's own list has them as they are written. */
export function useCallWords(): (call: Called) => CallWords {
  const { data } = useData<Capabilities>("/capabilities", null);
  return ({ adapter = "", verb = "" }) => {
    const verbs = Object.entries(data?.adapters[adapter]?.verb_effects ?? {});
    const [written, effect] = verbs.find(([name]) => name.toUpperCase() === verb.toUpperCase()) ?? [verb];
    return { name: adapter === "" ? "" : `${adapter}.${written}`, effect };
  };
}

/** `L1/n2`; "" for a record of the whole run. */
export function stepText({ label, node }: Step): string {
  if (label === undefined) return "";
  return node === undefined ? writtenLabel(label) : `${writtenLabel(label)}/${node}`;
}
