/**
 * The program of a JavaScript plugin that runs in a process of its own: it loads the module that it is given and speaks the protocol
 * for it. Stdout belongs to the protocol; what the plugin prints goes to stderr.
 */
import { Console } from "node:console";
import { pathToFileURL } from "node:url";
import { lineSafe } from "../../../vm/values/json-line.ts";
import { definitionIn } from "../module-exports.ts";
import { LineReader } from "../process/lines.ts";
import { PluginServer } from "./server.ts";

const [file = ""] = process.argv.slice(2);
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
globalThis.console = new Console(process.stderr);

/** The reason stands on stderr, for the operator's log. */
function fail(reason: unknown): never {
  process.stderr.write(`${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}\n`);
  // Whatever the plugin began keeps the process from ending by itself.
  process.exit(1);
}

try {
  const module: object = await import(pathToFileURL(file).href);
  const server = new PluginServer(definitionIn("module", module), (message) => {
    write(`${lineSafe(JSON.stringify(message))}\n`);
  });
  const reader = new LineReader((message) => server.take(message), fail);
  process.stdin.on("data", (chunk: Uint8Array) => reader.take(chunk));
  // The parent process is gone, or no longer needs this one.
  process.stdin.once("end", () => process.exit(0));
} catch (cause) {
  fail(cause);
}
