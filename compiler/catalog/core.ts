/**
 * The entry of adapter core, generated from the function table: the functions of the language as calls. Published verbs are
 * those the table names; the other functions are accepted as verbs too, but unlisted.
 */
import type { AdapterEntry, Parameter, VerbEntry } from "../catalog.ts";
import { FUNCTIONS, type FunctionSignature } from "../functions.ts";
import { compareText } from "../ir/checksum.ts";

export const coreAdapter: AdapterEntry = {
  name: "core",
  support_tier: "core",
  effect_default: "pure",
  recommended_lane: "canonical",
  privilege_tier: "pure",
  destructive: false,
  network_facing: false,
  sandbox_safe: true,
  durable: false,
  open_verbs: false,
  verbs: [...listedVerbs(), ...unlistedVerbs()],
  aliases: aliases(),
};

function listedVerbs(): readonly VerbEntry[] {
  return FUNCTIONS.filter((signature) => signature.verb !== null)
    .map((signature) => verbOf(signature, signature.verb ?? ""))
    .sort((a, b) => compareText(a.name, b.name));
}

function unlistedVerbs(): readonly VerbEntry[] {
  return FUNCTIONS.filter((signature) => signature.verb === null).map((signature) => ({
    ...verbOf(signature, signature.name.toUpperCase()),
    unlisted: true,
  }));
}

/** Reading the clock or randomness is pure for policy, as the contract counts it; the environment and waiting are not. */
function verbOf(signature: FunctionSignature, name: string): VerbEntry {
  const effect_tier = signature.name === "env" ? "io-read" : signature.name === "sleep" ? "control" : "pure";
  const kind = effect_tier === "control" ? "control" : "compute";
  const parameters = signature.parameters.map((parameter, index): Parameter => {
    const named = signature.name === "env" && index === 0;
    return named ? { ...parameter, role: "env" } : { ...parameter };
  });
  return { name, effect_tier, kind, destructive: false, idempotent: true, parameters };
}

function aliases(): Readonly<Record<string, string>> {
  const table: Record<string, string> = {};
  for (const signature of FUNCTIONS) {
    const verb = signature.verb ?? signature.name.toUpperCase();
    for (const word of [signature.name, ...signature.aliases])
      if (word.toUpperCase() !== verb) table[word.toUpperCase()] = verb;
  }
  return table;
}
