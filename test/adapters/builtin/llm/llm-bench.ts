/** The adapter on a server of its own, one for each test. */
import { afterAll, afterEach, beforeEach } from "vitest";
import { llmAdapter } from "../../../../adapters/builtin/llm/definition.ts";
import { createHttpService } from "../../../../adapters/guard/http/service.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, type BenchOptions, NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { KEY, KEY_SECRET, type ModelWorld, modelWorld } from "./world.ts";

export type ModelBench = {
  /** Of the running test. */
  readonly world: ModelWorld;
  /** `settings` go over those of one provider with the API of OpenAI. */
  open(settings?: JsonObject, options?: BenchOptions): Promise<AdapterBench>;
};

/** Registers what makes and ends the worlds. */
export function modelBench(): ModelBench {
  const http = createHttpService();
  let world: ModelWorld;
  beforeEach(async () => {
    world = await modelWorld();
  });
  afterEach(() => world.server.close());
  afterAll(() => http.close());
  return {
    get world() {
      return world;
    },
    open: (settings = {}, options = {}) =>
      openBench(llmAdapter, {
        services: { places: NO_PLACES, http },
        secrets: { [KEY_SECRET]: KEY },
        ...options,
        settings: { ...world.settings(), ...settings },
      }),
  };
}
