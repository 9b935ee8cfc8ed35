/**
 * A diagram as one web page that needs nothing else: drawing, legend and a table of the steps. It has no script, and its policy allows
 * none, so nothing that a program says can act in it.
 */
import { COLORS } from "../../compiler/diagram/colors.ts";
import { TIER_LETTERS } from "../../compiler/diagram/model.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { stepText } from "../../compiler/ir/step-text.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import { markupText } from "../output/terminal/markup.ts";

/** Sizes of the drawing that can be chosen, in percent. */
const ZOOMS = [50, 100, 200];

/** Colors of the page are those of the reader's scheme; the drawing is ink on paper in both. */
const STYLE = [
  ":root{color-scheme:light dark}",
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem}",
  "h1,td,code{overflow-wrap:anywhere}",
  "figure{margin:1rem 0;padding:1rem;border:1px solid #888;background:#fff;overflow:auto;max-height:85vh}",
  "label{margin-right:1rem}",
  "#fit:checked~figure svg{max-width:100%;max-height:80vh;height:auto}",
  ...ZOOMS.map((percent) => `#zoom${percent}:checked~figure svg{zoom:${percent}%}`),
  "table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top}",
  "th{white-space:nowrap}code{font-family:ui-monospace,monospace;white-space:pre-wrap}",
  "ul{padding:0}li{display:inline-block;margin-right:1rem;padding:0 .5rem;border:1px solid;color:#000}",
  "@media print{figure{overflow:visible;max-height:none}figure svg{max-width:100%;height:auto}}",
].join("");

export function diagramPage(name: string, ir: Ir, svg: string): string {
  const title = markupText(name);
  // Prologue and document type belong to a file of its own.
  const drawing = svg.slice(Math.max(0, svg.indexOf("<svg")));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
Size of the drawing:
${sizes()}
<figure tabindex="0" aria-label="Drawing">
${drawing}</figure>
<ul aria-label="What the colors mean">
${legend()}
</ul>
<table>
<tr><th scope="col">Label</th><th scope="col">Step</th><th scope="col">Line</th><th scope="col">Text</th></tr>
${rows(ir)}
</table>
</body>
</html>
`;
}

/** The boxes stand next to the drawing, because a style cannot look into what is around them. */
function sizes(): string {
  const choice = (id: string, text: string, checked = "") =>
    `<input type="radio" name="size" id="${id}"${checked}> <label for="${id}">${text}</label>`;
  const zooms = ZOOMS.map((percent) => choice(`zoom${percent}`, `${percent} %`, percent === 100 ? " checked" : ""));
  return [choice("fit", "fit to the window"), ...zooms].join("\n");
}

function legend(): string {
  return Object.entries(COLORS)
    .map(([tier, { fill, line }]) => {
      const letter = Object.entries(TIER_LETTERS).find(([known]) => known === tier)?.[1] ?? "";
      return `<li style="background:${fill};border-color:${line}">${letter === "" ? "" : `[${letter}] `}${tier}</li>`;
    })
    .join("\n");
}

function rows(ir: Ir): string {
  return ir.nodes
    .map((node) => {
      const place = [writtenLabel(node.label), node.id, node.line === undefined ? "" : String(node.line)];
      return `<tr>${place.map((cell) => `<td>${markupText(cell)}</td>`).join("")}<td><code>${markupText(stepText(node))}</code></td></tr>`;
    })
    .join("\n");
}
