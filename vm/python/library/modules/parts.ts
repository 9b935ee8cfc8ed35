/** Modules of values: collections, itertools, functools, operator, heapq, bisect, copy, graphlib. */
import type { Part } from "../registry.ts";
import { BISECT } from "./bisect.ts";
import { COUNTER } from "./collections/counter.ts";
import { DEQUE } from "./collections/deque.ts";
import { DICTS } from "./collections/dicts.ts";
import { COMBINATIONS } from "./combinations.ts";
import { COPY } from "./copy.ts";
import { FUNCTOOLS } from "./functools.ts";
import { GRAPHLIB } from "./graphlib.ts";
import { HEAPQ } from "./heapq.ts";
import { ITERTOOLS } from "./itertools.ts";
import { MATH } from "./math/sums.ts";
import { OPERATOR } from "./operator.ts";
import { STATISTICS } from "./statistics/statistics.ts";

export const MODULES: readonly Part[] = [
  COUNTER,
  DEQUE,
  DICTS,
  ITERTOOLS,
  COMBINATIONS,
  FUNCTOOLS,
  OPERATOR,
  HEAPQ,
  BISECT,
  COPY,
  GRAPHLIB,
  MATH,
  STATISTICS,
];
