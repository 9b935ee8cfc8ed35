/**
 * Phrases that Weft does not use, in everything a person reads: code comments, messages, test titles and documentation. Each has the
 * words to use instead. Exceptions stand in `scripts/english-exceptions.json` with a reason: quotations, for example.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FLOORS, filesBelow, root } from "./tools.mjs";

const PHRASES = [
  [/\b(?:is|are|was|were) no (?!longer\b|more\b|more,|fewer\b|less\b)/i, "is not a, there is no"],
  // `None`, the constant, may be compared with.
  [/\b(?:[Ii]s|[Aa]re) none\b/, "is missing, does not exist, is not one"],
  [/\bso many\b/i, "a number, N"],
  [/\bwhoever\b|\bnobody\b|\banybody\b/i, "the caller, the client, the operator, nothing"],
  [/\b(?:tells?|told|telling) of\b/i, "reports, logs"],
  [/\b(?:is|are|was|were|be|been) told\b/i, "is notified, receives"],
  [/(?<!-)\bbehind\b(?! (?:nginx|(?:a|the|its|two|your) (?:reverse )?prox))/i, "after"],
  [/\bbeside\b/i, "next to"],
  [/\bg(?:oes|o|oing) on\b|\bwent on\b/i, "continues"],
  [/\bcom(?:es|e|ing) about\b|\bcame about\b/i, "is caused by"],
  [/\bof another shape\b/i, "invalid"],
  [/\bmends?\b|\bmended\b/i, "fixes"],
  [/\b(?:its|the) most\b(?= \w+ (?:is|are)\b|[.;,])/i, "the maximum"],
  [/\bat the most\b/i, "at most"],
  [/\bleft away\b|\bleave away\b/i, "omitted"],
];
const READ = [".ts", ".mjs", ".md", ".py"];
const FOLDERS = [
  ...FLOORS,
  "benchmarks",
  "clients",
  "deploy",
  "docs",
  "editors",
  "examples",
  "scripts",
  "skills",
  "test",
];
const ROOT_FILES = [
  "index.ts",
  "adapter.ts",
  "adapter-testing.ts",
  "client.ts",
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "RELEASING.md",
  "SECURITY.md",
  "llms.txt",
];
/** Data and quotations, not prose; this file names the phrases. */
const SKIPPED = /^(?:test\/(?:cases|fixtures|python\/cases)\/|scripts\/check\/english\.mjs$|docs\/images\/)/;

/** Every line of `paths` that holds a phrase: `{ path, line, phrase, instead }`. */
function findPhrases(paths) {
  const found = [];
  for (const path of paths) {
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    for (const [index, text] of lines.entries()) {
      for (const [pattern, instead] of PHRASES) {
        const match = pattern.exec(text);
        if (match !== null) found.push({ path, line: index + 1, phrase: match[0].trim().toLowerCase(), instead });
      }
    }
  }
  return found;
}

export function checkEnglish(prefixes = [""]) {
  const exceptions = JSON.parse(readFileSync(join(root, "scripts", "english-exceptions.json"), "utf8"));
  const paths = [...FOLDERS.flatMap((folder) => filesBelow(folder, READ)), ...ROOT_FILES].filter(
    (path) => !SKIPPED.test(path) && prefixes.some((prefix) => path.startsWith(prefix)),
  );
  const allowed = (path, phrase) => (exceptions[path]?.[phrase] ?? "").length >= 10;
  const found = findPhrases(paths).filter(({ path, phrase }) => !allowed(path, phrase));
  const details = found.map(({ path, line, phrase, instead }) => `${path}:${line} "${phrase}": say ${instead}`);
  return { ok: found.length === 0, note: `${paths.length} files`, details: details.join("\n") };
}

/** `node scripts/check/english.mjs [PREFIX…]` lists what is left below the given paths, for writers. */
if (process.argv[1]?.endsWith("english.mjs")) {
  const given = process.argv.slice(2);
  process.stdout.write(`${checkEnglish(given.length === 0 ? undefined : given).details}\n`);
}
