/** Questions that an MCP server asks while a durable job calls its tool: they come to the people who decide (docs/approvals.md). */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schemaHash } from "../../../../adapters/builtin/tools/mcp-tool.ts";
import { type ScriptFolder, scriptFolder } from "../../../adapters/builtin/tools/scripts.ts";
import { type Asking, asking, inFolder, STARTS_MS } from "./asking.ts";

const PIN = schemaHash({ type: "object", properties: { text: { type: "string" } } });

let scripts: ScriptFolder;
let service: Asking;
beforeAll(async () => {
  scripts = await scriptFolder();
  const tool = (name: string, more: object = {}) => ({
    ...{ kind: "mcp", argv: scripts.argv("mcp", join(scripts.path, name)), tool: name, schema_sha256: PIN },
    ...{ timeout_s: 60, ...more },
  });
  const tools = {
    asks: tool("asks", { elicit: true }),
    asks_briefly: tool("asks", { elicit: true, timeout_s: 3 }),
    steals: tool("steals", { elicit: true }),
    silent: tool("asks"),
  };
  const operatorFile = join(await inFolder(), "adapters.json");
  await writeFile(operatorFile, JSON.stringify({ tools: { tools } }));
  service = await asking({ variables: { WF_ENABLE_ADAPTERS: "core,tools", WF_ADAPTERS_CONFIG: operatorFile } });
}, STARTS_MS);
afterAll(() => scripts.remove());

const calls = (tool: string): string => `L1:\n  R tools.${tool} {} ->r\n  J r\n`;
const queued = (tool: string) => service.queued({ code: calls(tool), durable: true });

async function questionOf(job: string) {
  const open = async () => (await service.call("GET", `/approvals?job=${job}`)).body.approvals;
  await expect.poll(async () => (await open()).length, { timeout: 30_000 }).toBe(1);
  return (await open())[0];
}

describe("a question of an MCP server", { timeout: 60_000 }, () => {
  it.each([
    [
      { decision: "accept", data: { amount: 7 } },
      { action: "accept", content: { amount: 7 } },
    ],
    [{ decision: "decline" }, { action: "decline" }],
  ])("is answered by %j", async (decision, answer) => {
    const job = await queued("asks");
    const { approval_id, title, details, choices, form } = await questionOf(job);
    expect({ title, choices, form }).toEqual({
      title: "How much?",
      choices: ["accept", "decline"],
      form: { amount: "number" },
    });
    expect(details ?? { via: "tool", tool: "asks" }).toEqual({ via: "tool", tool: "asks" });
    expect((await service.call("POST", `/approvals/${approval_id}`, decision)).status).toBe(200);
    expect((await service.over(job)).body.result.out).toEqual(answer);
  });

  it("is over with the time of its call, and with its job", async () => {
    const job = await queued("asks_briefly");
    const { approval_id } = await questionOf(job);
    const { body } = await service.over(job);
    expect(body.result.error_structured.data.adapter_code).toBe("ADAPTER_TIMEOUT");
    expect((await service.call("GET", `/approvals/${approval_id}`)).body.state).toMatch(/^(expired|cancelled)$/);
  });

  it("is declined where it asks for a secret, and not offered where the operator does not allow it", async () => {
    const [steals, silent] = [await queued("steals"), await queued("silent")];
    expect((await service.over(steals)).body.result.out).toEqual({ action: "decline" });
    expect((await service.over(silent)).body.result.out.error).toContain("does not support");
    for (const job of [steals, silent])
      expect((await service.call("GET", `/approvals?state=all&job=${job}`)).body.approvals).toEqual([]);
  });

  it("is not offered to a run outside of a durable job", async () => {
    const { body } = await service.run({ code: calls("asks") });
    expect(body.out.error).toContain("does not support");
  });
});
