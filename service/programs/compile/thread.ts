/** Entry of the thread that compiles large sources. */
import { parentPort } from "node:worker_threads";
import { createCatalog } from "../../../compiler/catalog.ts";
import { compileUnbound } from "../../../compiler/compile.ts";
import { includesIn } from "../../../vm/inputs/program-files.ts";
import type { CompileOrder } from "./compilers.ts";
import { partsOf } from "./parts.ts";

parentPort?.on("message", ({ source, files, options, entries }: CompileOrder) => {
  const includes = files === null ? {} : { includes: includesIn(files) };
  parentPort?.postMessage(
    partsOf(compileUnbound(source, { ...options, ...includes, catalog: createCatalog(entries) })),
  );
});
parentPort?.postMessage("ready");
