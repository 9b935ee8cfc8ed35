/** Texts that a store keeps end with their checksum: damage to them is found, wherever it is, also where it looks like the end of an older text. */
import { describe, expect, it } from "vitest";
import { opened, sealed } from "../../../../service/jobs/sqlite/tables/sealed-texts.ts";
import { seededRandom } from "./job-load.ts";

const DOCUMENT = JSON.stringify({ ok: true, out: ["<1><2>", { total: 7 }], warnings: [] });

describe("a text with its checksum", () => {
  it("is what it was, and belongs to one job", () => {
    const stored = sealed(DOCUMENT, "a");
    expect(opened(stored, "a")).toBe(DOCUMENT);
    expect(() => opened(stored, "b")).toThrow(/the text of b/);
  });

  it("is damaged where its end is overwritten with what ends like a document (D2.Q-3)", () => {
    const stored = sealed(DOCUMENT, "a");
    for (const end of ["}", "]", "x}", "x]\n"])
      for (let kept = 0; kept < stored.length - end.length; kept++) {
        const damaged = stored.slice(0, kept) + "x".repeat(stored.length - kept - end.length) + end;
        expect(() => opened(damaged, "a"), damaged).toThrow(/the text of a/);
      }
  });

  it("is never given back as something else after random damage (D2.Q-3)", () => {
    const random = seededRandom("damaged texts");
    for (let n = 0; n < 20_000; n++) {
      const bytes = Buffer.from(sealed(DOCUMENT, "a"));
      const length = [1, 8, 64][Math.floor(random() * 3)] as number;
      const at = Math.floor(random() * bytes.length);
      for (let i = at; i < Math.min(bytes.length, at + length); i++) bytes[i] = random() * 256;
      let found: string = DOCUMENT;
      try {
        found = opened(bytes.toString("utf8"), "a");
      } catch {}
      expect(found).toBe(DOCUMENT);
    }
  });

  it("may be one of an earlier version, which has none", () => {
    for (const text of [DOCUMENT, `${DOCUMENT}\n`, "[]", '{"a":1}\n{"b":2}\n']) expect(opened(text, "a")).toBe(text);
  });
});
