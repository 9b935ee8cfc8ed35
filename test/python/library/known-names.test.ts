/** What the machine has of Python's modules is known to the compiler, which would refuse it else. */
import { expect, it } from "vitest";
import { isLibraryName, KNOWN_MODULES } from "../../../compiler/python/library/known.ts";
import { PARTS } from "../../../vm/python/library/library.ts";

/** CPython has no such names, they are its own, or they are of no use to programs without bytes in patterns. */
const NOT_NAMED = [
  "datetime.IsoCalendarDate",
  "functools._lru_cache_wrapper",
  "hashlib.HASH",
  "hashlib.HASHXOF",
  "hmac.HMAC",
  "re.DEBUG",
  "re.L",
  "re.LOCALE",
];

it("a constant or type of a module that the machine has is refused as unknown", () => {
  const has = PARTS.flatMap(({ values = {}, types = {} }) => [...Object.keys(values), ...Object.keys(types)]);
  const ofModules = has.filter((name) => KNOWN_MODULES.has(name.slice(0, name.lastIndexOf("."))));
  expect(ofModules).toContain("uuid.NAMESPACE_DNS");
  expect(ofModules.filter((name) => !isLibraryName(name)).sort()).toEqual(NOT_NAMED);
});
