/**
 * Railroad diagrams: one SVG per production in a page that needs nothing else. A track runs from left to right; a choice splits it,
 * what may be left out has a way above it, what repeats has a way back below it.
 */
import type { Expression, Production } from "./expression.ts";

/** A drawn piece: the track enters at `y` of the left edge and leaves at the same height. */
type Drawn = {
  readonly width: number;
  /** How far it reaches above and below the track. */
  readonly above: number;
  readonly below: number;
  draw(x: number, y: number): string;
};

const BOX = 11;
const GAP = 10;
const ROW = 8;
const CHARACTER = 7.3;
/** A wider diagram may have to be scrolled. */
const SCROLLED = 640;

export function railroadOf(rules: readonly Production[]): string {
  const contents = rules.map(({ name }) => `<li><a href="#${escaped(name)}">${escaped(name)}</a></li>`);
  const sections = rules.map(({ name, doc, body }) =>
    [
      `<h2 id="${escaped(name)}">${escaped(name)}</h2>`,
      doc === "" ? "" : `<p>${escaped(doc)}</p>`,
      diagram(name, body),
    ].join("\n"),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Weft grammar</title><style>${STYLE}</style></head>
<body><h1>Weft grammar</h1>
<nav aria-label="Contents"><ul>
${contents.join("\n")}
</ul></nav>
${sections.join("\n")}
</body></html>
`;
}

const STYLE = [
  ":root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--track:#57606a;--rule:#ddf4ff;--word:#fff8c5;--class:#eaeef2;--link:#0550ae}",
  "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--track:#9198a1;--rule:#0c2d4d;--word:#3b2e00;--class:#262c36;--link:#79c0ff}}",
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:var(--ink);background:var(--paper)}",
  "h2{font:600 1rem ui-monospace,monospace;margin:2rem 0 .25rem}p{margin:.25rem 0}div{overflow-x:auto}",
  "nav ul{columns:14rem;padding:0;list-style:none}nav li{overflow-wrap:anywhere}a{color:var(--link)}",
  "svg{display:block}path{fill:none;stroke:var(--track);stroke-width:1.5}",
  "text{font:12px ui-monospace,monospace;text-anchor:middle;fill:var(--ink)}a text{fill:var(--link)}",
  "rect{stroke:var(--track);fill:var(--rule)}rect.word{fill:var(--word)}rect.class{fill:var(--class)}",
].join("\n");

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function diagram(name: string, body: Expression): string {
  const drawn = piece(body);
  const width = Math.ceil(drawn.width + 4 * GAP);
  const height = Math.ceil(drawn.above + drawn.below + 2 * ROW);
  const y = drawn.above + ROW;
  const ends = `${track(0, y, 2 * GAP, y)}${drawn.draw(2 * GAP, y)}${track(2 * GAP + drawn.width, y, width, y)}`;
  // A keyboard scrolls what it can reach; and the links inside make it a group, not one picture.
  const reachable = width > SCROLLED ? ' tabindex="0"' : "";
  const facts = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="${escaped(name)}"`;
  return `<div${reachable}><svg ${facts}>${ends}</svg></div>`;
}

function piece(expression: Expression): Drawn {
  switch (expression.is) {
    case "text":
      return expression.text === "\n" ? box("line end", "class", null) : box(expression.text, "word", null);
    case "class":
      return box(expression.set, "class", null);
    case "rule":
      return box(expression.name, "rule", expression.name);
    case "token":
    case "space":
      return { width: 0, above: 0, below: 0, draw: () => "" };
    case "sequence":
      return row(expression.of.map(piece).filter(({ width }) => width > 0));
    case "choice":
      return column(expression.of.map(piece));
    case "optional":
      return around(piece(expression.of), true, false);
    case "repeat":
      return around(piece(expression.of), expression.least === 0, true);
  }
}

function track(x1: number, y1: number, x2: number, y2: number): string {
  if (y1 === y2) return `<path d="M${x1} ${y1}H${x2}"/>`;
  const middle = (x1 + x2) / 2;
  return `<path d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}"/>`;
}

function box(label: string, kind: string, target: string | null): Drawn {
  const width = Math.max(24, label.length * CHARACTER + 14);
  return {
    width,
    above: BOX,
    below: BOX,
    draw(x, y) {
      const shape = `<rect class="${kind}" x="${x}" y="${y - BOX}" width="${width}" height="${2 * BOX}" rx="${kind === "word" ? BOX : 3}"/>`;
      const text = `<text x="${x + width / 2}" y="${y + 4}">${escaped(label)}</text>`;
      return shape + (target === null ? text : `<a href="#${escaped(target)}">${text}</a>`);
    },
  };
}

function row(parts: readonly Drawn[]): Drawn {
  const width = parts.reduce((sum, part) => sum + part.width, 0) + GAP * Math.max(0, parts.length - 1);
  return {
    width: Math.max(width, GAP),
    above: Math.max(0, ...parts.map(({ above }) => above)),
    below: Math.max(0, ...parts.map(({ below }) => below)),
    draw(x, y) {
      if (parts.length === 0) return track(x, y, x + GAP, y);
      let at = x;
      return parts
        .map((part, index) => {
          const join = index === 0 ? "" : track(at, y, at + GAP, y);
          if (index > 0) at += GAP;
          const drawn = part.draw(at, y);
          at += part.width;
          return join + drawn;
        })
        .join("");
    },
  };
}

/** Alternatives below one another; the first lies on the track. */
function column(parts: readonly Drawn[]): Drawn {
  const inner = Math.max(...parts.map(({ width }) => width));
  const width = inner + 4 * GAP;
  const [first] = parts;
  const offsets: number[] = [];
  let below = first?.below ?? 0;
  for (const [index, part] of parts.entries()) {
    offsets.push(index === 0 ? 0 : below + ROW + part.above);
    if (index > 0) below += ROW + part.above + part.below;
  }
  return {
    width,
    above: first?.above ?? 0,
    below,
    draw: (x, y) =>
      parts
        .map((part, index) => {
          const at = y + (offsets[index] ?? 0);
          const start = x + 2 * GAP;
          const end = start + part.width;
          return (
            track(x, y, start, at) +
            part.draw(start, at) +
            track(end, at, start + inner, at) +
            track(start + inner, at, x + width, y)
          );
        })
        .join(""),
  };
}

/** A way past it above the track, a way back below it. */
function around(part: Drawn, past: boolean, back: boolean): Drawn {
  const width = part.width + 4 * GAP;
  const over = part.above + ROW;
  const under = part.below + ROW;
  return {
    width,
    above: part.above + (past ? 2 * ROW : 0),
    below: part.below + (back ? 2 * ROW : 0),
    draw(x, y) {
      const start = x + 2 * GAP;
      const end = start + part.width;
      const through = track(x, y, start, y) + part.draw(start, y) + track(end, y, x + width, y);
      const bypass = past
        ? track(x, y, start, y - over) + track(start, y - over, end, y - over) + track(end, y - over, x + width, y)
        : "";
      const again = back
        ? `<path d="M${end} ${y}c${GAP} 0 ${GAP} ${under} 0 ${under}H${start}c${-GAP} 0 ${-GAP} ${-under} 0 ${-under}"/>`
        : "";
      return through + bypass + again;
    },
  };
}
