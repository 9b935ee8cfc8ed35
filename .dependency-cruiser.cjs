/**
 * Import directions, one rule per floor (ARCHITECTURE.md). `node scripts/check.mjs` runs them and asserts that the cruiser saw
 * every file.
 */
const FLOORS = ["grammar", "compiler", "vm", "adapters", "service", "mcp", "cli"];
const only = (...folders) => `^(${folders.join("|")})/`;
/** Our own folders other than the allowed ones. */
const otherThan = (...allowed) => only(...FLOORS.filter((folder) => !allowed.includes(folder)));
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    rule("grammar-knows-only-grammar", "floor 1", { path: only("grammar") }, { path: otherThan("grammar") }),
    rule(
      "compiler-knows-only-below",
      "floor 2",
      { path: only("compiler") },
      { path: otherThan("compiler", "grammar") },
    ),
    rule("vm-knows-only-below", "floor 3", { path: only("vm") }, { path: otherThan("vm", "compiler", "grammar") }),
    rule(
      "adapters-know-only-below",
      "floor 4",
      { path: only("adapters") },
      { path: otherThan("adapters", "vm", "compiler", "grammar") },
    ),
    rule("service-knows-no-surface", "floor 5", { path: only("service") }, { path: only("mcp", "cli") }),
    rule("mcp-knows-no-surface", "floor 5", { path: only("mcp") }, { path: only("service", "cli") }),
    rule(
      "cli-knows-no-surface",
      "floor 5; only the entry of another surface, and only on demand",
      { path: only("cli") },
      { path: only("service", "mcp"), pathNot: "^(service|mcp)/main\\.ts$" },
    ),
    rule(
      "cli-starts-surfaces-on-demand",
      "floor 5; a static import would load a server for every command",
      { path: only("cli") },
      { path: "^(service|mcp)/main\\.ts$", dynamic: false },
    ),
    rule(
      "grammar-knows-no-node",
      "the grammar runs in browsers and editors",
      { path: only("grammar") },
      { dependencyTypes: ["core"] },
    ),
    rule(
      "compiler-and-vm-know-only-crypto",
      "everything impure is handed in",
      { path: only("compiler", "vm") },
      { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    ),
    rule(
      "grammar-needs-no-library",
      "the language is read by its own parser",
      { path: only("grammar") },
      { path: "node_modules" },
    ),
    rule(
      "protocol-library-behind-few-files",
      "a new major version of it changes the server's one file and the client's two",
      { path: only(...FLOORS), pathNot: "^(mcp/sdk|adapters/tools/mcp-[a-z]+)\\.ts$" },
      { path: "node_modules/@modelcontextprotocol" },
    ),
    rule(
      "terminal-libraries-only-in-cli",
      "no other floor prints",
      { pathNot: `${only("cli")}|^node_modules` },
      { path: "node_modules/(clipanion|picocolors)" },
    ),
    rule(
      "nobody-imports-tests",
      "test and benchmarks are leaves",
      { path: only(...FLOORS) },
      { path: "^(test|benchmarks|examples|docs|scripts|index\\.ts)" },
    ),
    rule(
      "no-cycles",
      "modules that need each other's values cannot be understood apart",
      { path: only(...FLOORS) },
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    ),
    rule(
      "no-development-dependencies-in-the-product",
      "they are not installed with the package; the suite for authors uses the vitest of theirs, a peer",
      { path: only(...FLOORS), pathNot: "^adapters/testing/vitest-suite\\.ts$" },
      { dependencyTypes: ["npm-dev", "npm-no-pkg"] },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    moduleSystems: ["es6", "cjs"],
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
