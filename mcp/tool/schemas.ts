/** Pieces of the tools' schemas. Outputs are loose: they name what clients look for and admit the members of every failure. */
import * as z from "zod/mini";

/** A schema with a sentence about it. */
export function described<T extends z.ZodMiniType>(schema: T, description: string): T {
  return schema.check(z.describe(description)) as T;
}

export const optionalText = z.optional(z.string());
export const optionalFlag = z.optional(z.boolean());
const optionalObject = z.optional(z.looseObject({}));
const optionalTexts = z.optional(z.array(z.string()));
const optionalObjects = z.optional(z.array(z.looseObject({})));

const code = described(z.string(), "program, as `def main(n):\\n    return n * 2`");
const files = anyNames("files it imports, by path");
const path = described(z.string(), "or its .wf file");
const either = { code: z.optional(code), path: z.optional(path), files };

/** A program: as text, or by its path where the server has a folder of programs; elsewhere `path` is an unknown member. */
export function sourceMembers({ paths }: { readonly paths: boolean }): typeof either {
  return paths ? either : ({ code, files } as unknown as typeof either);
}

type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * An object that the gateway reads, because what is wrong with it depends on grant and catalog: the schema tells hosts of its members and
 * lets every value pass.
 */
export function readByGateway(
  members: readonly string[],
  member: JsonSchema,
  further: Record<string, JsonSchema> = {},
) {
  const properties = { ...Object.fromEntries(members.map((name) => [name, member])), ...further };
  const schema = { type: "object", properties, additionalProperties: false };
  return z.optional(z.unknown().check(z.meta(schema)));
}

/** An object with names of the caller's choice. It passes as it is: a copy by the schema would make `__proto__` its prototype. */
export function anyNames(description: string) {
  return z.optional(z.unknown().check(z.meta({ type: "object", description })));
}

/** What each name in a result holds. */
// Strict clients refuse a list whose items have no type.
const OUTPUT_TYPES = {
  text: optionalText,
  flag: optionalFlag,
  object: optionalObject,
  texts: optionalTexts,
  objects: optionalObjects,
} as const;

export function output(members: Readonly<Record<string, keyof typeof OUTPUT_TYPES | "any">>) {
  const shape = Object.entries(members).map(([name, type]) => [
    name,
    type === "any" ? z.optional(z.unknown()) : OUTPUT_TYPES[type],
  ]);
  return z.looseObject({ ok: z.boolean(), ...Object.fromEntries(shape) }) as z.ZodMiniObject;
}
