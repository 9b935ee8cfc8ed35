/** `wf mcp` without any flag, as agents start it: nothing of the other commands is loaded, because somebody waits for the first answer. */
import type { Variables } from "../adapters/operator/host-config.ts";
import type { CliIo } from "./session/io.ts";

/** Serves on the streams of the process until they end; the exit code. */
export async function serveAgents(io: CliIo, variables: Variables): Promise<number> {
  if (io.stdin.terminal)
    io.stderr.write(
      "note this server talks to MCP hosts over standard input and output; wf mcp --print-config prints the entry for a host\n",
    );
  const { serveMcp } = await import("../mcp/main.ts");
  return serveMcp({
    variables,
    clock: io.clock,
    uuid: io.uuid,
    complain: (text) => io.stderr.write(text),
    ...io.streams(),
    onSignal: (handler) => io.onSignal(handler),
    leave: (code) => io.leave(code),
  });
}
