import { expect, it } from "vitest";
import { BoundedMap } from "../../compiler/bounded-map.ts";

const keysOf = (map: BoundedMap<string>): string => [..."abcdef"].filter((key) => map.get(key) !== undefined).join("");

it("a bounded map drops what was written longest ago", () => {
  const map = new BoundedMap<string>({ max: 3 });
  for (const key of "abcd") map.set(key, key);
  expect(keysOf(map)).toBe("bcd");
  map.set("b", "again");
  map.set("e", "e");
  expect([keysOf(map), map.get("b")]).toEqual(["bde", "again"]);
});

it("a bounded map keeps what is used", () => {
  const map = new BoundedMap<string>({ max: 2 });
  map.set("a", "a");
  map.set("b", "b");
  expect([map.use("a"), map.use("x")]).toEqual(["a", undefined]);
  map.set("c", "c");
  expect(keysOf(map)).toBe("ac");
});

it("a bounded map counts weights, gives them back, and refuses what is too heavy alone", () => {
  const map = new BoundedMap<string>({ max: 10, weigh: (value, key) => value.length + key.length });
  map.set("a", "1234");
  map.set("b", "1234");
  map.set("c", "1234567890");
  expect(keysOf(map)).toBe("ab");
  map.delete("a");
  map.set("d", "1234");
  expect(keysOf(map)).toBe("bd");
  map.set("b", "1234567890");
  expect(keysOf(map)).toBe("d");
  map.clear();
  map.set("e", "123456789");
  expect(keysOf(map)).toBe("e");
});
