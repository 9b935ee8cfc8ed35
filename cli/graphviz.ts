/**
 * Drawing a diagram as SVG with Graphviz, in this process: a WebAssembly build that is an optional package and loaded only here. What comes
 * out is bytes for the same diagram, so a drawing can be kept and compared.
 */
import { toDot } from "../compiler/diagram/dot.ts";
import type { Diagram } from "../compiler/diagram/model.ts";
import { CliFault, EXIT } from "./faults.ts";
import { measured, withTexts } from "./output/diagram-svg.ts";

const PACKAGE = "@hpcc-js/wasm-graphviz";
const VERSION = "1.29.2";

export async function drawSvg(diagram: Diagram): Promise<string> {
  const graphviz = await loaded();
  const svg = withTexts(graphviz.dot(toDot(measured(diagram)), "svg"), diagram);
  // Readers of the screen want to be told at the root that this is one picture.
  return svg.replace("<svg ", '<svg role="img" aria-label="Graph of the program" ');
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
