/** Answers whose kind depends on the arguments of their call. */
import type { Call, Expr } from "../../../grammar/python/tree.ts";
import { type ObjectType, partsOf, type Type } from "./types.ts";

export function narrowed(type: Type, name: string, node: Call): Type {
  if (name.startsWith("http.")) return type.k === "object" ? response(type, node) : type;
  if (name === "fs.list" && type.k === "list") {
    const details = optionOf(node, "details", false);
    return typeof details === "boolean" ? { ...type, item: partOf(type.item, details ? "object" : "text") } : type;
  }
  if (name === "fs.read") {
    const encoding = optionOf(node, "encoding", "utf8");
    return encoding === undefined ? type : partOf(type, encoding === "base64" ? "object" : "text");
  }
  return type;
}

function partOf(type: Type, kind: Type["k"]): Type {
  return partsOf(type).find(({ k }) => k === kind) ?? type;
}

/** The value of an option that is written out; undefined: it is not known. */
function optionOf({ keywords, args }: Call, name: string, otherwise: unknown): unknown {
  if (args.length > 1 || keywords.some(({ arg }) => arg === null)) return undefined;
  const given: Expr | undefined = keywords.find(({ arg }) => arg === name)?.value;
  if (given === undefined) return otherwise;
  if (given.kind !== "Constant") return undefined;
  return given.type === "none" ? otherwise : given.value;
}

/** An answer of http, whose status says something only where others are accepted (K-12). */
function response(type: ObjectType, node: Call): Type {
  const accepted = acceptedBy(node);
  if (accepted === null) return type;
  const status: Type = { k: "number", accepted, of: null };
  const members = new Map(type.members);
  for (const name of ["status", "status_code"]) members.set(name, { type: status, optional: false });
  const isManual = node.keywords.some(({ arg }) => arg === "redirect");
  if (accepted.length === 0 && !isManual)
    members.set("ok", { type: { k: "bool", isSuccess: true, of: null }, optional: false });
  return { ...type, members };
}

/** Statuses above 399 that do not raise; null: they are not known, or all are. */
function acceptedBy({ keywords }: Call): readonly number[] | null {
  for (const { arg, value } of keywords) {
    if (arg === null) {
      if (value.kind !== "Dict" || value.keys.some((key) => key?.kind !== "Constant" || key.value === "accept_status"))
        return null;
    }
    if (arg !== "accept_status") continue;
    if (value.kind === "Constant" && value.type === "none") return [];
    if (value.kind !== "List" && value.kind !== "Tuple" && value.kind !== "Set") return null;
    const all = value.elts.flatMap((one) => (one.kind === "Constant" && one.type === "int" ? [Number(one.value)] : []));
    return all.length === value.elts.length ? all : null;
  }
  return [];
}
