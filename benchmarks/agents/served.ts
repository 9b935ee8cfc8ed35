/** The built MCP server as a process, with the client of the SDK. It may use every adapter: programs are only ever replayed. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { ServedTools } from "./driver.ts";

export async function startServer(binary: string): Promise<ServedTools & { close(): Promise<void> }> {
  const client = new Client({ name: "weft-agents", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [binary, "mcp", "--profile", "operator_full"],
      env: { PATH: process.env["PATH"] ?? "" },
      stderr: "inherit",
    }),
  );
  const { tools } = await client.listTools();
  return {
    instructions: client.getInstructions() ?? "",
    tools,
    async call(name, args) {
      const { structuredContent } = await client.callTool({ name, arguments: args });
      return structuredContent as Record<string, unknown>;
    },
    close: () => client.close(),
  };
}
