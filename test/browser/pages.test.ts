/**
 * Drawings as people see them, in Chromium: every text stays in its box, in the fonts of this machine; names of programs act in no way;
 * a page loads nothing, is readable in both color schemes and reached by keyboard. Skipped, with the reason, without Chromium.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wf } from "../cli/console.ts";
import { CHROMIUM, type Page, type Visit, visit } from "./chromium.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));
if (CHROMIUM === null) console.warn("test/browser/pages.test.ts: skipped, no Chromium is installed");

const long = `${"a".repeat(50)}_${"w".repeat(50)}`;
const loops = [1, 2, 3, 4].map((at) => `L${at}:\n  Loop rows row${at} ->L${at + 1} ->L_end\n`).join("");
const labels = Array.from(
  { length: 60 },
  (_, at) => `L${at}:\n  Set a${at} ${at}\n  If a${at} > 3 ->L${(at * 7) % 60} ->L${(at + 1) % 60}\n`,
);
const HARD: Readonly<Record<string, string>> = {
  "long.wf": `L1:\n  Set ${long} "${"W".repeat(300)}"\n  If ${long} == "${"i".repeat(100)}" ->L_${long} ->L2\nL2:\n  J 1\nL_${long}:\n  J 2\n`,
  "loops.wf": `${loops}L5:\n  R http.Get "https://a.example/x" ->r\n  Retry 3 100\n  Err ->L_down\n  R cache.set "n" "k" r ->ok\n  J r\nL_down:\n  J "down"\nL_end:\n  J 1\n`,
  "labels.wf": labels.join(""),
  "scripts.wf": `L1:\n  Set größe "日本語の長いテキスト、とても長いテキスト、もっと長いテキスト"\n  Set b "😀👩‍👩‍👧‍👦🏳️‍🌈 العربية ไทย हिन्दी ﷽ﷺ Größenänderungsübersicht"\n  If b == "ä̈̈" ->L_日本語日本語 ->L_ünï\nL_日本語日本語:\n  J b\nL_ünï:\n  J größe\n`,
  "hostile.wf": [
    "L1:",
    `  Set a "<script>owned=true;document.title='owned'</script>"`,
    `  Set b "<img src=http://stray.test/b onerror=owned=true>"`,
    `  Set c "]]><svg onload=owned=true><image href=http://stray.test/c />"`,
    `  Set d "</text></g><style>@import 'http://stray.test/d'</style>"`,
    `  Set e "<title>b1</title><text font-size=\\"9\\">x</text> &lt;b&gt; \\\\N\\\\G"`,
    "  If a ->L_<img/src='http://stray.test/e'> ->L2",
    "L2:",
    "  J a",
    "L_<img/src='http://stray.test/e'>:",
    "  J b",
    "",
  ].join("\n"),
};
const HOSTILE_FILE = `<img src=http:\\stray.test onerror=owned=true>.wf`;

/** Every program as a page and as a picture, one of them with the ways of a run. */
async function allPages(cwd: string): Promise<Page[]> {
  const pages: Page[] = [];
  const add = async (name: string, file: string, ...more: string[]) => {
    for (const [format, type] of [
      ["html", "text/html"],
      ["svg", "image/svg+xml"],
    ] as const) {
      const { code, stdout, stderr } = await wf(["diagram", file, "--loose", "--format", format, ...more], { cwd });
      expect([code, stderr], name).toEqual([0, ""]);
      pages.push({ name: `${name}.${format}`, type, text: stdout });
    }
  };
  const files = { ...HARD, [HOSTILE_FILE]: HARD["hostile.wf"] ?? "" };
  for (const [file, source] of Object.entries(files)) writeFileSync(join(cwd, file), source);
  for (const file of Object.keys(HARD)) await add(file, file);
  await add("hostile file", HOSTILE_FILE);
  await add("labels only", "labels.wf", "--labels-only");
  for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith(".wf")))
    await add(file, join(EXAMPLES, file));
  const retry = join(EXAMPLES, "retry.wf");
  await wf(["run", retry, "--frame", '{"messages": ["{}", "x"]}', "--trace-out", "t.json"], { cwd });
  await add("trace", retry, "--trace", "t.json");
  const grammar = (await wf(["grammar", "--format", "railroad"])).stdout;
  pages.push({ name: "grammar.html", type: "text/html", text: grammar });
  return pages;
}

/** What must be found when it is there. */
const BAD_PAGE = [
  `<!doctype html><title>bad</title><div style="overflow:auto;width:50px" tabindex="-1"><svg width="900" height="90">`,
  `<g class="node"><polygon points="0,0 50,0 50,20 0,20" fill="#fff"/><text x="0" y="10" fill="#ccc">far too long for this</text></g>`,
  `</svg></div><img src="http://stray.test/a" onerror=""><script>owned=true</script>`,
].join("");

it.skipIf(CHROMIUM === null)("the probe sees what it looks for", { timeout: 120_000 }, async () => {
  const page: Page = { name: "bad", type: "text/html", text: BAD_PAGE };
  const { measured, strayed } = await visit(CHROMIUM ?? "", [page], "light");
  expect(strayed).toEqual(["stray.test/a"]);
  expect(measured).toMatchObject([{ language: "", outside: ["far too long for this"], owned: true }]);
  const [bad] = measured;
  expect([bad?.active.length, bad?.unreachable.length, bad?.faint.length]).toEqual([3, 1, 1]);
});

describe.skipIf(CHROMIUM === null)("drawings in Chromium", () => {
  let pages: readonly Page[] = [];
  const visits = new Map<string, Visit>();
  const folder = mkdtempSync(join(tmpdir(), "weft-pages-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeAll(async () => {
    pages = await allPages(folder);
    for (const scheme of ["light", "dark"] as const) visits.set(scheme, await visit(CHROMIUM ?? "", pages, scheme));
  }, 240_000);

  describe.each(["light", "dark"])("in the %s color scheme", (scheme) => {
    const each = () => visits.get(scheme)?.measured ?? [];
    const where = (what: (one: ReturnType<typeof each>[number]) => boolean) => each().filter(what);

    it("are all shown", () => {
      expect(each().map(({ page }) => page)).toEqual(pages.map(({ name }) => name));
      expect(where(({ texts }) => texts < 2)).toEqual([]);
    });

    it("keep every text inside of its box", () => {
      expect(where(({ outside }) => outside.length > 0).map(({ page, outside }) => ({ page, outside }))).toEqual([]);
    });

    it("lead no arrow across the title of a frame", () => {
      expect(where(({ crossed }) => crossed.length > 0).map(({ page, crossed }) => ({ page, crossed }))).toEqual([]);
    });

    it("let no name act, and load nothing", () => {
      expect(where(({ active, owned }) => owned || active.length > 0)).toEqual([]);
      expect(visits.get(scheme)?.strayed).toEqual([]);
      expect(each().find(({ page }) => page === "hostile file.html")?.title).toBe(HOSTILE_FILE);
    });

    it("have a language, never scroll as a whole, and scroll inside by keyboard", () => {
      const html = where(({ page }) => page.endsWith(".html"));
      expect(html.filter(({ language }) => language !== "en")).toEqual([]);
      expect(html.filter(({ scrollsSideways }) => scrollsSideways).map(({ page }) => page)).toEqual([]);
      expect(html.flatMap(({ unreachable }) => unreachable)).toEqual([]);
    });

    it("are readable", () => {
      expect(where(({ faint }) => faint.length > 0).map(({ page, faint }) => ({ page, faint }))).toEqual([]);
    });
  });
});
