/** JSON answers that are small to send and large to hold: counted before they are parsed, so that neither heap nor event loop suffers. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { MAX_DOCUMENT_HEAP, parsedDocument, parsedNow } from "../../../../adapters/content/json-document.ts";
import { openRuntime } from "../../../../adapters/runtime.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { configOf, folder } from "../../../gateway/folder.ts";
import { program } from "../../../gateway/requests.ts";
import { realClock } from "../../../support/adapter-bench.ts";
import { webServer } from "./servers.ts";

const MIB = 1024 * 1024;

/** A list of `unit` with about this many bytes of text. */
function listOf(unit: string, bytes: number): string {
  return `[${`${unit},`.repeat(Math.floor(bytes / (unit.length + 1)) - 1)}${unit}]`;
}

/** The units of documents that take much heap for their text. */
const UNITS = ["{}", "[]", '{"a":[]}', "[[]]", '""', "1"];

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "parsed",
    (thrown: unknown) => (thrown instanceof AdapterError ? [thrown.code, thrown.data] : String(thrown)),
  );
}

describe("a JSON document", () => {
  it.each(UNITS)("of 60 MB of %s is refused before it takes its heap", async (unit) => {
    const text = listOf(unit, 60 * MIB);
    const parse = vi.spyOn(JSON, "parse");
    const refused = await refusal(parsedDocument(text));
    expect(refused).toEqual(["ADAPTER_TOO_LARGE", { max_heap_bytes: MAX_DOCUMENT_HEAP }]);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it("of 20 MB is read in turns of the event loop", async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    expect(await parsedDocument(`["${"a".repeat(20_000_000)}"]`)).toHaveLength(1);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(3);
  });

  it("of usual rows is parsed up to several megabytes", async () => {
    const text = listOf('{"id":12345,"name":"somebody","tags":["a","b"],"at":"2026-01-01T00:00:00Z"}', 5 * MIB);
    expect(await parsedDocument(text)).toEqual(JSON.parse(text));
    expect(parsedNow(text)).toEqual(JSON.parse(text));
  });

  it("that is invalid is refused as such", async () => {
    for (const text of ["", "{", `${listOf("{}", 100_000)}]`, `"${"a".repeat(100_000)}`])
      expect(await refusal(parsedDocument(text))).toMatch(/^SyntaxError/);
  });

  it("of text counts little more than its text", async () => {
    const text = JSON.stringify({ text: 'say \\ "hello", {[: '.repeat(500_000) });
    expect(await parsedDocument(text)).toEqual(JSON.parse(text));
  });
});

describe("a program that asks for such an answer", () => {
  async function asked(text: string, operator: JsonObject, http: JsonObject) {
    const server = await webServer((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(text),
    );
    const runtime = openRuntime({
      config: configOf({ WF_ADAPTERS_CONFIG: folder().file("adapters.json", { http: operator }) }),
      clock: realClock,
      uuid: () => crypto.randomUUID(),
      log: () => {},
    });
    onTestFinished(async () => {
      await runtime.close();
      await server.close();
    });
    const { ir } = runtime.gateway.host.compile(program(`R http.Get "${server.base}/" ->r`, "J r.status"), {});
    const admission = runtime.gateway.admit({ adapters: { enable: ["http"], http } });
    if (!admission.ok || ir === null) throw new Error("admitted");
    const prepared = await runtime.gateway.prepare(ir, admission);
    if (!prepared.ok) throw new Error(JSON.stringify(prepared));
    const parse = vi.spyOn(JSON, "parse");
    const answer = await runtime.gateway.run(prepared, {});
    const parsed = parse.mock.calls.filter(([text]) => text.length > MIB).length;
    parse.mockRestore();
    return { answer, parsed, warnings: admission.warnings };
  }

  const named = { allow_hosts: ["127.0.0.1"] };
  const tooLarge = { ok: false, error: { data: { adapter_code: "ADAPTER_TOO_LARGE" } } };

  it("gets at most 8 MiB, whatever the request says", async () => {
    const { answer, parsed, warnings } = await asked(listOf("{}", 9 * MIB), named, { max_response_bytes: 64 * MIB });
    expect(warnings).toEqual([`setting_clamped: http.max_response_bytes is at most ${8 * MIB} in a request`]);
    expect(answer).toMatchObject(tooLarge);
    expect(parsed).toBe(0);
  });

  it("does not get 8 MiB of empty objects, which are not parsed", async () => {
    const { answer, parsed } = await asked(listOf("{}", 8 * MIB - 100), named, { max_response_bytes: 8 * MIB });
    expect(answer).toMatchObject(tooLarge);
    expect(parsed).toBe(0);
  });

  it("gets as much as the operator names", async () => {
    const operator = { ...named, max_response_bytes: 20 * MIB };
    const { answer, warnings } = await asked(listOf("1234567", 10 * MIB), operator, { max_response_bytes: 15 * MIB });
    expect([answer, warnings]).toMatchObject([{ ok: true, out: 200 }, []]);
  });
});
