/**
 * The documentation as a site, of the same Markdown that the repository shows. The side bar is the index of docs/README.md and of the
 * folders; what a page links to outside of docs/ is opened in the repository.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";

const DOCS = fileURLToPath(new URL("..", import.meta.url));
const { repository } = JSON.parse(readFileSync(join(DOCS, "../package.json"), "utf8")) as {
  readonly repository: { readonly url: string };
};
const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, "");

const MARK = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(DOCS, "../service/ui/icon.svg"), "utf8"))}`;

const read = (page: string): string => readFileSync(join(DOCS, page), "utf8");
const titleOf = (page: string): string => /^# (.+)$/m.exec(read(page))?.[1]?.replaceAll("`", "") ?? page;

/** Pages that a section of an index links to, in its order. */
function linkedPages(section: string): string[] {
  const links = [...section.matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, page = ""]) => page);
  return [...new Set(links)].filter((page) => existsSync(join(DOCS, page)));
}

const item = (page: string): DefaultTheme.SidebarItem => ({
  text: titleOf(page),
  link: `/${page.replace(/(?:^|\/)README\.md$/, "/").replace(/\.md$/, "")}`,
});

/** The pages of a folder, its index first. */
function folder(name: string, index = `${name}/README.md`): DefaultTheme.SidebarItem {
  const pages = readdirSync(join(DOCS, name)).filter((file) => file.endsWith(".md") && file !== "README.md");
  return {
    ...item(index),
    collapsed: true,
    items: pages.map((file) => item(`${name}/${file}`)),
  };
}

function sidebar(): DefaultTheme.SidebarItem[] {
  return read("README.md")
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf("\n")),
      collapsed: false,
      items: linkedPages(section).map((page) => {
        if (page.endsWith("README.md")) return folder(dirname(page));
        // A page with a folder of its name is the index of that folder.
        const name = page.replace(/\.md$/, "");
        return existsSync(join(DOCS, name)) ? folder(name, page) : item(page);
      }),
    }));
}

/** Anchors as GitHub makes them, to which the pages link. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Where a link of a page leads: to a page of the site, or to a file or folder of the repository. */
function target(page: string, href: string): string {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const file = normalize(join(dirname(page), path));
  if (file.endsWith(".md") && !file.startsWith("..")) return href;
  const inRepository = normalize(join("docs", file));
  return `${REPOSITORY}/blob/main/${inRepository}${anchor === undefined ? "" : `#${anchor}`}`;
}

export default defineConfig({
  title: "Weft",
  description: "Deterministic, metered workflow execution for AI agents",
  cleanUrls: true,
  outDir: process.env["WEFT_SITE"] ?? join(DOCS, "../dist/docs"),
  cacheDir: join(DOCS, "node_modules/.cache"),
  head: [["link", { rel: "icon", href: MARK }]],
  srcExclude: ["node_modules/**"],
  rewrites: { "README.md": "index.md", ":folder/README.md": ":folder/index.md" },
  markdown: {
    // The pages are Markdown alone: what looks like markup, such as <name>, is text.
    html: false,
    anchor: { slugify: slug },
    languageAlias: { wf: "python", golden: "text" },
    config(markdown) {
      // Two braces would be read as an expression of the page.
      const plain = (text = "") => markdown.utils.escapeHtml(text).replaceAll("{{", "&#123;&#123;");
      markdown.renderer.rules["text"] = (tokens, at) => plain(tokens[at]?.content);
      markdown.renderer.rules["code_inline"] = (tokens, at) => `<code>${plain(tokens[at]?.content)}</code>`;
      markdown.core.ruler.push("links_to_the_repository", ({ tokens, env }) => {
        const page = String((env as { readonly relativePath?: string }).relativePath ?? "");
        for (const { children } of tokens)
          for (const [at, token] of (children ?? []).entries()) {
            const href = token.type === "link_open" ? token.attrGet("href") : null;
            if (href === null) continue;
            const text = children?.[at + 1];
            // A page that is named by its file is shown by its title.
            if (text?.content === href && href.endsWith(".md") && existsSync(join(DOCS, dirname(page), href)))
              text.content = titleOf(join(dirname(page), href));
            token.attrSet("href", target(page, href));
          }
      });
    },
  },
  themeConfig: {
    logo: MARK,
    nav: [
      { text: "Guide", link: "/guide" },
      { text: "How to", link: "/how-to/" },
      { text: "Adapters", link: "/adapters/" },
      { text: "Reference", link: "/reference" },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
  },
});
