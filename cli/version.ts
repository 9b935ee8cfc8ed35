/** The version every answer of the command line names as runtime_version. */
export { RUNTIME_VERSION } from "../vm/version.ts";
