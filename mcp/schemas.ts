/** Pieces of the tools' schemas. Outputs are loose: they name what clients look for and admit the members of every failure. */
import * as z from "zod/mini";

/** A schema with a sentence about it. */
export function described<T extends z.ZodMiniType>(schema: T, description: string): T {
  return schema.check(z.describe(description)) as T;
}

export const optionalText = z.optional(z.string());
export const optionalFlag = z.optional(z.boolean());
const optionalObject = z.optional(z.looseObject({}));
const optionalList = z.optional(z.array(z.unknown()));

const source = {
  code: described(optionalText, "program text"),
  path: described(optionalText, "or its .wf file"),
};

/** A program: as text, or by its path where the server has a folder of programs; elsewhere `path` is an unknown member. */
export function sourceMembers({ paths }: { readonly paths: boolean }): typeof source {
  return paths ? source : ({ code: source.code } as typeof source);
}

/** What each name in a result holds. */
const OUTPUT_TYPES = { text: optionalText, flag: optionalFlag, object: optionalObject, list: optionalList } as const;

export function output(members: Readonly<Record<string, keyof typeof OUTPUT_TYPES | "any">>) {
  const shape = Object.entries(members).map(([name, type]) => [
    name,
    type === "any" ? z.optional(z.unknown()) : OUTPUT_TYPES[type],
  ]);
  return z.looseObject({ ok: z.boolean(), ...Object.fromEntries(shape) }) as z.ZodMiniObject;
}
