/** Ids of runs: the form of a random UUID, and no two alike, also where one lot of them ends and the next begins. */
import { describe, expect, it } from "vitest";
import { createUuids } from "../../adapters/uuids.ts";

/** Several lots, of texts and of random bytes. */
const MANY = 3000;

describe("random UUIDs", () => {
  const next = createUuids();
  const ids = Array.from({ length: MANY }, next);

  it("are of version 4 and of the usual variant", () => {
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("differ, from those of another maker too", () => {
    const other = Array.from({ length: MANY }, createUuids());
    expect(new Set([...ids, ...other]).size).toBe(2 * MANY);
  });

  it("have every digit in every place that is free", () => {
    const given = new Set([8, 13, 14, 18, 19, 23]);
    for (let place = 0; place < 36; place++) {
      if (!given.has(place)) expect(new Set(ids.map((id) => id[place])).size).toBe(16);
    }
    expect(new Set(ids.map((id) => id[19])).size).toBe(4);
  });
});
