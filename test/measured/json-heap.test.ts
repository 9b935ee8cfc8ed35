/** What JSON of others takes as values, as it is counted before it is parsed, against the real heap. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { parsedDocument } from "../../adapters/content/json-document.ts";

const MIB = 1024 * 1024;

/** A list of `unit` with about this many bytes of text. */
function listOf(unit: string, bytes: number): string {
  return `[${`${unit},`.repeat(Math.floor(bytes / (unit.length + 1)) - 1)}${unit}]`;
}

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "parsed",
    (thrown: { readonly code?: string }) => thrown.code,
  );

describe("a JSON document", () => {
  it.each(["{}", "[]", "[[]]", '{"a":1,"b":2}', '"abcdefgh"', '{"name":"somebody","tags":["a","b"]}'])(
    "of %s is counted as the engine holds it, within a factor of two and a half",
    async (unit) => {
      setFlagsFromString("--expose-gc");
      const collect = runInNewContext("gc") as () => void;
      const text = listOf(unit, 2 * MIB);
      collect();
      const before = process.memoryUsage().heapUsed;
      const value: unknown = JSON.parse(text);
      collect();
      const heap = process.memoryUsage().heapUsed - before;
      expect(value).toBeDefined();
      expect(await refusal(parsedDocument(text, heap / 2.5))).toBe("ADAPTER_TOO_LARGE");
      expect(await refusal(parsedDocument(text, heap * 2.5))).toBe("parsed");
    },
  );
});
