/** `wf mcp` without any flag, as agents start it: nothing of the other commands is loaded, because somebody waits for the first answer. */
import type { Variables } from "../adapters/operator/host-config.ts";
import type { CliIo } from "./session/io.ts";

/** The programs of a service as tools (`mcp/deployed/open.ts`). */
type ProgramsAsked = { readonly url: string; readonly unreviewed: boolean; readonly pins: readonly string[] };

/** Serves on the streams of the process until they end; the exit code. `programs`: those of a service are the tools. */
export async function serveAgents(io: CliIo, variables: Variables, programs?: ProgramsAsked): Promise<number> {
  if (io.stdin.terminal)
    io.stderr.write(
      "note this server talks to MCP hosts over standard input and output; wf mcp --print-config prints the entry for a host\n",
    );
  const { serveMcp, serveProgramTools } = await import("../mcp/main.ts");
  const of = {
    variables,
    clock: io.clock,
    uuid: io.uuid,
    complain: (text: string) => io.stderr.write(text),
    ...io.streams(),
    onSignal: (handler: (signal: string) => void) => io.onSignal(handler),
    leave: (code: number) => io.leave(code),
  };
  return programs === undefined ? serveMcp(of) : serveProgramTools(of, programs);
}
