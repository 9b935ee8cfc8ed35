/**
 * How each surface reads its environment: its own variables through a schema of its own, then those that mean the same everywhere
 * (`host-config.ts`). Faults name the variable and the form it needs, never its value.
 */
import { nearest } from "../../grammar/text/nearest.ts";
import {
  CONTRACT_PLACES,
  HOST_VARIABLES,
  type HostConfig,
  readHostConfig,
  SECRET_VARIABLE,
  type Variables,
} from "./host-config.ts";

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };
type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
/** A schema of zod, or of its small build. */
type VariablesSchema<T> = {
  readonly shape: Readonly<Record<string, unknown>>;
  safeParse(values: unknown): Parsed<T>;
};
/** Makes the error of a surface from a sentence. */
type MakeFault = (message: string) => Error;

/** The variables of `schema`, without blanks around them; an empty one counts as unset. Throws `fault`. */
export function readVariables<T>(schema: VariablesSchema<T>, variables: Variables, fault: MakeFault): T {
  const given = Object.keys(schema.shape).map((name) => {
    const value = Object.hasOwn(variables, name) ? variables[name]?.trim() : undefined;
    return [name, value === "" ? undefined : value] as const;
  });
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw fault(`environment variable ${String(issue?.path[0])} ${issue?.message ?? "is not valid"}`);
}

/** The variables that mean the same on every surface. Throws `fault`. */
export function readCommonVariables(variables: Variables, fault: MakeFault): HostConfig {
  const common = readHostConfig(variables, CONTRACT_PLACES);
  if (common.ok) return common.config;
  throw fault(`environment variable ${common.variable} ${common.message}`);
}

/** Warnings about set variables of Weft that a surface knows nothing of. `own`: its variables; `foreign`: those of other surfaces. */
export function unknownVariables(
  variables: Variables,
  own: readonly string[],
  foreign: RegExp,
  surface: string,
): string[] {
  const known = new Set([...own, ...HOST_VARIABLES]);
  return Object.keys(variables)
    .filter((name) => name.startsWith("WF_") && variables[name] !== "")
    .filter((name) => !known.has(name) && !foreign.test(name) && !SECRET_VARIABLE.test(name))
    .map((name) => {
      const near = nearest(name, known);
      const hint = near === null ? "" : `; did you mean ${near}?`;
      return `unknown_variable: ${name} is not a variable of this ${surface}${hint}`;
    });
}
