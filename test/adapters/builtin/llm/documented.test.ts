/** What docs/adapters/llm.md shows is accepted and true. */
import { expect, it } from "vitest";
import { llmAdapter } from "../../../../adapters/builtin/llm/definition.ts";
import { settingsOf } from "../../../../adapters/definition/link.ts";
import { ADAPTER_CODES } from "../../../../adapters/errors.ts";
import { readPage } from "../../../docs/page.ts";

const { text } = readPage("adapters/llm.md");

it("the operator's file of the page is accepted", () => {
  const [, file = ""] = /^```json\n(.*?)^```$/ms.exec(text) ?? [];
  const { enable, llm } = JSON.parse(file);
  expect(enable).toEqual(["llm"]);
  expect(settingsOf(llmAdapter, llm)).toMatchObject({ ok: true, warnings: [] });
});

it("the page names only codes that exist", () => {
  const codes = [...text.matchAll(/\bADAPTER_[A-Z_]+/g)].map(([code]) => code);
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !Object.hasOwn(ADAPTER_CODES, code))).toEqual([]);
});
