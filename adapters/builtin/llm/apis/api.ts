/**
 * The protocols that providers speak, as pure functions between what the adapter asks and the JSON that goes over the wire. What an answer
 * does not say, or says in a way that cannot be true, is null: the caller then counts the upper bound.
 */
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import type { AdapterError } from "../../../../vm/errors/failures.ts";
import { z } from "../../../definition/define.ts";
import { adapterError } from "../../../errors.ts";

export type Message = { readonly role: "system" | "user" | "assistant"; readonly content: string };

/** `model`: what the provider calls it. */
type ChatRequest = {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  readonly temperature: number | undefined;
  /** The answer is JSON that fits this schema; null: plain text, or the schema stands in the prompt. */
  readonly schema: JsonObject | null;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
};

export type Finish = "stop" | "length" | "filter" | "other";

/** Tokens that the provider counted; null: it did not say. */
export type ReportedTokens = { readonly input: number | null; readonly output: number | null };

export type ChatAnswer = {
  readonly text: string;
  readonly finish: Finish;
  /** The model that answered; null: the provider did not say. */
  readonly model: string | null;
  readonly tokens: ReportedTokens;
};
export type EmbedAnswer = {
  readonly vectors: readonly (readonly number[])[];
  readonly model: string | null;
  readonly tokens: ReportedTokens;
};

/** A path below the address of the provider, and the body of the POST. */
export type WireRequest = { readonly path: string; readonly body: JsonObject };

export interface Api {
  /** Header that holds the key, and what precedes the key in it. */
  readonly key: { readonly header: string; readonly prefix: string };
  readonly headers: Readonly<Record<string, string>>;
  /** Tokens that the API adds to a structured request besides what is sent, at most. */
  readonly structuredOverhead: number;
  chat(request: ChatRequest): WireRequest;
  /** Throws ADAPTER_BAD_DATA. */
  readChat(answer: Json): ChatAnswer;
  /** What the provider counted, whether or not the rest can be read as an answer. */
  readTokens(answer: Json): ReportedTokens;
  embed(model: string, texts: readonly string[]): WireRequest;
  /** Throws ADAPTER_BAD_DATA. */
  readEmbed(answer: Json): EmbedAnswer;
}

export const tokens = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).nullable().catch(null);
export const servedModel = z.string().min(1).max(512).nullable().catch(null);
export const vector = z.array(z.number()).min(1).max(16_384);

export function read<T extends z.ZodType>(schema: T, answer: Json): z.output<T> {
  const found = schema.safeParse(answer);
  if (!found.success) throw badAnswer("does not have the form that its API promises");
  return found.data;
}

export function badAnswer(what: string, data: JsonObject = {}): AdapterError {
  return adapterError("ADAPTER_BAD_DATA", `the answer of the model provider ${what}`, { data });
}

/** In any letter case: servers that imitate an API write its words as they like. */
export function finishOf(word: string | null, words: Readonly<Record<string, Finish>>): Finish {
  const folded = word?.toLowerCase() ?? "";
  return Object.hasOwn(words, folded) ? (words[folded] ?? "other") : "other";
}

/** The system messages as one text, and the others. */
export function withoutSystem(messages: readonly Message[]) {
  return {
    system: messages.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join("\n\n"),
    others: messages.filter(({ role }) => role !== "system"),
  };
}
