/**
 * The only importer of clipanion. Its package names an entry without extension, and tools that try `.mjs` first get a file
 * that imports a folder, which Node refuses; the CommonJS entry works in Node, the test runner and the bundler alike.
 */
export {
  type BaseContext,
  Cli,
  Command,
  type CommandClass,
  type Definition,
  Option,
} from "clipanion/lib/advanced/index.js";
