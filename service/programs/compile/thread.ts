/** Entry of the thread that compiles large sources. */
import { parentPort } from "node:worker_threads";
import { createCatalog } from "../../../compiler/catalog.ts";
import { compileTask } from "../../../compiler/compile.ts";
import { completed } from "../../../grammar/text/task.ts";
import { includesIn } from "../deploy/program-files.ts";
import type { CompileOrder } from "./compilers.ts";
import { partsOf } from "./parts.ts";

parentPort?.on("message", ({ source, files, options, entries }: CompileOrder) => {
  const includes = files === null ? {} : { includes: includesIn(files) };
  const task = compileTask(source, { ...options, ...includes, catalog: createCatalog(entries) });
  parentPort?.postMessage(partsOf(completed(task)));
});
parentPort?.postMessage("ready");
