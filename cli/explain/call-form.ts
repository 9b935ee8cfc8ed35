/** How calls are written down for readers: parameters, the line of a verb, and the facts of a verb that policies look at. */
import type { AdapterEntry, Parameter, VerbEntry } from "../../compiler/catalog.ts";

/** ` text start? length?`, as usages of ops are written. */
export function parametersText(parameters: readonly Pick<Parameter, "name" | "optional" | "repeat">[]): string {
  return parameters.map(({ name, optional, repeat }) => ` ${name}${repeat ? "*" : optional ? "?" : ""}`).join("");
}

/** `(path, options?)`, as calls of Python are written. */
export function bracketsText(parameters: readonly Pick<Parameter, "name" | "optional" | "repeat">[]): string {
  return `(${parameters.map(({ name, optional, repeat }) => `${name}${repeat ? "…" : optional ? "?" : ""}`).join(", ")})`;
}

/** `result = fs.read(path, options?)` */
export function pythonForm(adapter: AdapterEntry, verb: VerbEntry): string {
  return `result = ${adapter.name}.${verb.name}${bracketsText(verb.parameters ?? [])}`;
}

/** The same in the opcode form: `R fs.read path options? ->result` */
export function callForm(adapter: AdapterEntry, verb: VerbEntry): string {
  return `R ${adapter.name}.${verb.name}${parametersText(verb.parameters ?? [])} ->result`;
}

export function verbFacts(adapter: AdapterEntry, verb: VerbEntry): string[] {
  return [
    `effect ${verb.effect_tier}`,
    `privilege ${adapter.privilege_tier}`,
    ...(verb.destructive ? ["destructive"] : []),
    ...(verb.idempotent === true ? ["idempotent"] : verb.idempotent === "keyed" ? ["idempotent with a key"] : []),
    ...(adapter.network_facing ? ["network"] : []),
  ];
}
