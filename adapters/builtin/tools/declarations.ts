/**
 * The operator's section `tools` as a schema: what each kind of tool needs. Nothing in it can come from a caller.
 * Programs and files are named by absolute paths, so that no search path decides what runs.
 */

import type { Json } from "../../../compiler/json.ts";
import { z } from "../../definition/define.ts";

const absolute = z
  .string()
  .startsWith("/")
  .refine((path) => !path.includes("\0"));
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const schema = z.record(z.string(), z.json() as z.ZodType<Json>);
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

const facts = {
  summary: z.string().default(""),
  effect: z.enum(["pure", "io-read", "io-write"]).default("io-write"),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  retryable: z.boolean().default(false),
  timeout_s: z.number().positive().max(300).optional(),
  args_schema: schema.optional(),
  result_schema: schema.optional(),
};
const program = {
  argv: z.tuple([absolute], z.string()),
  env: z.array(variable).default([]),
  cwd: absolute.optional(),
  max_output_bytes: z.number().int().positive().default(1_048_576),
};

const processTool = z.strictObject({
  kind: z.literal("process"),
  ...facts,
  ...program,
  input: z.enum(["json_stdin"]).default("json_stdin"),
  output: z.enum(["json_stdout", "text"]).default("json_stdout"),
});
const mcpTool = z.strictObject({
  kind: z.literal("mcp"),
  ...facts,
  ...program,
  /** Name of the tool at the server. */
  tool: z.string(),
  /** Of the canonical JSON of the tool's input schema. */
  schema_sha256: sha256,
  /** Questions of the server during a call are put before people, where the run can ask them. */
  elicit: z.boolean().default(false),
});
const moduleTool = z.strictObject({
  kind: z.literal("module"),
  ...facts,
  file: absolute,
  export: z.string().default("default"),
  sha256: sha256.optional(),
});
const httpTool = z.strictObject({
  kind: z.literal("http"),
  ...facts,
  method: z.enum(["POST", "PUT", "PATCH"]).default("POST"),
  url: z.url({ protocol: /^https?$/ }),
  /** Default: the host of `url`. */
  allow_hosts: z.array(z.string()).optional(),
});
const builtinTool = z.strictObject({ kind: z.literal("builtin"), name: z.enum(["echo", "sum", "join"]) });

export const declaration = z.discriminatedUnion("kind", [processTool, mcpTool, moduleTool, httpTool, builtinTool]);

export type ProcessDeclaration = z.output<typeof processTool>;
export type McpDeclaration = z.output<typeof mcpTool>;
export type ModuleDeclaration = z.output<typeof moduleTool>;
export type HttpDeclaration = z.output<typeof httpTool>;
export type Declaration = z.output<typeof declaration>;
