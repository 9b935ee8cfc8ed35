/** Entry of the thread that compiles large sources. */
import { parentPort } from "node:worker_threads";
import { createCatalog } from "../../../compiler/catalog.ts";
import { compileTask } from "../../../compiler/compile.ts";
import { completed } from "../../../grammar/text/task.ts";
import type { CompileOrder } from "./compilers.ts";
import { partsOf } from "./parts.ts";

parentPort?.on("message", ({ source, options, entries }: CompileOrder) =>
  parentPort?.postMessage(partsOf(completed(compileTask(source, { ...options, catalog: createCatalog(entries) })))),
);
parentPort?.postMessage("ready");
