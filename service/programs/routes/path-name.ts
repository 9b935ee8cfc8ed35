/** Names of deployments in paths, and the version that a request expects to be current. */
import type { IncomingHttpHeaders } from "node:http";
import { single } from "../../http/request-context.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import { noProgram } from "../loaded-programs.ts";
import { PROGRAM_NAME } from "../program-name.ts";

const NAME_FORM = "must begin with a-z or 0-9 and have at most 63 of a-z, 0-9 and -";

/** Throws ServiceFault program_not_found for a text that no deployment can have as its name. */
export function nameIn(params: unknown): string {
  const { name } = params as { readonly name: string };
  if (!PROGRAM_NAME.test(name)) throw noProgram(name);
  return name;
}

/** As `nameIn`, for a name that is about to be given. Throws ServiceFault invalid_request. */
export function newNameIn(params: unknown): string {
  const { name } = params as { readonly name: string };
  if (!PROGRAM_NAME.test(name))
    throw faults.invalidRequest([{ path: "/name", code: "format", message: NAME_FORM }], "path");
  return name;
}

/** Throws ServiceFault program_not_found. */
export function versionIn(params: unknown, name: string): number {
  const { version } = params as { readonly version: string };
  if (/^[1-9][0-9]{0,8}$/.test(version)) return Number(version);
  throw new ServiceFault("program_not_found", `'${name}' has no such version; versions are numbers from 1 on`);
}

/** `"7"` or `7`; undefined: whichever version is current. Throws ServiceFault invalid_request. */
export function ifMatch(headers: IncomingHttpHeaders): number | undefined {
  const text = single(headers["if-match"])?.trim();
  if (text === undefined || text === "*") return undefined;
  const number = /^(?:W\/)?"?([0-9]{1,9})"?$/.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  const message = 'If-Match must be the number of a version, such as "7"';
  throw faults.invalidRequest([{ path: "", code: "value", message }], "headers");
}

export function versionTag(version: number): { readonly etag: string } {
  return { etag: `"${version}"` };
}
