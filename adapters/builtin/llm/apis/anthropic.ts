/** The Messages API of Anthropic. A structured answer is the input of a tool that the model must call. */
import type { Json } from "../../../../compiler/json.ts";
import { z } from "../../../definition/define.ts";
import { adapterError } from "../../../errors.ts";
import { type Api, finishOf, read, servedModel, tokens, withoutSystem } from "./api.ts";

const block = z.object({ type: z.string(), text: z.string().optional(), input: z.unknown().optional() });
const messageAnswer = z.object({
  model: servedModel.optional(),
  content: z.array(block),
  stop_reason: z.string().nullable().optional(),
});
const usage = z.object({
  input_tokens: tokens.optional(),
  output_tokens: tokens.optional(),
  cache_creation_input_tokens: tokens.optional(),
  cache_read_input_tokens: tokens.optional(),
});
const counted = z.object({ usage: usage.nullable().optional().catch(null) }).catch({ usage: null });
const FINISH = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "filter",
} as const;
const TOOL = "answer";

export const anthropic: Api = {
  key: { header: "x-api-key", prefix: "" },
  headers: { "anthropic-version": "2023-06-01" },
  // The system prompt that the API adds for tools.
  structuredOverhead: 1000,
  chat({ model, messages, maxTokens, temperature, schema }) {
    const { system, others } = withoutSystem(messages);
    return {
      path: "/v1/messages",
      body: {
        model,
        max_tokens: maxTokens,
        messages: others.map((one) => ({ ...one })),
        ...(system === "" ? {} : { system }),
        ...(temperature === undefined ? {} : { temperature }),
        ...(schema === null
          ? {}
          : {
              tools: [{ name: TOOL, description: "Takes the answer.", input_schema: schema }],
              tool_choice: { type: "tool", name: TOOL },
            }),
      },
    };
  },
  readChat(answer) {
    const { model = null, content, stop_reason: reason = null } = read(messageAnswer, answer);
    const tool = content.find(({ type }) => type === "tool_use");
    const text = content.flatMap((one) => (one.type === "text" ? [one.text ?? ""] : [])).join("");
    return {
      text: tool === undefined ? text : JSON.stringify((tool.input ?? null) as Json),
      finish: finishOf(reason, FINISH),
      model,
      tokens: this.readTokens(answer),
    };
  },
  readTokens(answer) {
    const { usage } = counted.parse(answer);
    const input = usage?.input_tokens ?? null;
    const cached = (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0);
    return { input: input === null ? null : input + cached, output: usage?.output_tokens ?? null };
  },
  embed: () => {
    throw adapterError("ADAPTER_NOT_CONFIGURED", "this provider has no embedding models");
  },
  readEmbed: () => {
    throw adapterError("ADAPTER_NOT_CONFIGURED", "this provider has no embedding models");
  },
};
