/**
 * `npm run bench`: the benchmarks, or one of the processes that they start, which are this bundle again (`scripts/bench.mjs`). Each process
 * loads only what it measures. With everything loaded, V8 took half a microsecond for the second member of an object whose first is `id`, and
 * the native peer of the records seemed ten times as slow as it is.
 */
import { CHILD, measureTask } from "./children.ts";
import { ENGINE, measureEngine } from "./durable/engines.ts";
import { PEER } from "./service/servers.ts";

const root = process.cwd();
const [mode, given = ""] = process.argv.slice(2);
if (mode === CHILD) await measureTask(given, root);
else if (mode === ENGINE) await measureEngine(given);
else if (mode === PEER) await (await import("./service/peer.ts")).servePeer(given);
else process.exitCode = await (await import("./bench.ts")).bench(process.argv.slice(2), root);
