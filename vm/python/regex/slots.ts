/** What patterns, matches and flags can do with operators and builtins. */
import { INDEX_ERROR, raised } from "../exceptions.ts";
import { DICT_TYPE, PyDict } from "../kinds/dict.ts";
import { PyTuple } from "../kinds/list.ts";
import { notExact } from "../not-exact.ts";
import { type Context, fillSlots, type Operator, PyType, setType, type Value } from "../object.ts";
import { compoundKey } from "../operators/keys.ts";
import { isInt } from "../operators/numbers.ts";
import { repr } from "../operators/text.ts";
import { positionOf } from "../operators/texts.ts";
import { Flag } from "./flags.ts";
import { FLAG_TYPE, MATCH_TYPE, PATTERN_TYPE, type PyMatch, type PyPattern, PyRegexFlag } from "./pattern.ts";

/** In the order in which CPython writes them. */
const FLAG_NAMES: readonly (readonly [number, string])[] = [
  [Flag.I, "re.IGNORECASE"],
  [Flag.M, "re.MULTILINE"],
  [Flag.S, "re.DOTALL"],
  [Flag.X, "re.VERBOSE"],
  [Flag.DEBUG, "re.DEBUG"],
  [Flag.A, "re.ASCII"],
];

const KNOWN_FLAGS = FLAG_NAMES.reduce<number>((all, [flag]) => all | flag, Flag.U);

/** A dict that programs can only read. */
class PyMappingProxy extends PyDict {}
setType(
  PyMappingProxy,
  new PyType("mappingproxy", [DICT_TYPE], {
    setItem: undefined,
    deleteItem: undefined,
    json: undefined,
    repr: (self: PyDict, ctx: Context) => `mappingproxy(${DICT_TYPE.slots.repr?.(self, ctx)})`,
  }),
);

const MOST_SHOWN_PATTERN = 200;
const MOST_SHOWN_MATCH = 50;

fillSlots<PyPattern>(PATTERN_TYPE, {
  repr(self, ctx) {
    if (self.flags & ~KNOWN_FLAGS) throw notExact("the text of a pattern with this flag is not supported");
    const flags = FLAG_NAMES.filter(([flag]) => self.flags & flag).map(([, name]) => name);
    const shown = [...repr(self.pattern, ctx)].slice(0, MOST_SHOWN_PATTERN).join("");
    return `re.compile(${shown}${flags.length > 0 ? `, ${flags.join("|")}` : ""})`;
  },
  equals: (self, other) =>
    other === self || (isPattern(other) && other.pattern === self.pattern && other.flags === self.flags),
  key: (self) => compoundKey("p", [self.pattern, self.flags]),
  attribute(self, name, ctx) {
    switch (name) {
      case "pattern":
        return self.pattern;
      case "flags":
        return self.flags;
      case "groups":
        return self.groups;
      case "groupindex": {
        const names = new PyMappingProxy();
        for (const [key, number] of self.names) names.set(key, key, number);
        ctx.charge(names.size);
        return names;
      }
      default:
        return undefined;
    }
  },
});

function isPattern(value: Value): value is PyPattern {
  return value instanceof Object && (value as PyPattern).type === PATTERN_TYPE;
}

/** The number of a group that is given by number or name. */
export function groupNumber(match: PyMatch, group: Value): number {
  if (typeof group === "string") {
    const number = match.pattern.names.get(group);
    if (number !== undefined) return number;
  } else if (isInt(group)) {
    const number = Number(group);
    if (number >= 0 && number <= match.pattern.groups) return number;
  }
  throw raised(INDEX_ERROR, "no such group");
}

export function spanOf(match: PyMatch, number: number): readonly [start: number, end: number] {
  const start = match.registers[2 * number] as number;
  const end = match.registers[2 * number + 1] as number;
  if (start < 0 || end < 0) return [-1, -1];
  return [positionOf(match.text, start), positionOf(match.text, end)];
}

/** The last group that was closed; null: no group was closed. */
function lastIndex({ registers, pattern }: PyMatch): number | null {
  const last = registers[2 * pattern.groups + 2] as number;
  return last > 0 ? last : null;
}

function nameOfGroup({ names }: PyPattern, number: number | null): string | null {
  for (const [name, index] of names) if (index === number) return name;
  return null;
}

fillSlots<PyMatch>(MATCH_TYPE, {
  item: (self, key) => self.group(groupNumber(self, key)) ?? null,
  repr(self, ctx) {
    const [start, end] = spanOf(self, 0);
    const shown = [...repr(self.group(0) as string, ctx)].slice(0, MOST_SHOWN_MATCH).join("");
    return `<re.Match object; span=(${start}, ${end}), match=${shown}>`;
  },
  attribute(self, name) {
    switch (name) {
      case "string":
        return self.text;
      case "re":
        return self.pattern;
      case "pos":
        return self.pos;
      case "endpos":
        return self.endpos;
      case "lastindex":
        return lastIndex(self);
      case "lastgroup":
        return nameOfGroup(self.pattern, lastIndex(self));
      case "regs":
        return new PyTuple(
          Array.from({ length: self.pattern.groups + 1 }, (_, number) => new PyTuple(spanOf(self, number))),
        );
      default:
        return undefined;
    }
  },
});

function flagNumber(value: Value): number | undefined {
  if (value instanceof PyRegexFlag) return value.value;
  return isInt(value) ? Number(value) : undefined;
}

function combined(self: PyRegexFlag, op: Operator, other: Value): Value | undefined {
  const value = flagNumber(other);
  if (value === undefined) return undefined;
  if (op === "|") return new PyRegexFlag(self.value | value);
  if (op === "&") return new PyRegexFlag(self.value & value);
  return op === "^" ? new PyRegexFlag(self.value ^ value) : undefined;
}

fillSlots<PyRegexFlag>(FLAG_TYPE, {
  truth: (self) => self.value !== 0,
  equals: (self, other) => {
    const value = flagNumber(other);
    return value === undefined ? undefined : value === self.value;
  },
  key: (self) => self.value,
  binary: combined,
  reflected: combined,
  unary(_self, op) {
    if (op === "~") throw notExact("~ of a flag of re is not supported; name the flags that are wanted");
    return undefined;
  },
  repr: (_self: PyRegexFlag, _ctx: Context) => {
    throw notExact("the text of a flag of re is not supported");
  },
});
