/** The methods of matches. */
import { raised, raisedLoosely, TYPE_ERROR } from "../exceptions.ts";
import { PyDict } from "../kinds/dict.ts";
import { PyTuple } from "../kinds/list.ts";
import { Bytes, type Context, type Natives, type Value } from "../object.ts";
import { PyMatch } from "../regex/pattern.ts";
import { groupNumber, spanOf } from "../regex/slots.ts";
import { expanded, parseTemplate } from "../regex/template.ts";
import { made, nameOf } from "./arguments.ts";

function matchOf(value: Value): PyMatch {
  if (value instanceof PyMatch) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of a match was called on a value of type ${nameOf(value)}`);
}

const groupsOf = (match: PyMatch, missing: Value): Value[] =>
  Array.from({ length: match.pattern.groups }, (_, index) => match.group(index + 1) ?? missing);

function group(ctx: Context, match: PyMatch, { items }: PyTuple): Value {
  if (items.length === 0) return match.group(0) as string;
  if (items.length === 1) return match.group(groupNumber(match, items[0] as Value)) ?? null;
  ctx.alloc(Bytes.Object + items.length * Bytes.Element);
  return new PyTuple(items.map((one) => match.group(groupNumber(match, one)) ?? null));
}

export const MATCH: Natives = {
  "re.Match.group": (ctx, match, groups) => group(ctx, matchOf(match), groups),
  "re.Match.groups": (ctx, match, missing) => {
    ctx.alloc(Bytes.Object + matchOf(match).pattern.groups * Bytes.Element);
    return new PyTuple(groupsOf(match, missing));
  },
  "re.Match.groupdict": (ctx, match, missing) => {
    const dict = new PyDict();
    for (const [name, number] of matchOf(match).pattern.names) dict.set(name, name, match.group(number) ?? missing);
    ctx.alloc(Bytes.Object + dict.size * Bytes.Entry);
    return dict;
  },
  "re.Match.start": (_ctx, match, number) => spanOf(match, groupNumber(matchOf(match), number))[0],
  "re.Match.end": (_ctx, match, number) => spanOf(match, groupNumber(matchOf(match), number))[1],
  "re.Match.span": (ctx, match, number) => {
    ctx.alloc(Bytes.Object);
    return new PyTuple(spanOf(match, groupNumber(matchOf(match), number)));
  },
  "re.Match.expand": (ctx, match, template) => {
    if (typeof template !== "string") throw raised(TYPE_ERROR, `expected str instance, ${nameOf(template)} found`);
    const { pattern, text, registers } = matchOf(match);
    return made(ctx, expanded(parseTemplate(template, pattern, ctx), text, registers));
  },
};
