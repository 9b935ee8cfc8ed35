/** A model at an OpenAI-compatible address (`POST {base}/chat/completions`): what a conversation sends and gets. */
import * as z from "zod";

const toolCall = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
export type ToolCall = z.output<typeof toolCall>;

const answer = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish(), tool_calls: z.array(toolCall).nullish() }) }))
    .min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).partial().nullish(),
});

export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly tool_calls?: readonly object[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export type ModelAnswer = {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly tokens: { readonly input: number; readonly output: number };
};

export type ModelAddress = {
  /** Such as `http://127.0.0.1:11434/v1`. */
  readonly base: string;
  readonly model: string;
  readonly key: string | null;
  readonly timeoutMs: number;
};

/** Rejects when the server does not answer in time, with another status than 200, or in another shape. */
export async function ask(
  address: ModelAddress,
  messages: readonly Message[],
  tools: readonly object[],
): Promise<ModelAnswer> {
  const { base, model, key, timeoutMs } = address;
  const response = await fetch(`${base.replace(/\/+$/, "")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, messages, tools, temperature: 0 }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the model's server answered ${response.status}: ${text.slice(0, 200)}`);
  const { choices, usage } = answer.parse(JSON.parse(text));
  const { content, tool_calls } = choices[0]?.message ?? {};
  return {
    text: content ?? "",
    calls: tool_calls ?? [],
    tokens: { input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 },
  };
}
