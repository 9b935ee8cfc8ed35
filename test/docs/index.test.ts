/** Every page is on the index, and every link between pages and every citation in a comment leads to a page and a heading that exist. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PAGES } from "./pages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCS = join(ROOT, "docs");
const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...PAGES.map((name) => `docs/${name}`)];

type Link = { readonly path: string; readonly anchor: string | undefined };

/** Links outside code, to files of the repository. */
function linksOf(document: string): Link[] {
  const text = readFileSync(join(ROOT, document), "utf8")
    .replace(/^```.*?^```$/gms, "")
    .replace(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, target = "", anchor]) => ({
    path: target === "" ? join(ROOT, document) : join(ROOT, dirname(document), target),
    anchor,
  }));
}

/** Anchors of the headings, as viewers of Markdown make them. */
function anchorsOf(path: string): ReadonlySet<string> {
  const headings = readFileSync(path, "utf8").matchAll(/^#{1,6} +(.+?) *$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replace(/\s/g, "-"),
    ),
  );
}

/** What comments of the code cite: a page, then a heading or a part of one, both in brackets or the heading alone. */
function citationsOf(path: string): { readonly page: string; readonly heading: string }[] {
  const comments = [...readFileSync(path, "utf8").matchAll(/^\s*\/\*\*.*?\*\/|^\s*\/\/.*?$/gms)]
    .map(([text]) => text.replace(/\s*\n\s*\* ?/g, " "))
    .join("\n");
  return [...comments.matchAll(/(docs\/[\w/-]+\.md)(?:, ([^().;:]+)\)| \(([^().;:]+)\))?/g)].map(
    ([, page = "", inside = "", after = inside]) => ({ page, heading: after }),
  );
}

describe("links", () => {
  it.each(documents)("of %s lead somewhere", (document) => {
    const broken = linksOf(document)
      .filter(
        ({ path, anchor }) =>
          !existsSync(path) || (anchor !== undefined && statSync(path).isFile() && !anchorsOf(path).has(anchor)),
      )
      .map(({ path, anchor }) => `${relative(ROOT, path)}${anchor === undefined ? "" : `#${anchor}`}`);
    expect(broken).toEqual([]);
  });
});

it.each(documents)("%s has no marks of an unfinished merge", (document) => {
  expect(readFileSync(join(ROOT, document), "utf8")).not.toMatch(/^(?:<{7}|>{7}) /m);
});

it("comments cite pages and headings that exist", () => {
  const sources = ["grammar", "compiler", "vm", "adapters", "service", "mcp", "cli", "test", "benchmarks"].flatMap(
    (folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.startsWith("node_modules/"))
        .map((name) => `${folder}/${name}`),
  );
  const isCited = ({ page, heading }: { readonly page: string; readonly heading: string }): boolean =>
    existsSync(join(ROOT, page)) &&
    readFileSync(join(ROOT, page), "utf8")
      .split("\n")
      .some((line) => heading === "" || (line.startsWith("#") && line.toLowerCase().includes(heading.toLowerCase())));
  const cited = sources.flatMap((source) =>
    citationsOf(join(ROOT, source)).map((citation) => ({ source, ...citation })),
  );
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter((citation) => !isCited(citation))).toEqual([]);
});

it("docs/README.md lists every page once", () => {
  const listed = linksOf("docs/README.md").map(({ path }) => relative(DOCS, path));
  const top = PAGES.filter((name) => !name.includes("/") && name !== "README.md");
  expect(top.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name, at) => listed.indexOf(name) !== at)).toEqual([]);
});
