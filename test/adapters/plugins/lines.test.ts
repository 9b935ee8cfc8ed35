/** Lines of a plugin process: whole however they are cut, and cheap whatever comes between them. */
import { expect, it, onTestFinished, vi } from "vitest";
import { LineReader, MAX_LINE_BYTES } from "../../../adapters/plugins/process/lines.ts";
import type { JsonObject } from "../../../compiler/json.ts";

function reading() {
  const heard: JsonObject[] = [];
  const faults: string[] = [];
  const reader = new LineReader(
    (message) => heard.push(message),
    (fault) => faults.push(fault),
  );
  return { heard, faults, reader };
}

it.each([1, 2, 7, 1000])("are the same in pieces of %i bytes", (size) => {
  const { heard, faults, reader } = reading();
  const messages = [{ a: "é\u{1f600}" }, {}, { b: "x".repeat(100) }];
  const bytes = Buffer.from(messages.map((one) => `${JSON.stringify(one)}\r\n\n`).join(""));
  for (let at = 0; at < bytes.length; at += size) reader.take(bytes.subarray(at, at + size));
  expect(heard).toEqual(messages);
  expect(faults).toEqual([]);
});

it("do not keep the pieces they came in", () => {
  const { heard, reader } = reading();
  const piece = Buffer.from("{");
  reader.take(piece);
  piece.fill("!");
  reader.take(Buffer.from("}\n"));
  expect(heard).toEqual([{}]);
});

it("that are empty are not looked at", () => {
  const { heard, faults, reader } = reading();
  const decode = vi.spyOn(TextDecoder.prototype, "decode");
  onTestFinished(() => decode.mockRestore());
  reader.take(Buffer.from(`${"\n".repeat(100_000)}{}\n${"\n".repeat(100_000)}`));
  expect(decode).toHaveBeenCalledTimes(1);
  expect([heard, faults]).toEqual([[{}], []]);
});

it("have at most 8 MiB, and nothing is read after a longer one", () => {
  for (const beyond of [0, 1]) {
    const { heard, faults, reader } = reading();
    const line = Buffer.from(`{"a":"${"x".repeat(MAX_LINE_BYTES - 8 + beyond)}"}\n{}\n`);
    for (let at = 0; at < line.length; at += 1_000_000) reader.take(line.subarray(at, at + 1_000_000));
    expect(heard.length).toBe(beyond === 0 ? 2 : 0);
    expect(faults).toEqual(beyond === 0 ? [] : ["a line is longer than 8 MiB"]);
  }
});
