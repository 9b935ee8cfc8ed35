/**
 * Drawing a diagram as SVG with Graphviz, in this process: a WebAssembly build that is an optional package and loaded only here. What comes
 * out is bytes for the same diagram, so a drawing can be kept and compared.
 */
import { installCommand } from "../../adapters/packages.ts";
import { boxesIn, toDot } from "../../compiler/diagram/dot.ts";
import { measured } from "../../compiler/diagram/measured.ts";
import type { Diagram } from "../../compiler/diagram/model.ts";
import { counted } from "../output/terminal/table.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import { withTexts } from "./svg.ts";

const PACKAGE = "@hpcc-js/wasm-graphviz";
/** More would take minutes and give an unreadable drawing. */
const MAX_BOXES = 10_000;
/** Below, nothing that is drawn is too much for Graphviz: what it throws is a defect. */
const LARGE_FROM = 1000;

/** Throws CliFault for a diagram that is too large to be drawn, and where the package is missing. */
export async function drawSvg(diagram: Diagram): Promise<string> {
  const boxes = boxesIn(diagram.groups);
  if (boxes > MAX_BOXES) throw tooLarge(boxes);
  const graphviz = await loaded();
  const svg = withTexts(laidOut(graphviz, diagram, boxes), diagram);
  // Screen readers need to know at the root that this is one picture.
  return svg.replace("<svg ", '<svg role="img" aria-label="Graph of the program" ');
}

/** Its stack and its memory are bounded: long chains of many boxes may be too much for it. */
function laidOut(graphviz: { dot(text: string, format: "svg"): string }, diagram: Diagram, boxes: number): string {
  const text = toDot(measured(diagram));
  try {
    return graphviz.dot(text, "svg");
  } catch (cause) {
    if (boxes < LARGE_FROM) throw cause;
    throw tooLarge(boxes);
  }
}

function tooLarge(boxes: number): CliFault {
  return new CliFault(`a diagram of ${counted(boxes, "box", "boxes")} is too large to be drawn`, {
    error: "result_too_large",
    exitCode: EXIT.usage,
    members: { boxes },
    notes: [
      "use --labels-only for one box per label, --label NAME for one label, or the formats mermaid and dot, which have no limit",
    ],
  });
}

async function loaded() {
  let module: typeof import("@hpcc-js/wasm-graphviz");
  try {
    module = await import("@hpcc-js/wasm-graphviz");
  } catch {
    const install = installCommand([PACKAGE]);
    throw new CliFault(`drawing needs the package ${PACKAGE}; install it with: ${install}`, {
      error: "package_missing",
      exitCode: EXIT.usage,
      members: { package: PACKAGE, install },
      notes: ["the formats mermaid and dot need no package"],
    });
  }
  return module.Graphviz.load();
}
