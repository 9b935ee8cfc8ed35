/** Which adapters branches of one run may call at the same time (docs/language.md, branches). */
import { expect, it } from "vitest";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";

const IN_TURNS = ["auth", "db", "sqlite", "txn", "videomon", "wasm"];

it("all but those that keep something between two calls", async () => {
  const definitions = await Promise.all(Object.values(BUILTIN_LOADERS).map((load) => load()));
  const found = definitions.filter(({ concurrent }) => concurrent !== true).map(({ name }) => name);
  expect(found.sort()).toEqual(IN_TURNS);
});
