/** The tools that are always there: pure, without any declaration. */
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { Tool } from "./tool.ts";

const PLAIN = { type: ["string", "number", "boolean"] };

export const BUILTIN_TOOLS = {
  echo: builtin("echo", "Hands back its argument; several as a list", { type: "array" }, (args) =>
    args.length <= 1 ? (args[0] ?? null) : args,
  ),
  sum: builtin("sum", "The sum of its numbers", { type: "array", items: { type: "number" } }, (args) =>
    args.reduce<number>((sum, arg) => sum + Number(arg), 0),
  ),
  join: builtin(
    "join",
    "The texts of a list with a separator between them",
    { type: "array", prefixItems: [{ type: "string" }, { type: "array", items: PLAIN }], minItems: 2, maxItems: 2 },
    ([separator, list]) => (list as readonly Json[]).map(String).join(String(separator)),
  ),
} as const;

function builtin(name: string, summary: string, argsSchema: JsonObject, act: (args: readonly Json[]) => Json): Tool {
  const facts = { summary, effect: "pure", argsSchema, resultSchema: null, retryable: false, timeoutMs: null } as const;
  return { name, facts, run: ({ args }) => act(args) };
}
