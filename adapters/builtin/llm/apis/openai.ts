/** Chat completions and embeddings as OpenAI defines them, which most servers offer. */
import { z } from "../../../definition/define.ts";
import { type Api, badAnswer, finishOf, read, servedModel, tokens, vector } from "./api.ts";

const usage = z
  .object({ prompt_tokens: tokens.optional(), completion_tokens: tokens.optional() })
  .nullable()
  .optional()
  .catch(null);
const part = z.object({ type: z.string(), text: z.string().optional() });
const chatAnswer = z.object({
  model: servedModel.optional(),
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z
            .union([z.string(), z.array(part)])
            .nullable()
            .optional(),
          refusal: z.string().nullable().optional(),
        }),
        finish_reason: z.string().nullable().optional(),
      }),
    )
    .min(1),
});
const embedAnswer = z.object({
  model: servedModel.optional(),
  data: z.array(z.object({ index: z.number().int().nonnegative(), embedding: vector })),
});
const counted = z.object({ usage }).catch({ usage: null });
const FINISH = {
  stop: "stop",
  eos: "stop",
  length: "length",
  // Mistral's, when the window of the model is full.
  model_length: "length",
  max_tokens: "length",
  content_filter: "filter",
} as const;

export const openAi: Api = {
  key: { header: "authorization", prefix: "Bearer " },
  headers: {},
  structuredOverhead: 200,
  chat({ model, messages, maxTokens, temperature, schema, maxTokensField }) {
    return {
      path: "/chat/completions",
      body: {
        model,
        messages: messages.map((one) => ({ ...one })),
        [maxTokensField]: maxTokens,
        stream: false,
        ...(temperature === undefined ? {} : { temperature }),
        ...(schema === null
          ? {}
          : { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } }),
      },
    };
  },
  readChat(answer) {
    const { model = null, choices } = read(chatAnswer, answer);
    const [choice] = choices;
    if (choice === undefined) throw badAnswer("has no choice");
    const { content, refusal } = choice.message;
    const text = Array.isArray(content) ? content.map((one) => one.text ?? "").join("") : (content ?? "");
    const refused = text === "" && typeof refusal === "string";
    return {
      text: refused ? refusal : text,
      finish: refused ? "filter" : finishOf(choice.finish_reason ?? null, FINISH),
      model,
      tokens: this.readTokens(answer),
    };
  },
  readTokens(answer) {
    const { usage } = counted.parse(answer);
    return { input: usage?.prompt_tokens ?? null, output: usage?.completion_tokens ?? null };
  },
  embed: (model, texts) => ({ path: "/embeddings", body: { model, input: [...texts] } }),
  readEmbed(answer) {
    const { model = null, data } = read(embedAnswer, answer);
    const vectors = [...data].sort((a, b) => a.index - b.index);
    if (vectors.some(({ index }, place) => index !== place)) throw badAnswer("does not have one vector for each text");
    return {
      vectors: vectors.map(({ embedding }) => embedding),
      model,
      tokens: { ...this.readTokens(answer), output: 0 },
    };
  },
};
