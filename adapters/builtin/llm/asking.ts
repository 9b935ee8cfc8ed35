/** Asks a model within the budgets of its run: the request, what it counts for, and one more round for an answer of the wrong form. */
import type { Json } from "../../../compiler/json.ts";
import type { VerbContext } from "../../definition/define.ts";
import { badAnswer, type ChatAnswer, type EmbedAnswer, type Message, type WireRequest } from "./apis/api.ts";
import type { Model, Models } from "./models.ts";
import { Refused } from "./refusals.ts";
import { type Reservation, type Spent, spendingOf } from "./spending.ts";
import { dataIn, type Form, schemaPrompt } from "./structured.ts";

/** Tokens around one message and around a prompt, at most, in any chat format. */
const MESSAGE_TOKENS = 16;
const PROMPT_TOKENS = 128;

export type Question = {
  readonly model: string | undefined;
  readonly messages: readonly Message[];
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly form: Form | null;
  /** Reads an answer that is not JSON of the form and says the same nevertheless; null: it does not. */
  readonly plain?: (text: string) => Json;
};
export type Answer = Pick<ChatAnswer, "text" | "finish"> & {
  /** null: no form was asked for. */
  readonly data: Json;
  readonly model: string;
  readonly usage: Spent;
};

/** Rejects with ADAPTER_QUOTA before a request that could exceed a budget, and with ADAPTER_BAD_DATA when no answer has the form. */
export async function ask(question: Question, models: Models, ctx: VerbContext): Promise<Answer> {
  const model = models.get(question.model, "chat");
  const { form, plain = () => null } = question;
  const first = await asked(question, question.messages, model, models, ctx);
  const named = { model: model.name, text: first.text, finish: first.finish };
  if (form === null) return { ...named, data: null, usage: first.usage };
  const found = dataIn(first.text, form, plain);
  if (found.ok) return { ...named, data: found.data, usage: first.usage };
  refuseHopeless(first);
  const again: readonly Message[] = [
    ...question.messages,
    // APIs refuse an empty message.
    { role: "assistant", content: first.text.trim() === "" ? "(no answer)" : first.text },
    { role: "user", content: `That does not fit: ${found.faults.join("; ")}. ${schemaPrompt(form)}` },
  ];
  const second = await asked(question, again, model, models, ctx);
  const usage = sum(first.usage, second.usage);
  const repaired = dataIn(second.text, form, plain);
  if (repaired.ok) return { model: model.name, text: second.text, finish: second.finish, data: repaired.data, usage };
  refuseHopeless(second);
  const [fault = "it is not JSON"] = repaired.faults;
  throw badAnswer(`does not fit the schema: ${fault}`, { reason: "schema", faults: [...repaired.faults] });
}

/** An answer that asking again would not fix. */
function refuseHopeless({ finish }: Pick<ChatAnswer, "finish">): void {
  if (finish === "length") throw badAnswer("was cut off at max_tokens", { reason: "length" });
  if (finish === "filter") throw badAnswer("is a refusal of the model", { reason: "filter" });
}

type Asked = ChatAnswer & { readonly usage: Spent };

async function asked(
  { form, maxTokens, temperature }: Question,
  messages: readonly Message[],
  model: Model,
  { settings }: Models,
  ctx: VerbContext,
): Promise<Asked> {
  const { api, config } = model.server;
  // Anthropic takes the schemas of objects only.
  const native = form !== null && config.structured === "schema" && (config.api !== "anthropic" || isOfObject(form));
  const sent: readonly Message[] =
    form === null || native ? messages : [{ role: "system", content: schemaPrompt(form) }, ...messages];
  const schemaTokens = form === null || !native ? 0 : Buffer.byteLength(form.text) + api.structuredOverhead;
  const input = sent.reduce(
    (sum, { content }) => sum + MESSAGE_TOKENS + tokensOf(content),
    PROMPT_TOKENS + schemaTokens,
  );
  const output = Math.min(maxTokens ?? model.config.max_output_tokens, model.config.max_output_tokens);
  const request = (maxTokens: number): WireRequest =>
    api.chat({
      model: model.id,
      messages: sent,
      maxTokens,
      temperature,
      schema: native ? form.schema : null,
      maxTokensField: config.max_tokens_field,
    });
  return paid(model, { input, output }, request, { settings }, ctx, (answer, settle) => {
    const read = api.readChat(answer);
    return { ...read, usage: settle(read.tokens, read.text !== "") };
  });
}

export type Embedded = { readonly vectors: EmbedAnswer["vectors"]; readonly model: string; readonly usage: Spent };

/** Rejects as `ask` does. */
export async function embed(
  texts: readonly string[],
  asked: string | undefined,
  models: Models,
  ctx: VerbContext,
): Promise<Embedded> {
  const model = models.get(asked, "embedding");
  const { api } = model.server;
  const input = texts.reduce((sum, text) => sum + MESSAGE_TOKENS + tokensOf(text), PROMPT_TOKENS);
  const request = (): WireRequest => api.embed(model.id, texts);
  const answer = await paid(model, { input, output: 0 }, request, models, ctx, (wire, settle) => {
    const read = api.readEmbed(wire);
    return { ...read, usage: settle(read.tokens, false) };
  });
  const { vectors } = answer;
  const length = vectors[0]?.length;
  if (vectors.length !== texts.length || vectors.some((one) => one.length !== length))
    throw badAnswer("does not have one vector of the same length for each text");
  return { vectors, model: model.name, usage: answer.usage };
}

/** One request that is reserved before it is sent and settled by `read`, whatever becomes of it. */
async function paid<T extends { readonly model: string | null }>(
  model: Model,
  most: Reservation["bound"],
  request: (maxTokens: number) => WireRequest,
  { settings }: Pick<Models, "settings">,
  ctx: VerbContext,
  read: (answer: Json, settle: Reservation["settle"]) => T,
): Promise<T> {
  // What is missing on this side is found before anything counts.
  const credentials = await model.server.credentials(ctx);
  const reservation = await spendingOf(ctx.run).reserve(model, most, settings, ctx.signal);
  let settled = false;
  try {
    const answer = await model.server.ask(request(reservation.bound.output), credentials, ctx);
    const result = read(answer, (...counted) => {
      settled = true;
      return reservation.settle(...counted);
    });
    refuseAnother(model, result.model);
    return result;
  } catch (thrown) {
    if (!(thrown instanceof Refused)) {
      if (!settled) reservation.lose();
      throw thrown;
    }
    const { status, parameter, counted } = thrown;
    if (counted.input === null && counted.output === null) reservation.release();
    else reservation.settle(counted, false);
    // Its words go nowhere: some repeat parts of the key.
    ctx.log("llm_refused", { model: model.name, status, ...(parameter === null ? {} : { parameter }) });
    throw thrown.error;
  }
}

/** Providers name the version of a model in their answers: `gpt-x` answers as `gpt-x-2030-01-01`. */
function refuseAnother({ id, config: { served_as: also = [] } }: Model, served: string | null): void {
  if (served === null || also === "any" || also.includes(served)) return;
  const [expected, given] = [id, served].map((name) => name.toLowerCase());
  if (expected === undefined || given === undefined || isVersionOf(given, expected)) return;
  // Gateways name a model with its maker.
  if (isVersionOf(given, expected.slice(expected.lastIndexOf("/") + 1))) return;
  throw badAnswer("comes from another model; the operator can list it in served_as", { reason: "model" });
}

function isVersionOf(served: string, name: string): boolean {
  return served === name || (served.startsWith(name) && /^[-:@]/.test(served.slice(name.length)));
}

/** No tokeniser makes more tokens of a text than it has bytes. */
function tokensOf(text: string): number {
  return Buffer.byteLength(text);
}

function isOfObject({ schema }: Form): boolean {
  return schema["type"] === "object";
}

function sum(a: Spent, b: Spent): Spent {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost: Math.round((a.cost + b.cost) * 1e9) / 1e9,
    ...(a.estimated || b.estimated ? { estimated: true as const } : {}),
  };
}
