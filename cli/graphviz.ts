/**
 * Drawing text for Graphviz as SVG, in this process: a WebAssembly build that is an optional package and loaded only here. What comes
 * out is bytes for the same text, so a drawing can be kept and compared.
 */
import { CliFault, EXIT } from "./faults.ts";

const PACKAGE = "@hpcc-js/wasm-graphviz";
const VERSION = "1.29.2";

export async function drawSvg(dot: string): Promise<string> {
  const graphviz = await loaded();
  // Graphviz names its pictures inside; readers of the screen want to be told at the root that this is one.
  return graphviz.dot(dot, "svg").replace("<svg ", '<svg role="img" aria-label="Graph of the program" ');
}

async function loaded() {
  let module: typeof import("@hpcc-js/wasm-graphviz");
  try {
    module = await import("@hpcc-js/wasm-graphviz");
  } catch {
    throw new CliFault(`drawing needs the package ${PACKAGE}; install it with: npm install ${PACKAGE}@${VERSION}`, {
      error: "package_missing",
      exitCode: EXIT.usage,
      members: { package: PACKAGE, install: `npm install ${PACKAGE}@${VERSION}` },
      notes: ["mermaid and dot are text and need nothing"],
    });
  }
  return module.Graphviz.load();
}
