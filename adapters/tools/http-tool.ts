/** Tools behind an address: the list of arguments as JSON body of a fixed method and URL, JSON back. */
import type { HttpClient } from "../auth/http-client.ts";
import { adapterError } from "../errors.ts";
import type { HttpDeclaration } from "./declarations.ts";
import type { ToolCall } from "./tool.ts";

export async function runHttp(
  declared: HttpDeclaration,
  http: HttpClient | undefined,
  { args, signal }: ToolCall,
): Promise<unknown> {
  if (http === undefined) {
    const data = { service: "http" };
    throw adapterError("ADAPTER_NOT_CONFIGURED", "HTTP tools need the http service of the host", { data });
  }
  const { url, method, retryable, allow_hosts: allowHosts = [new URL(url).hostname] } = declared;
  const { status, body } = await http.sendJson(method, url, { args }, { signal, allowHosts });
  if (status >= 200 && status < 300) return body;
  throw adapterError("ADAPTER_TOOL_FAILED", "the tool answered with an error", { retryable, data: { status } });
}
