/** Compiled patterns, matches and flags of the module re: the data. */

import { PyObject, PyType, setType } from "../object.ts";
import type { Matcher, Registers } from "./matcher.ts";

export class PyPattern extends PyObject {
  declare readonly type: PyType;
  readonly pattern: string;
  readonly flags: number;
  readonly groups: number;
  /** Numbers of named groups. */
  readonly names: ReadonlyMap<string, number>;
  readonly matcher: Matcher;
  constructor(pattern: string, flags: number, groups: number, names: ReadonlyMap<string, number>, matcher: Matcher) {
    super();
    this.pattern = pattern;
    this.flags = flags;
    this.groups = groups;
    this.names = names;
    this.matcher = matcher;
  }
}
export const PATTERN_TYPE = setType(PyPattern, new PyType("re.Pattern"));

export class PyMatch extends PyObject {
  declare readonly type: PyType;
  readonly pattern: PyPattern;
  readonly text: string;
  /** In units. */
  readonly registers: Registers;
  /** In code points. */
  readonly pos: number;
  readonly endpos: number;
  constructor(pattern: PyPattern, text: string, registers: Registers, pos: number, endpos: number) {
    super();
    this.pattern = pattern;
    this.text = text;
    this.registers = registers;
    this.pos = pos;
    this.endpos = endpos;
  }

  /** Undefined: the group took no part. */
  group(number: number): string | undefined {
    const start = this.registers[2 * number] as number;
    const end = this.registers[2 * number + 1] as number;
    return start < 0 || end < 0 ? undefined : this.text.slice(start, end);
  }
}
export const MATCH_TYPE = setType(PyMatch, new PyType("re.Match"));

/** `re.I`. */
export class PyRegexFlag extends PyObject {
  declare readonly type: PyType;
  readonly value: number;
  constructor(value: number) {
    super();
    this.value = value;
  }
}
export const FLAG_TYPE = setType(PyRegexFlag, new PyType("RegexFlag", [], {}, "re.RegexFlag"));
