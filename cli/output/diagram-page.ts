/**
 * A diagram as one web page that needs nothing else: drawing, legend and a table of the steps. It has no script, and its policy allows
 * none, so nothing that a program says can act in it.
 */
import { COLORS } from "../../compiler/diagram/colors.ts";
import { TIER_LETTERS } from "../../compiler/diagram/model.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { stepText } from "../../compiler/ir/step-text.ts";
import { markupText } from "./markup.ts";
import { writtenLabel } from "./run.ts";

const STYLE = [
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#1a1a1a;background:#fff}",
  "figure{margin:1rem 0;padding:1rem;border:1px solid #bbb;overflow:auto;max-height:85vh}",
  "svg{max-width:none}",
  "table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top}",
  "code{font-family:ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}",
  "li{list-style:none;display:inline-block;margin-right:1rem;padding:0 .5rem;border:1px solid}",
].join("");

export function diagramPage(name: string, ir: Ir, svg: string): string {
  const title = markupText(name);
  // Prologue and document type belong to a file of its own.
  const drawing = svg.slice(Math.max(0, svg.indexOf("<svg")));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<figure>
${drawing}</figure>
<ul>
${legend()}
</ul>
<table>
<tr><th>Label</th><th>Step</th><th>Line</th><th></th></tr>
${rows(ir)}
</table>
</body>
</html>
`;
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
