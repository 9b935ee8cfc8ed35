/**
 * The native JavaScript peer: each workload as a plain function, statement by statement the algorithm of its `.wf` file with
 * the same data shapes, written as one would by hand. What a caller varies comes in as an argument, and what the program
 * computes but does not return is stored in `observed`, so that an optimising compiler can leave none of the work out.
 */
import type { Json } from "../../compiler/json.ts";

/** Values a workload computes and does not return; written so that they are needed. */
const observed = { total: 0 as number, got: null as Json };

/** W1: counts from `start` to `end`; returns how many additions that took. */
export function counter(start: number, end: number): number {
  let i = start;
  let c = true;
  while (c) {
    i = i + 1;
    c = i < end;
  }
  return i - start;
}

/** W2: the sum of all products, each row of them collected in a list of its own. */
export function nestedLists(xs: readonly number[], ys: readonly number[]): number {
  let s = 0;
  let tot = 0;
  for (const x of xs) {
    const m: number[] = [];
    for (const y of ys) {
      const t = x * y;
      s = s + t;
      m.push(t);
    }
    const n = m.length;
    tot = tot + n;
  }
  observed.total = tot;
  return s;
}

/** W3: a Fibonacci number by double recursion over two shared variables; returns what was added to `base`. */
export function recursion(depth: number, base: number): number {
  let n = depth;
  let acc = base;
  const descend = (): void => {
    if (n < 2) {
      acc = acc + n;
      return;
    }
    n = n - 1;
    descend();
    n = n - 1;
    descend();
    n = n + 2;
  };
  descend();
  return acc - base;
}

type Row = { id: number; name?: string; score?: number };

/** W4: builds a record per id, keeps those with a high score, sorts them by name, last name first. */
export function records(ids: readonly number[]): number {
  const rows: Row[] = [];
  let g1 = 0;
  for (const i of ids) {
    const name = `user_${i}`;
    const t = i * 7919;
    let q = Math.floor(t / 100);
    q = q * 100;
    const sc = t - q;
    const r: Row = { id: i };
    r.name = name;
    r.score = sc;
    g1 = r.id;
    rows.push(r);
  }
  const f = rows.filter((row) => (row.score as number) >= 50);
  const g = [...f].sort((a, b) => descending(a.name as string, b.name as string));
  observed.total = g1;
  return g.length;
}

function descending(a: string, b: string): number {
  if (a < b) return 1;
  return a > b ? -1 : 0;
}

type Mixed = { id: number; name?: string; tier?: string; y?: string; sum?: number };

/** W5: a short run of a bit of everything; the labels that the program calls are functions. */
export function mixed(x: number): Json {
  const a = x + 5;
  const b = a * 3;
  const d = b - x;
  const p = d < 100;
  const tier = tierOf(p);
  const name = "bob";
  const k = `user_${name}`;
  const o: Mixed = { id: x };
  o.name = k;
  o.tier = tier;
  const g = o.name;
  const e = g === "user_bob";
  const ok = e ? a + 1 : a + 2;
  const l: number[] = [];
  l.push(a);
  l.push(b);
  l.push(d);
  const n = l.length;
  let z = n + d;
  z = z * 2;
  const sum = sumOf(a, b, d);
  const h = o.tier;
  const y = `${h}-done`;
  o.y = y;
  o.sum = sum;
  observed.total = ok + z;
  return o as Json;
}

function tierOf(low: boolean): string {
  return low ? "low" : "high";
}

function sumOf(a: number, b: number, d: number): number {
  const w = a + b;
  return w + d;
}

type Small = { id: number; name?: string };

/** W10: ten steps. */
export function small(x: number): Json {
  const a = x + 5;
  const b = a * 3;
  const p = b < 100;
  const tier = p ? "low" : "high";
  const k = `user_${tier}`;
  const o: Small = { id: x };
  o.name = k;
  const g = o.name;
  observed.got = g;
  return g ? (o as Json) : null;
}
