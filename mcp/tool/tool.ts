/**
 * How a tool is defined: name, texts, schemas and its function. What hosts see of it and how its arguments are read are
 * derived from that. It does not depend on a concrete tool.
 */

import * as z from "zod/mini";
import { exactText } from "../../vm/inputs/exact-text.ts";
import type { McpServices } from "../services.ts";
import { type Aliases, type ArgumentsSchema, argumentsFault, readArguments } from "./arguments.ts";
import type { ExposedTool } from "./exposure.ts";
import { failed, type ToolResult } from "./results.ts";
import type { CallContext, ToolListing } from "./sdk.ts";
import { readTexts, typedMembers } from "./text-arguments.ts";

export type Hints = {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
};

/** Looks at programs and catalogs, and touches nothing. */
export const READS_ONLY: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export type ToolDefinition<S extends ArgumentsSchema> = {
  readonly name: ExposedTool;
  readonly title: string;
  readonly description: string;
  /** Where they depend on what the server grants, a function of it. */
  readonly hints: Hints | ((services: McpServices) => Hints);
  /** Of the arguments; `paths`: programs may be named by path. */
  input(options: { readonly paths: boolean }): S;
  readonly aliases?: Aliases;
  /** Of successes and failures alike, since clients check both: only `ok` is always there. */
  readonly output: ArgumentsSchema;
  call(args: z.output<S>, services: McpServices, context: CallContext): ToolResult | Promise<ToolResult>;
};

/** A tool of one server. */
export type Tool = {
  listing(): ToolListing;
  call(given: { readonly [name: string]: unknown }, context: CallContext): Promise<ToolResult>;
};

export function defineTool<S extends ArgumentsSchema>(definition: ToolDefinition<S>): (services: McpServices) => Tool {
  const { name, title, description, hints, output, aliases = {} } = definition;
  return (services) => {
    const input = definition.input({ paths: services.workflowRoot !== null });
    const inputSchema = jsonSchema(input);
    const typed = typedMembers(inputSchema);
    return {
      listing: () => ({
        name,
        title,
        description,
        inputSchema,
        outputSchema: jsonSchema(output),
        annotations: { title, ...(typeof hints === "function" ? hints(services) : hints) },
      }),
      async call(given, context) {
        const { args, lost } = readTexts(given, typed);
        const lostDigits = [...(context.lostDigits ?? []), ...lost];
        const frameText = exactText(args["frame"]);
        const read = readArguments(input, aliases, args);
        if (read.ok) return definition.call(read.value, services, { ...context, lostDigits, frameText });
        return failed("invalid_request", { message: argumentsFault(read.issues), issues: read.issues });
      },
    };
  };
}

type JsonMembers = { readonly [name: string]: unknown };

/**
 * JSON Schema 2020-12, which is what MCP assumes where a schema does not say; without members that say nothing, to keep lists short. Every
 * object has `properties`, which OpenAI asks for.
 */
function jsonSchema(schema: ArgumentsSchema): JsonMembers {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return compact(rest) as JsonMembers;
}

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name, member]) => !(name === "additionalProperties" && isEmpty(member)));
  const members = Object.fromEntries(kept.map(([name, member]) => [name, compact(member)]));
  return members["type"] === "object" && members["properties"] === undefined ? { ...members, properties: {} } : members;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
