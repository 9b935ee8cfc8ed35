/** A server with the chat and embedding APIs of OpenAI, Anthropic and Ollama, as far as the adapter uses them. It answers what a test says. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { type WebServer, webServer } from "../http/servers.ts";

export const KEY = "canary-key-of-the-models";
export const KEY_SECRET = "MODEL_KEY";

type Api = "openai" | "anthropic" | "ollama";
/** What the next answer is: its text, or members that replace those of the protocol. */
type Said =
  | string
  | { readonly text?: string; readonly finish?: string; readonly model?: string; readonly usage?: Json };

export type ModelWorld = {
  readonly server: WebServer;
  /** The next answer of the model; without one it does what a good model would. */
  say(...answers: readonly Said[]): void;
  /** Forgets what is still to be said. */
  unsay(): void;
  /** The next request is answered like this, before anything else happens. */
  fail(answer: (response: ServerResponse, request: IncomingMessage) => void): void;
  /** The JSON of the requests, the first first. */
  bodies(): readonly JsonObject[];
  /** The operator's settings with one provider. */
  settings(api?: Api, more?: JsonObject): JsonObject;
};

type Wanted = { readonly schema: JsonObject | null; readonly text: string };

export async function modelWorld(): Promise<ModelWorld> {
  const said: Said[] = [];
  const failures: ((response: ServerResponse, request: IncomingMessage) => void)[] = [];
  const server = await webServer((request, response) => {
    const failure = failures.shift();
    if (failure !== undefined) {
      failure(response, request);
      return;
    }
    const { authorization, "x-api-key": key } = request.headers;
    if (authorization !== `Bearer ${KEY}` && key !== KEY) {
      send(response, { error: { message: `Incorrect API key provided: ${KEY.slice(0, 12)}***` } }, 401);
      return;
    }
    const body: JsonObject = JSON.parse(server.requests.at(-1)?.body ?? "null");
    const answer = ROUTES[`${request.method} ${request.url}`];
    if (answer === undefined) send(response, { error: "no such route" }, 404);
    else send(response, answer(body, said.shift()));
  });
  return {
    server,
    say: (...answers) => void said.push(...answers),
    unsay: () => void said.splice(0),
    fail: (answer) => void failures.push(answer),
    bodies: () => server.requests.map(({ body }) => JSON.parse(body)),
    settings: (api = "openai", more = {}) => ({
      providers: {
        local: {
          api,
          base_url: api === "openai" ? `${server.base}/v1` : server.base,
          key_secret: KEY_SECRET,
          models: {
            small: { price: { input: 1, output: 2 }, max_output_tokens: 1000 },
            ...(api === "anthropic" ? {} : { vectors: { kind: "embedding", price: { input: 0.5 } } }),
          },
        },
      },
      ...more,
    }),
  };
}

type Answer = (body: JsonObject, said: Said | undefined) => Json;

const ROUTES: Readonly<Record<string, Answer>> = {
  "POST /v1/chat/completions": (body, given) => {
    const format = body["response_format"] as JsonObject | undefined;
    const schema = (format?.["json_schema"] as JsonObject | undefined)?.["schema"] ?? null;
    const { text, finish = "stop", model = body["model"] ?? null, usage } = answered(body, schema as JsonObject, given);
    return {
      id: "chatcmpl-1",
      object: "chat.completion",
      model,
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: finish }],
      usage: usage !== undefined ? usage : { prompt_tokens: inputOf(body), completion_tokens: wordsIn(text) },
    };
  },
  "POST /v1/messages": (body, given) => {
    const tools = body["tools"] as readonly JsonObject[] | undefined;
    const schema = (tools?.[0]?.["input_schema"] ?? null) as JsonObject | null;
    const { text, finish, model = body["model"] ?? null, usage } = answered(body, schema, given);
    return {
      type: "message",
      model,
      content: [schema === null ? { type: "text", text } : { type: "tool_use", name: "answer", input: jsonOr(text) }],
      stop_reason: finish ?? (schema === null ? "end_turn" : "tool_use"),
      usage: usage ?? { input_tokens: inputOf(body), output_tokens: wordsIn(text) },
    };
  },
  "POST /api/chat": (body, given) => {
    const schema = (body["format"] ?? null) as JsonObject | null;
    const { text, finish = "stop", model = body["model"] ?? null, usage } = answered(body, schema, given);
    const counted = { prompt_eval_count: inputOf(body), eval_count: wordsIn(text) };
    return {
      model,
      message: { role: "assistant", content: text },
      done_reason: finish,
      ...((usage ?? counted) as object),
    };
  },
  "POST /v1/embeddings": (body) => {
    const texts = body["input"] as readonly string[];
    return {
      model: body["model"] ?? null,
      // Out of order, as the protocol allows.
      data: texts.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse(),
      usage: { prompt_tokens: texts.reduce((sum, text) => sum + wordsIn(text), 0) },
    };
  },
  "POST /api/embed": (body) => {
    const texts = body["input"] as readonly string[];
    return { model: body["model"] ?? null, embeddings: texts.map(vectorOf), prompt_eval_count: texts.length };
  },
};

function answered(body: JsonObject, schema: JsonObject | null, given: Said | undefined) {
  const said = typeof given === "string" ? { text: given } : (given ?? {});
  const messages = body["messages"] as readonly { readonly content: string }[];
  const text = said.text ?? goodAnswer({ schema, text: messages.at(-1)?.content ?? "" });
  const most = body["max_tokens"];
  // A provider keeps to the bound it is given.
  if (typeof most !== "number" || wordsIn(text) <= most) return { ...said, text };
  return { ...said, text: text.split(/\s+/).slice(0, most).join(" "), finish: "length" };
}

/** What a model that does what it is asked would say. */
function goodAnswer({ schema, text }: Wanted): string {
  const properties = (schema?.["properties"] ?? {}) as { readonly [name: string]: JsonObject };
  const choices = properties["choice"]?.["enum"] as readonly string[] | undefined;
  if (choices !== undefined) {
    const fitting = /invoice/i.test(text) ? "invoice" : /error|broken/i.test(text) ? "bug" : "question";
    return JSON.stringify({ choice: choices.includes(fitting) ? fitting : choices.at(-1) });
  }
  if (schema === null) return "Hello.";
  const [, name = "", age = "0"] = /(\w+) is (\d+)/.exec(text) ?? [];
  return JSON.stringify({ name, age: Number(age) });
}

function vectorOf(text: string): number[] {
  return text.length === 3 ? [1, 0] : [0, 1];
}

function wordsIn(text: string): number {
  return text.split(/\s+/).length;
}

function inputOf(body: JsonObject): number {
  const messages = body["messages"] as readonly { readonly content: string }[];
  return messages.reduce((sum, { content }) => sum + wordsIn(content), 0) + 3;
}

function jsonOr(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return { answer: text };
  }
}

export function send(response: ServerResponse, body: Json, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
