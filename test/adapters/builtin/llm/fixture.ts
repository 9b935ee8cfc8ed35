/** Models with a server of their own, for the rules that every adapter keeps. */
import type { JsonObject } from "../../../../compiler/json.ts";
import { KEY, KEY_SECRET, modelWorld } from "./world.ts";

export type ModelFixture = {
  readonly settings: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

export async function modelFixture(): Promise<ModelFixture> {
  const world = await modelWorld();
  return {
    settings: world.settings(),
    secrets: { [KEY_SECRET]: KEY },
    close: () => world.server.close(),
  };
}

/** One program for every verb. */
export const MODEL_PROGRAMS: readonly { readonly verb: string; readonly source: string }[] = Object.entries({
  chat: 'R llm.chat "Say hello." {"max_tokens": 20} ->r',
  embed: 'R llm.embed ["red", "blue"] ->r',
  classify: 'R llm.classify "The page shows an error." ["bug", "question"] ->r',
  extract:
    'R llm.extract "Ada is 36." {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name", "age"]} ->r',
}).map(([verb, step]) => ({ verb, source: `L1:\n  ${step}\n  J r\n` }));
