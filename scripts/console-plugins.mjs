/** What the page of the console is built with besides esbuild: nothing that only Node has, and nothing that the page never shows. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The modules of Node that the compiler uses, as a browser has them. */
const forBrowsers = {
  name: "for-browsers",
  setup(build) {
    build.onResolve({ filter: /^node:crypto$/ }, () => ({ path: join(root, "service/ui/playground/hash.ts") }));
  },
};

/** The page loads the Python form with the first text that is written in it. */
const pythonOnDemand = {
  name: "python-on-demand",
  setup(build) {
    const form = { path: join(root, "service/ui/playground/python/form.ts") };
    build.onResolve({ filter: /python\/(?:compile|print\/print|ahead\/complete|library\/shape)\.ts$/ }, (one) =>
      one.importer.endsWith("playground/python/python.ts") ? undefined : form,
    );
  },
};

/** Texts and comments of a source. */
const LITERALS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/.*|\/\*[\s\S]*?\*\//g;
/** Of rows, in quotes: `len([1]) == 1`, `${D}.dst() is None`, `${D}.day == 2`, `any([0, 1])`, a call whose arguments are constants, and `'a1'.isalnum()`. */
const EXAMPLE =
  /^["'`](?:.*[[(].* (?:== |is None).*|True|\$\{\w+\}\.\w+(?:\(\)| == .*)|(?:not )?[\w.${}]+\((?=.*[\d'[])(?!.*\b[a-z]\b(?!')).*\)|(?:not )?(?:b?'.+'|\(5\.0\)|\{1, 2\})\.\w+\(.*\)|(?:isinstance|issubclass|callable)\([\w, ]+\)|.+\) is (?:int|True)|\w+\.[\w.]+\([^ ]*\))["'`]$/;

/** Of rows, what they raise. */
const EXCEPTIONS = /^["'`](?:[\w.]*Error ?){1,3}["'`]$/;

/** What a row of the library says beyond how it is called and what it gives. */
const DETAILS = /\b(?:raises|cost|size): ("[^"]*"|'[^']*'|`[^`]*`),?/g;

/** In place of an example, and with what follows it at the end of a call of `row`. Lists are read by their places, so nothing is taken from them. */
const LEFT_OUT = '"(left out)"';
const END_OF_ROW = /,\s*"\(left out\)"(?:,\s*(?:\{\s*\}|\w+))?,?\s*(?=\))/g;

/** The page shows neither examples nor costs of the library, and its programs have no other files. */
const withoutFiles = {
  name: "without-files",
  setup(build) {
    const one = { path: join(root, "service/ui/playground/python/one-file.ts") };
    build.onResolve({ filter: /\/imports\/files\.ts$/ }, ({ importer }) => (importer === one.path ? undefined : one));
    const none = { path: join(root, "service/ui/playground/python/left-out.ts") };
    build.onResolve(
      { filter: /\/(?:imports\/(?:members|refusals)|hosted|annotated|lacking|calendar-methods)\.ts$/ },
      () => none,
    );
    build.onLoad({ filter: /compiler[\\/]python[\\/]library[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8"))
        .replaceAll(LITERALS, (literal) => (EXAMPLE.test(literal) || EXCEPTIONS.test(literal) ? LEFT_OUT : literal))
        .replaceAll(DETAILS, "")
        .replaceAll(END_OF_ROW, "")
        .replaceAll(LEFT_OUT, '""'),
      loader: "ts",
    }));
  },
};

/** Text that a string of a package draws as a `data:` image, which the page's security policy does not load. */
const withoutDataImages = {
  name: "without-data-images",
  setup(build) {
    build.onLoad({ filter: /@codemirror\/lint\/dist\/index\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll(/`url\('data:image[^`]*`/g, '"none"'),
      loader: "js",
    }));
  },
};

export const consolePlugins = [forBrowsers, withoutDataImages, withoutFiles, pythonOnDemand];
