/** How the shipped bundles are made, and those that are measured. Enum members become numbers, which the machine's loop needs. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const BUNDLE = {
  absWorkingDir: dirname(dirname(fileURLToPath(import.meta.url))),
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  // Names stay readable in stack traces; only blanks and comments go.
  minifyWhitespace: true,
  legalComments: "none",
  // Bundled CommonJS packages call require for Node's own modules. Files without such packages drop the call.
  banner: {
    js: 'import{createRequire as wfCreateRequire}from"node:module";const require=/* @__PURE__ */wfCreateRequire(import.meta.url);',
  },
  logLevel: "warning",
};
