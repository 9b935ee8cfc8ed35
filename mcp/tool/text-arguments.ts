/**
 * Some clients send an argument that is an object or a list as the text of its JSON. Where the schema of a tool asks for an object or a
 * list, such a text is read.
 */
import type { Members } from "../../compiler/json.ts";
import { type LostDigits, numbersOf } from "../../vm/values/exact-numbers.ts";
import { checkedJson } from "../../vm/values/values.ts";

type Schema = { readonly [keyword: string]: unknown };
export type ReadTexts = {
  readonly args: Members;
  /** Whole numbers in the texts that lost digits when they were read; paths begin at the arguments. */
  readonly lost: readonly LostDigits[];
};

/** Names of the members of a JSON Schema that are objects or lists. */
export function structuredMembers({ properties = {} }: { readonly properties?: unknown }): ReadonlySet<string> {
  const members = Object.entries(properties as { readonly [name: string]: Schema });
  return new Set(members.filter(([, member]) => isStructured(member)).map(([name]) => name));
}

function isStructured({ type, anyOf }: Schema): boolean {
  if (Array.isArray(anyOf)) return anyOf.every((one) => isStructured(one as Schema));
  return type === "object" || type === "array";
}

/** A text that is not the JSON of an object or a list stays as it is: the schema refuses it. */
export function readTexts(given: Members, structured: ReadonlySet<string>): ReadTexts {
  const lost: LostDigits[] = [];
  const args = Object.entries(given).map(([name, value]): [string, unknown] => {
    if (typeof value !== "string" || !structured.has(name)) return [name, value];
    const read = structureIn(value);
    if (read === null) return [name, value];
    const found = numbersOf(value)?.lost ?? [];
    lost.push(...found.map((one) => ({ ...one, path: `/${name}${one.path}` })));
    return [name, read];
  });
  return { args: Object.fromEntries(args), lost };
}

function structureIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    // What nests too deeply stays text, because it is looked into below.
    return typeof value === "object" && value !== null ? (checkedJson(value) as object) : null;
  } catch {
    return null;
  }
}
