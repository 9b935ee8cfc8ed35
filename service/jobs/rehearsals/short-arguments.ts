/** Arguments of a call as a line of a list or of a drawing has room for: `"north", [12 elements], timeout="3s"`. */
import { isObject, type Json } from "../../../compiler/json.ts";
import { shapeOf } from "../answers/shapes.ts";

/** Characters of all arguments of a call, and of a string among them. */
const MAX_ALL = 60;
const MAX_STRING = 40;
/** Lists and dicts of up to this many simple values are written out. */
const MAX_MEMBERS = 3;
/** Characters of a string that is looked through for secrets. Of a longer one, the length is shown. */
const MAX_READ = 10_000;

/** Takes secrets out of a value: those that are known, and what stands under a name such as `token`. */
type Clean = (value: Json) => Json;

/** Simple values as Python writes them, larger lists and dicts by their sizes, and the options of the verb by their names. */
export function shortArguments(args: readonly Json[], clean: Clean, options: readonly string[]): string {
  return joined(args, options, (arg, name) =>
    short(name !== null && isSimple(arg) ? named(name, arg, clean) : arg, clean),
  );
}

export function argumentShapes(args: readonly Json[], options: readonly string[]): string {
  return joined(args, options, shapeOf);
}

type Argument = readonly [name: string | null, value: Json];

/** Arguments that have no room are not looked at. */
function joined(
  args: readonly Json[],
  options: readonly string[],
  write: (arg: Json, name: string | null) => string,
): string {
  let text = "";
  for (const [at, [name, arg]] of argumentsOf(args, options).entries()) {
    text += `${at === 0 ? "" : ", "}${name === null ? "" : `${name}=`}${write(arg, name)}`;
    if (text.length > MAX_ALL) return cut(text, MAX_ALL);
  }
  return text;
}

/** An object of options at the end is named arguments in programs. */
function argumentsOf(args: readonly Json[], options: readonly string[]): readonly Argument[] {
  const last = args.at(-1);
  const names = isObject(last) ? Object.keys(last) : [];
  if (!isObject(last) || names.length === 0 || !names.every((name) => options.includes(name)))
    return args.map((arg) => [null, arg]);
  return [
    ...args.slice(0, -1).map((arg): Argument => [null, arg]),
    ...names.map((name): Argument => [name, last[name] ?? null]),
  ];
}

/** A value may be a secret by its name. */
function named(name: string, value: Json, clean: Clean): Json {
  const cleaned = clean({ [name]: value });
  return isObject(cleaned) ? (cleaned[name] ?? null) : value;
}

function short(value: Json, clean: Clean): string {
  const simple = simpleText(value, clean);
  if (simple !== null) return simple;
  const members = Object.entries(value as object);
  const isSmall = members.length <= MAX_MEMBERS && members.every(([name, one]) => isSimple(one) && isSimple(name));
  if (!isSmall) return shapeOf(value);
  const texts = Object.entries(clean(value) as object).map(([name, member]) => {
    const text = simpleText(member, clean);
    return Array.isArray(value) ? text : `${JSON.stringify(cut(name, MAX_STRING))}: ${text}`;
  });
  return Array.isArray(value) ? `[${texts.join(", ")}]` : `{${texts.join(", ")}}`;
}

const isSimple = (value: Json): boolean =>
  typeof value === "string" ? value.length <= MAX_READ : value === null || typeof value !== "object";

/** null: of lists and dicts. */
function simpleText(value: Json, clean: Clean): string | null {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value === "string")
    return value.length > MAX_READ ? shapeOf(value) : JSON.stringify(cut(String(clean(value)), MAX_STRING));
  // What has no form in JSON, and what is too large to be copied.
  if (isObject(value) && typeof value["$python"] === "string") return cut(String(clean(value["$python"])), MAX_STRING);
  if (isObject(value) && typeof value["$truncated"] === "number") return `<${String(value["type"])}>`;
  return null;
}

/** Whole characters of the beginning of a text. */
function cut(text: string, units: number): string {
  return text.length <= units ? text : `${text.slice(0, units - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
