/**
 * The settings of llm: the providers and models that the operator declared, which of the models a caller keeps, and what one run may
 * spend on them. Addresses and names of secrets are the operator's alone; keys never stand here.
 */
import { type SettingsOf, setting, z } from "../../definition/define.ts";
import { isSafeForCredentials, secretName, serverUrl } from "../../definition/server-url.ts";

/** What the static report calls the model of a call that names none. */
const DEFAULT_MODEL = "default";
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}$/;

const modelName = z
  .string()
  .regex(MODEL_NAME, "a model name of letters, digits and . _ : / @ + -")
  .refine((name) => name !== DEFAULT_MODEL, `"${DEFAULT_MODEL}" is reserved; name the model and set default_model`);

const model = z.strictObject({
  /** What the provider calls it; default: the name. */
  id: z.string().min(1).max(256).optional(),
  kind: z.enum(["chat", "embedding"]).default("chat"),
  max_output_tokens: z.number().int().positive().max(1_000_000).default(4096),
  /** Per million tokens, in a currency of the operator's choice. */
  price: z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative().default(0) }).optional(),
  /** Names that the provider may answer with besides the model's own; `any`: it is not compared. */
  served_as: z.union([z.literal("any"), z.array(z.string().min(1)).min(1)], '"any", or a list of names').optional(),
});
export type ModelConfig = z.output<typeof model>;

const provider = z
  .strictObject({
    api: z.enum(["openai", "anthropic", "ollama"]),
    base_url: serverUrl,
    key_secret: secretName.optional(),
    /** Header of the key where it is not the API's usual one. */
    key_header: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,63}$/, "a header name in lower case")
      .optional(),
    /** Whether the server takes a JSON Schema of the answer, or the schema stands in the prompt. */
    structured: z.enum(["schema", "prompt"]).default("schema"),
    /** OpenAI's newer models know only the second. */
    max_tokens_field: z.enum(["max_tokens", "max_completion_tokens"]).default("max_tokens"),
    models: z.record(modelName, model).refine((models) => Object.keys(models).length > 0, "at least one model"),
  })
  .refine(({ base_url, key_secret }) => key_secret === undefined || isSafeForCredentials(base_url), {
    error: "a key goes to an https address, or to this machine",
    path: ["base_url"],
  })
  .refine(({ api, models }) => api !== "anthropic" || Object.values(models).every(({ kind }) => kind === "chat"), {
    error: "anthropic has no embedding models",
    path: ["models"],
  });
export type ProviderConfig = z.output<typeof provider>;

const providers = z
  .record(z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, "a provider name in lower case"), provider)
  .refine((all) => {
    const names = Object.values(all).flatMap(({ models }) => Object.keys(models));
    return new Set(names).size === names.length;
  }, "two providers declare a model of the same name; give one of them another name and its id");

export const llmSettings = {
  providers: setting.configures(providers.default({})).describe("provider by name, see above"),
  allow_models: setting.list("exact", ["model"]).describe("names of models"),
  default_model: setting
    .operator(z.string().optional())
    .describe("the model of calls that name none; without it the only one of the kind that is allowed"),
  max_calls: setting.most(100, 100_000).describe("requests to models in one run; a repair round is one more"),
  max_input_tokens: setting.most(1_000_000).describe("tokens that one run may send to models"),
  max_output_tokens: setting.most(200_000).describe("tokens that models may write for one run"),
  max_cost: setting
    .bound()
    .describe(
      "what the models may cost one run, in the currency of the prices; models without a price are then refused",
    ),
};
export type LlmSettings = SettingsOf<typeof llmSettings>;
/** What one run may spend; `max_cost` undefined: whatever it costs. */
export type LlmBudgets = Pick<LlmSettings, "max_calls" | "max_input_tokens" | "max_output_tokens" | "max_cost">;
