/**
 * Walks over sets that show nothing of their order (python-rules 19, amendment 7): a comprehension whose values are sorted, counted, added up or
 * put into a set, as in `sorted(name.lower() for name in names)`. Its expressions must do nothing but compute, and fail for all members or for none
 * when these are all texts or all ints, which the run looks at. One that takes its members apart, as in `{host for host, port in seen}` or
 * `{k[0] for k in seen}`, needs tuples of one length whose parts are texts or ints, each in its place. Everything else has to write `sorted(s)`.
 */
import type { Call, Comprehension, Expr, GeneratorExp, ListComp, SetComp } from "../../../grammar/python/tree.ts";
import { isSetOperation } from "../names/set-forms.ts";
import type { Lowerer } from "./lowerer.ts";

/** `varied`: values of several types may come of it, so what compares or computes with them could fail for some. */
type Outcome = "uniform" | "varied" | null;
type Walk = GeneratorExp | ListComp | SetComp;

const TEXT_METHODS: ReadonlySet<string> = new Set(
  "lower upper strip lstrip rstrip title casefold capitalize startswith endswith isdigit isalpha isalnum isupper islower isspace replace".split(
    " ",
  ),
);
const FUNCTIONS: ReadonlySet<string> = new Set(["len", "str", "ord", "isinstance"]);
const EQUALITY: ReadonlySet<string> = new Set(["==", "!=", "is", "is not"]);
const ORDERING: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);
const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*"]);

/** What a list that the argument alone is made of may be given to without showing its order, as in `sorted(list(s))`. */
const TAKES_LISTS: ReadonlySet<string> = new Set(["sorted", "len", "min", "max", "set", "frozenset"]);
const MAKES_LISTS: ReadonlySet<string> = new Set(["list", "tuple"]);

/** The argument of a call of this builtin, when it is such a walk or a list of all members. */
export function showsNoOrder(f: Lowerer, builtin: string, { args, keywords }: Call): Walk | Call | null {
  const [walk] = args;
  if (walk === undefined || args.length > 1) return null;
  const isReversed =
    builtin === "sorted" && keywords.every(({ arg, value }) => arg === "reverse" && value.kind === "Constant");
  if (keywords.length > 0 && !isReversed) return null;
  if (walk.kind === "Call") return TAKES_LISTS.has(builtin) && makesList(f, walk) ? walk : null;
  if (!isWalk(walk)) return null;
  const outcome = outcomeOf(f, walk);
  switch (builtin) {
    case "set":
    case "frozenset":
      return outcome === null ? null : walk;
    case "len":
      return outcome === null || walk.kind === "GeneratorExp" ? null : walk;
    case "sum":
      return outcome === "uniform" && isWhole(walk.elt, walk.generators) ? walk : null;
    case "sorted":
    case "min":
    case "max":
    case "any":
    case "all":
      return outcome === "uniform" ? walk : null;
    default:
      return null;
  }
}

/** Functions that show the order of their first argument. */
const SHOWS: ReadonlySet<string> = new Set(["list", "tuple", "enumerate", "zip", "map", "filter", "iter", "reversed"]);

export function warnOfOrder(f: Lowerer, name: string, node: Call): void {
  const [first] = node.args;
  if (first !== undefined && SHOWS.has(name) && !f.names.unordered.has(node)) warnOfSet(f, first);
}

/** A walk that shows the order of a set which the text tells to be one. */
export function warnOfSet(f: Lowerer, values: Expr): void {
  if (isSet(f, values)) f.refuse(values, "set_order");
}

function isSet(f: Lowerer, node: Expr): boolean {
  switch (node.kind) {
    case "Set":
      return node.elts.length > 1;
    case "SetComp":
      return true;
    case "BinOp":
      return isSetOperation(node, (side) => side.kind === "Set" || isSet(f, side));
    case "Call": {
      const meaning = f.names.meaning(f.scope, node.func);
      return (
        meaning?.kind === "lib" && (meaning.name === "set" || meaning.name === "frozenset") && node.args.length > 0
      );
    }
    case "Name": {
      const { host } = f.scope;
      return host.sets.has(node.id) && !host.mixed.has(node.id);
    }
    default:
      return false;
  }
}

function makesList(f: Lowerer, { func, args, keywords }: Call): boolean {
  const meaning = f.names.meaning(f.scope, func);
  const isOne = args.length === 1 && args[0]?.kind !== "Starred" && keywords.length === 0;
  return isOne && meaning?.kind === "lib" && MAKES_LISTS.has(meaning.name);
}

const isWalk = (node: Expr): node is Walk =>
  node.kind === "GeneratorExp" || node.kind === "ListComp" || node.kind === "SetComp";

export function outcomeOf(f: Lowerer, walk: Walk): Outcome {
  const { elt, generators } = walk;
  const [only] = generators;
  if (only === undefined || generators.length > 1 || only.isAsync || !isPlain(only.target)) return null;
  const member = partsTaken(walk) === 0 ? null : only.target;
  if (only.ifs.some((test) => outcomeOfExpression(f, test, member) === null)) return null;
  return outcomeOfExpression(f, elt, member);
}

const isPlain = (target: Expr): boolean =>
  target.kind === "Name" || (target.kind === "Tuple" && target.elts.every(({ kind }) => kind === "Name"));

/** How many parts of each member a walk takes: 0 of none; -1: it unpacks them, so they must be tuples. */
export function partsTaken({ elt, generators }: Walk): number {
  const targets = generators.map(({ target }) => target);
  if (targets.some(({ kind }) => kind === "Tuple")) return -1;
  const [member] = targets;
  const nodes = [elt, ...generators.flatMap(({ ifs }) => ifs)];
  return member === undefined ? 0 : Math.max(...nodes.map((node) => partsIn(member, node)));
}

/** How many parts the member has at least, for `k[0]` and `k[-1]` to be there; 0: the node is something else. */
function partOf(member: Expr, node: Expr): number {
  if (node.kind !== "Subscript" || node.value.kind !== "Name" || member.kind !== "Name") return 0;
  const { slice, value } = node;
  const at = slice.kind === "UnaryOp" && slice.op === "-" ? slice.operand : slice;
  if (value.id !== member.id || at.kind !== "Constant" || at.type !== "int") return 0;
  return at === slice ? Number(at.value) + 1 : Number(at.value) || 1;
}

function partsIn(member: Expr, node: Expr): number {
  const inner = Object.values(node).flat() as unknown[];
  return Math.max(
    partOf(member, node),
    ...inner.map((one) => (Object(one) === one ? partsIn(member, one as Expr) : 0)),
  );
}

/** `member`: what a walk that takes its members apart calls them; they are compared in whole only with == and !=. */
function outcomeOfExpression(f: Lowerer, node: Expr, member: Expr | null): Outcome {
  const all = (nodes: readonly Expr[]): Outcome => {
    const found = nodes.map((one) => outcomeOfExpression(f, one, member));
    if (found.includes(null)) return null;
    return found.includes("varied") ? "varied" : "uniform";
  };
  switch (node.kind) {
    case "Subscript":
      return member !== null && partOf(member, node) > 0 ? "uniform" : null;
    case "Name":
    case "Constant":
      return "uniform";
    case "Compare": {
      const sides = [node.left, ...node.comparators];
      const isOrdered = node.ops.some((op) => ORDERING.has(op)) && sides.some((side) => mayBeTuple(member, side));
      const found = isOrdered ? null : all(sides);
      return found !== null && node.ops.every((op) => EQUALITY.has(op))
        ? "uniform"
        : found === "uniform"
          ? found
          : null;
    }
    case "BoolOp": {
      const isTest = (one: Expr): boolean => one.kind === "Compare" || (one.kind === "UnaryOp" && one.op === "not");
      return all(node.values) !== null && node.values.every(isTest) ? "uniform" : all(node.values) && "varied";
    }
    case "UnaryOp": {
      const found = all([node.operand]);
      if (node.op === "not") return found && "uniform";
      return node.op === "-" && found === "uniform" ? found : null;
    }
    case "BinOp":
      return ARITHMETIC.has(node.op) && all([node.left, node.right]) === "uniform" ? "uniform" : null;
    case "IfExp":
      return all([node.test, node.body, node.orelse]) && "varied";
    case "Tuple":
      return all(node.elts) === "uniform" ? "uniform" : null;
    case "JoinedStr":
      return all(node.values.flatMap((one) => (one.kind === "Constant" ? [] : [one.value]))) === "uniform" &&
        node.values.every((one) => one.kind === "Constant" || one.spec === null)
        ? "uniform"
        : null;
    case "Call":
      return outcomeOfCall(f, node, all);
    default:
      return null;
  }
}

/** Whether an operand may be a tuple: of two tuples only some have parts that are in an order. */
function mayBeTuple(member: Expr | null, node: Expr): boolean {
  if (node.kind === "BinOp") return mayBeTuple(member, node.left) || mayBeTuple(member, node.right);
  return node.kind === "Tuple" || (node.kind === "Name" && member?.kind === "Name" && member.id === node.id);
}

function outcomeOfCall(f: Lowerer, { func, args, keywords }: Call, all: (nodes: readonly Expr[]) => Outcome): Outcome {
  if (keywords.length > 0) return null;
  if (func.kind === "Name") {
    const meaning = f.names.meaning(f.scope, func);
    return meaning?.kind === "lib" && FUNCTIONS.has(meaning.name) && all(args) === "uniform" ? "uniform" : null;
  }
  if (func.kind !== "Attribute" || all([func.value, ...args]) !== "uniform") return null;
  if (TEXT_METHODS.has(func.attr)) return "uniform";
  return func.attr === "get" && func.value.kind === "Name" ? "varied" : null;
}

/** Whether only ints come of it, for a sum: that of floats depends on their order. */
function isWhole(node: Expr, generators: readonly Comprehension[]): boolean {
  switch (node.kind) {
    case "Constant":
      return node.type === "int" || node.type === "bool";
    case "Name":
      return generators.some(({ target }) =>
        (target.kind === "Tuple" ? target.elts : [target]).some((one) => one.kind === "Name" && one.id === node.id),
      );
    case "Subscript":
      return generators.some(({ target }) => partOf(target, node) > 0);
    case "Compare":
      return true;
    case "UnaryOp":
      return node.op === "not" || isWhole(node.operand, generators);
    case "BinOp":
      return isWhole(node.left, generators) && isWhole(node.right, generators);
    case "Call":
      return node.func.kind === "Name" && node.func.id === "len";
    default:
      return false;
  }
}
