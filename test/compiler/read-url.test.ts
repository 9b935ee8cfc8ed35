/** URLs read without an exception. */
import { expect, it } from "vitest";
import { readUrl } from "../../compiler/read-url.ts";

it("reads names in other scripts, however often it was called before", () => {
  for (let call = 0; call < 100_000; call++) readUrl(`https://example.com/${call}`);
  expect(readUrl("https://bücher.example/ä")?.href).toBe("https://xn--bcher-kva.example/%C3%A4");
});

it.each([
  ["/a", "https://example.com/b", "https://example.com/a"],
  ["/a", undefined, null],
  ["", undefined, null],
  ["https://", undefined, null],
])("%j from %j is %j", (text, base, href) => {
  expect(readUrl(text, base)?.href ?? null).toBe(href);
});
