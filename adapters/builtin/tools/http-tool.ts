/** Tools at an address: sends the list of arguments as JSON with a fixed method and URL, and reads JSON. */

import { adapterError } from "../../errors.ts";
import { type HttpClient, neededHttp } from "../../guard/http/http.ts";
import type { HttpDeclaration } from "./declarations.ts";
import type { ToolCall } from "./tool.ts";

export async function runHttp(
  declared: HttpDeclaration,
  http: HttpClient | undefined,
  { args, signal }: ToolCall,
): Promise<unknown> {
  const client = neededHttp(http, "HTTP tools need");
  const { url, method, retryable, allow_hosts: allowHosts = [new URL(url).hostname] } = declared;
  const { status, body } = await client.sendJson(method, url, { args }, { signal, allowHosts });
  if (status >= 200 && status < 300) return body;
  throw adapterError("ADAPTER_TOOL_FAILED", "the tool answered with an error", { retryable, data: { status } });
}
