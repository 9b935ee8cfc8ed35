/**
 * Reading endpoints and declarations of supplied IR (docs/ir.md, top level). Declarations say nothing to a run, so their slots are
 * any text; endpoints must lead to labels that exist.
 */

import { isObject, type Json, type JsonObject } from "../../json.ts";
import type { IrDeclaration, IrEndpoint } from "../graph.ts";
import { type IssueList, pointer, quoted } from "../issues.ts";
import { readLine } from "./nodes.ts";
import { inside, type ReadPlace, readList, readText, wrong } from "./operands.ts";
import type { RawItem } from "./parts.ts";

const ENDPOINT_MEMBERS = ["method", "path", "label", "returns", "type", "description", "settings", "line", "file"];
const DECLARATION_MEMBERS = ["op", "slots", "settings", "line", "file"];

export function readEndpoint(item: RawItem, labels: ReadonlyMap<string, unknown>, issues: IssueList): IrEndpoint {
  const place: ReadPlace = { path: item.path, at: {}, issues };
  const given = members(item.value, ENDPOINT_MEMBERS, place, "an endpoint");
  const method = readText(given["method"], inside(place, "method")).toUpperCase();
  const label = readText(given["label"], inside(place, "label"));
  if (!labels.has(label) && typeof given["label"] === "string") {
    issues.add("missing_label", pointer(item.path, "label"), `label ${quoted(label)} is not in labels`);
  }
  return {
    method,
    path: readText(given["path"], inside(place, "path")),
    label,
    returns: optionalText(given, "returns", place),
    type: optionalText(given, "type", place),
    description: optionalText(given, "description", place),
    ...settingsOf(given, place),
    line: readLine(given, place) ?? 1,
    ...fileOf(given, place),
  };
}

export function readDeclaration(item: RawItem, issues: IssueList): IrDeclaration {
  const place: ReadPlace = { path: item.path, at: {}, issues };
  const given = members(item.value, DECLARATION_MEMBERS, place, "a declaration");
  return {
    op: readText(given["op"], inside(place, "op")),
    slots: readList(given["slots"], inside(place, "slots"), readText),
    ...settingsOf(given, place),
    line: readLine(given, place) ?? 1,
    ...fileOf(given, place),
  };
}

function members(value: Json, known: readonly string[], place: ReadPlace, what: string): JsonObject {
  if (!isObject(value)) {
    wrong(place, what);
    return {};
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) place.issues.warn(`field_ignored: ${pointer(place.path, key)}`);
  }
  return value;
}

function optionalText(given: JsonObject, member: string, place: ReadPlace): string | null {
  const value = given[member];
  return value === undefined || value === null ? null : readText(value, inside(place, member));
}

/** Any object: the service checks its members when it deploys the program. */
function settingsOf({ settings }: JsonObject, place: ReadPlace): { readonly settings?: JsonObject } {
  if (settings === undefined) return {};
  if (isObject(settings)) return { settings };
  wrong(inside(place, "settings"), "an object");
  return {};
}

function fileOf(given: JsonObject, place: ReadPlace): { readonly file?: string } {
  return given["file"] === undefined ? {} : { file: readText(given["file"], inside(place, "file")) };
}
