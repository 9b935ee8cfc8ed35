/** The parser gives CPython's tree and refuses what CPython refuses. What is recorded is compared everywhere, the rest where CPython is. */
import { describe, expect, it } from "vitest";
import { nameOf } from "../../../grammar/python/lexing/characters.ts";
import { findPython } from "../support/oracle.ts";
import {
  askPython,
  CONSTRUCTS,
  differenceOf,
  hashOf,
  OWN_REFUSALS,
  PROBES,
  PROGRAMS,
  RECORDED,
  read,
} from "./ask-python.ts";
import { libraryFiles } from "./library-files.ts";
import { mutantOf, numbers } from "./mutants.ts";

const TIMEOUT = 600_000;
const MUTANTS = 20_000;
/** One file of the standard library in this number; all of them take minutes. */
const EVERY = 12;
const FILES_AT_ONCE = 100;
const python = findPython();

describe("what is recorded of CPython", () => {
  it("is the tree of every construct and program", () => {
    const wrong = [...CONSTRUCTS, ...PROGRAMS].filter((source) => {
      const expected = RECORDED.trees[hashOf(source)];
      const { tree } = read(source);
      return expected !== undefined && expected !== (tree === null ? null : hashOf(tree));
    });
    expect(wrong).toEqual([]);
  });

  it("is the verdict on every probe", () => {
    const wrong = PROBES.filter((source) => {
      const { fault } = read(source);
      const expected = RECORDED.accepted[hashOf(source)];
      return expected !== (fault === null) && !(fault !== null && OWN_REFUSALS.has(fault));
    });
    expect(wrong).toEqual([]);
  });

  it("has a tree of every construct", () => {
    expect(CONSTRUCTS.filter((source) => RECORDED.trees[hashOf(source)] === undefined)).toEqual([]);
  });
});

describe.skipIf(python === null)("next to CPython", () => {
  const command = python ?? "";

  function differences(sources: readonly string[]): readonly string[] {
    const trees = askPython<string | null>(command, { trees: sources });
    return sources.flatMap((source, index) => differenceOf(source, trees[index] ?? null) ?? []);
  }

  it(
    "no program has another tree",
    () => {
      expect(differences([...CONSTRUCTS, ...PROGRAMS, ...PROBES])).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    "no mutant of a program has another tree, or is accepted here alone",
    () => {
      const below = numbers(20261128);
      const sources = [...CONSTRUCTS, ...CONSTRUCTS, ...CONSTRUCTS, ...PROBES, ...PROGRAMS];
      const mutants = Array.from({ length: MUTANTS }, () => mutantOf(sources[below(sources.length)] ?? "", below));
      expect(differences(mutants).slice(0, 20)).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    "no file of the standard library has another tree",
    () => {
      const paths = libraryFiles(command, EVERY);
      const wrong: string[] = [];
      for (let from = 0; from < paths.length; from += FILES_AT_ONCE) {
        const files = paths.slice(from, from + FILES_AT_ONCE);
        const answers = askPython<{ readonly source: string; readonly tree: string | null } | null>(command, { files });
        answers.forEach((answer, index) => {
          const difference = answer === null ? null : differenceOf(answer.source, answer.tree);
          if (difference !== null) wrong.push(`${files[index]}: ${difference}`);
        });
      }
      expect(wrong).toEqual([]);
    },
    TIMEOUT,
  );

  it(
    "every code point is part of a name in the same places",
    () => {
      const points: string[] = [];
      for (let code = 128; code < 0x110000; code++)
        if (code < 0xd800 || code > 0xdfff) points.push(String.fromCodePoint(code));
      const names = askPython<boolean>(command, { names: points });
      const wrong = points.filter((point, at) => {
        const isName = nameOf(point) !== null;
        const continues = nameOf(`a${point}`) !== null;
        return isName !== names[2 * at] || continues !== names[2 * at + 1];
      });
      expect(wrong.slice(0, 20).map((point) => point.codePointAt(0)?.toString(16))).toEqual([]);
    },
    TIMEOUT,
  );
});
