/** The API of Ollama, for models on a machine of the operator. It leaves out the count of a prompt that it has cached. */
import { z } from "../../../definition/define.ts";
import { type Api, finishOf, read, servedModel, tokens, vector } from "./api.ts";

const chatAnswer = z.object({
  model: servedModel.optional(),
  message: z.object({ content: z.string() }),
  done_reason: z.string().nullable().optional(),
});
const embedAnswer = z.object({ model: servedModel.optional(), embeddings: z.array(vector) });
const counted = z
  .object({ prompt_eval_count: tokens.optional(), eval_count: tokens.optional() })
  .catch({ prompt_eval_count: null, eval_count: null });
const FINISH = { stop: "stop", length: "length" } as const;

export const ollama: Api = {
  key: { header: "authorization", prefix: "Bearer " },
  headers: {},
  structuredOverhead: 0,
  chat({ model, messages, maxTokens, temperature, schema }) {
    const options = { num_predict: maxTokens, ...(temperature === undefined ? {} : { temperature }) };
    return {
      path: "/api/chat",
      body: {
        model,
        messages: messages.map((one) => ({ ...one })),
        stream: false,
        options,
        ...(schema === null ? {} : { format: schema }),
      },
    };
  },
  readChat(answer) {
    const { model = null, message, done_reason: reason = null } = read(chatAnswer, answer);
    return { text: message.content, finish: finishOf(reason, FINISH), model, tokens: this.readTokens(answer) };
  },
  readTokens(answer) {
    const { prompt_eval_count: input = null, eval_count: output = null } = counted.parse(answer);
    return { input, output };
  },
  embed: (model, texts) => ({ path: "/api/embed", body: { model, input: [...texts] } }),
  readEmbed(answer) {
    const { model = null, embeddings } = read(embedAnswer, answer);
    return { vectors: embeddings, model, tokens: { ...this.readTokens(answer), output: 0 } };
  },
};
