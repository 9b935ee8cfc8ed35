/**
 * Import directions, one rule per floor (ARCHITECTURE.md). `node scripts/check.mjs` runs them and asserts that the cruiser saw
 * every file.
 */
const FLOORS = ["grammar", "compiler", "vm", "adapters", "service", "mcp", "cli", "client"];
const only = (...folders) => `^(${folders.join("|")})/`;
/** Our own folders other than the allowed ones. */
const otherThan = (...allowed) => only(...FLOORS.filter((folder) => !allowed.includes(folder)));
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const { peerDependencies } = require("./package.json");
const PEERS = Object.keys(peerDependencies);
/** Packages whose code is in dist/*.mjs and dist/ui. */
const BUNDLED = [
  "@codemirror",
  "@fastify",
  "@noble",
  "@preact",
  "csv-parse",
  "fastify-type-provider-zod",
  "picocolors",
  "preact",
  "prom-client",
  "vscode-languageserver[^/]*",
];

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
    rule("client-stands-alone", "it runs in browsers", { path: only("client") }, { pathNot: only("client") }),
    rule(
      "nothing-needs-the-client",
      "floor 5; only the console's page, which runs in browsers too, is a client of the service",
      { path: only(...FLOORS), pathNot: `${only("client")}|^service/ui/` },
      { path: only("client") },
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
      "grammar-needs-one-library",
      "the language is read by a chevrotain grammar, in browsers too",
      { path: only("grammar") },
      { path: "node_modules", pathNot: "node_modules/chevrotain/" },
    ),
    rule(
      "protocol-library-behind-few-files",
      "a new major version of it changes the server's one file and the client's two",
      { path: only(...FLOORS), pathNot: "^(mcp/tool/sdk|adapters/builtin/tools/mcp-[a-z]+)\\.ts$" },
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
      "test and benchmarks are leaves; programs of examples are texts of the playground",
      { path: only(...FLOORS) },
      { path: "^(test|benchmarks|examples|docs|scripts|index\\.ts)", pathNot: "^examples/.+\\.wf$" },
    ),
    rule(
      "no-cycles",
      "modules that need each other, types included, cannot be understood apart",
      { path: only(...FLOORS) },
      { circular: true },
    ),
    rule(
      "no-development-dependencies-in-the-product",
      "they are not installed with the package, apart from peers and from what the command has in its bundle (test/packaging looks at what was built)",
      { path: only(...FLOORS) },
      { dependencyTypes: ["npm-dev", "npm-no-pkg"], pathNot: `^node_modules/(${[...BUNDLED, ...PEERS].join("|")})/` },
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
