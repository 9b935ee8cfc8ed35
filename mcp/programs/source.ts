/** The program of a call: given as text, or by its path in the folder of programs. */

import { isObject } from "../../compiler/json.ts";
import type { IncludeReader } from "../../compiler/options.ts";
import { PARSE_LIMITS } from "../../grammar/parse.ts";
import { utf8Length } from "../../grammar/text/source.ts";
import { filesIssues, includesIn, type ProgramFiles, withCode } from "../../vm/inputs/program-files.ts";
import type { McpServices } from "../services.ts";
import { argumentsFault } from "../tool/arguments.ts";
import { failed, type ToolResult } from "../tool/results.ts";

/** `path` only where the server has a folder of programs. */
export type SourceArguments = {
  readonly code?: string | undefined;
  readonly path?: string | undefined;
  readonly files?: unknown;
};
/** `includes`: the files that came along; absent: none did. */
export type ReadSource = { readonly code: string; readonly includes?: IncludeReader };
export type Source = ({ readonly ok: true } & ReadSource) | { readonly ok: false; readonly refusal: ToolResult };

/** Also the shortest lesson in the language. */
const EXAMPLE = "def main(a=2, b=3):\n    return a + b\n";
const LOOKS_LIKE_A_PATH = /^[^\s"'#]{1,4096}\.(?:wf|md|json)$/;

export async function readSource(args: SourceArguments, services: McpServices, signal: AbortSignal): Promise<Source> {
  const { workflowRoot } = services;
  const { code, path } = args;
  if ((code === undefined) === (path === undefined)) {
    const message = workflowRoot === null ? "give the program as code" : "give exactly one of code and path";
    return refused("invalid_request", { message, issues: [{ path: "/code", code: "exclusive", message }] });
  }
  if (code !== undefined) return withFiles(checked(code, workflowRoot !== null), args.files);
  if (args.files !== undefined)
    return wrongFiles([{ path: "/files", code: "exclusive", message: "files belong to code" }]);
  const read = await workflowRoot?.read(path ?? "", ".wf", signal);
  if (read === undefined) throw new Error("path is advertised only with a folder of programs");
  if (read.ok) return checked(read.text, true);
  const { ok: _ok, ...members } = read;
  return refused("input_error", members);
}

function checked(code: string, paths: boolean): Source {
  if (code.replace(/^\uFEFF/, "").trim() === "") {
    const message = "missing program; see example for the smallest useful one";
    return refused("input_error", { error_kind: "empty_source", message, example: EXAMPLE });
  }
  if (utf8Length(code, 0, code.length) > PARSE_LIMITS.source_bytes) {
    return refused("input_error", { error_kind: "source_too_large", message: "the program is larger than 1 MiB" });
  }
  if (LOOKS_LIKE_A_PATH.test(code.trim())) {
    const message = `code is the text of a program, and this is a path${paths ? "; give it as path" : ""}`;
    return refused("invalid_request", { message, issues: [{ path: "/code", code: "path_as_code", message }] });
  }
  return { ok: true, code };
}

function withFiles(source: Source, files: unknown): Source {
  if (files === undefined || !source.ok) return source;
  if (!isTexts(files)) return wrongFiles([{ path: "/files", code: "type", message: "expected an object of texts" }]);
  const given = withCode(source.code, files);
  const issues = filesIssues(given);
  return issues.length > 0 ? wrongFiles(issues) : { ...source, includes: includesIn(given) };
}

function isTexts(files: unknown): files is ProgramFiles["files"] {
  return isObject(files) && Object.values(files).every((text) => typeof text === "string");
}

function wrongFiles(issues: ReturnType<typeof filesIssues>): Source {
  return refused("invalid_request", { message: argumentsFault(issues), issues });
}

function refused(error: string, members: { readonly [member: string]: unknown }): Source {
  return { ok: false, refusal: failed(error, members) };
}
