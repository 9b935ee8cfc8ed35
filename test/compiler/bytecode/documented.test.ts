/** docs/bytecode.md has a row for every instruction, with the words of the instruction table, in its order. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { WORD_TABLES } from "../../../compiler/bytecode/encode.ts";
import { INSTRUCTIONS } from "../../../compiler/bytecode/opcodes.ts";

const text = readFileSync(new URL("../../../docs/bytecode.md", import.meta.url), "utf8");

it("every instruction has its row", () => {
  const chapter = text.slice(text.indexOf("## Instructions"), text.indexOf("## Control records"));
  const rows = [...chapter.matchAll(/^\| `(\w+)` \| ([a-zD ]*) \|/gm)].map(([, name, words]) => `${name}: ${words}`);
  expect(rows).toEqual(INSTRUCTIONS.map(({ name, words }) => `${name}: ${words.join(" ")}`));
});

it("opcodes are the places in the table", () => {
  expect(INSTRUCTIONS.map(({ op }) => op)).toEqual(INSTRUCTIONS.map((_, at) => at));
});

it("every table of the encoding is named", () => {
  const chapter = text.slice(text.indexOf("## Encoding"), text.indexOf("## Verification"));
  expect(chapter).toContain(WORD_TABLES.join(", "));
});
