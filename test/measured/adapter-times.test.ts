/** Cases of adapters that say how long a call may take. `test/adapters/cases.test.ts` checks what comes of it. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { openWorld } from "../adapters/case-world.ts";

type TimedCase = {
  readonly name: string;
  readonly adapter: string;
  readonly settings: JsonObject;
  readonly setup?: JsonObject;
  readonly call: { readonly verb: string; readonly args: readonly Json[] };
  readonly expect: { readonly within_ms?: number };
};

const CASES = ["adapters.json", "adapters-more.json"]
  .flatMap(
    (file) => JSON.parse(readFileSync(new URL(`../cases/${file}`, import.meta.url), "utf8")) as readonly TimedCase[],
  )
  .filter((one) => one.expect.within_ms !== undefined);

it.each(CASES.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
  const world = await openWorld(one.adapter, one.settings, one.setup ?? {});
  const started = performance.now();
  await world.call(world.filled(one.call)).catch(() => {});
  expect(performance.now() - started).toBeLessThan(one.expect.within_ms ?? 0);
  await world.close();
});
