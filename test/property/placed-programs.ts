/** The programs of `every-place.test.ts`. */
import type { JsonObject } from "../../compiler/json.ts";

export type Placed = { readonly what: string; readonly lines: readonly string[]; readonly frame?: JsonObject };

/** Labels of one program, each with its lines. */
function labels(of: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(of).flatMap(([label, lines]) => [`${label}:`, ...lines.map((line) => `  ${line}`)]);
}

const BRANCHES: readonly Placed[] = [2, 5, 0.5, "x", null].map((a) => ({
  what: `branches on comparisons, with ${JSON.stringify(a)}`,
  frame: { a },
  lines: labels({
    L1: ["X c lt a 3", "If c ->L2 ->L3"],
    L2: ["Call L7 ->q", "X c lt 3 a", "If c ->L4 ->L5"],
    L3: ["Set z [c]", "J [a, q]"],
    L4: ["J 4"],
    L5: ["X c lt a 1", "If c ->L6 ->L4"],
    L6: ["Set y 6"],
    L7: ["X d lt a 9", "If d ->L6 ->L4"],
  }),
}));

const PROTECTED: readonly Placed[] = [
  {
    what: "handlers that fail in handlers",
    lines: labels({
      L1: ["Call L2 ->r", "Err ->L5", "J [r]"],
      L2: ["X a div 1 0", "Err ->L3"],
      L3: ["X c div 2 0", "Err ->L4"],
      L4: ["X d div 3 0"],
      L5: ["J [_error_info.label, _error_info.node]"],
    }),
  },
  {
    what: "a branch on a comparison that is repeated and protected",
    frame: { a: 1 },
    lines: labels({
      L1: ["X c lt a 3", "If c ->L2 ->L3", "Retry @n2 1 0", "Err @n2 ->L4"],
      L2: ["R ext.OP 1 a ->v", "Call L5 ->w", "J w"],
      L3: ["J 3"],
      L4: ["X c lt a 0", "If c ->L3 ->L6"],
      L5: ["X z div v 0"],
      L6: ["J [_error, _error_info.step_index]"],
    }),
  },
  {
    what: "a step that is repeated, in a label that is entered again",
    frame: { seen: [] },
    lines: labels({
      L1: ["Loop [1, 2, 4] i ->L2 ->L4"],
      L2: ["Call L3 ->v", "X seen push seen v"],
      L3: ["Set z i", "R ext.OP (mul i 2) i ->v", "Retry 2 0", "J v"],
      L4: ["J seen"],
    }),
  },
  {
    what: "the same, with waits and a handler outside",
    frame: { seen: [] },
    lines: labels({
      L1: ["Loop [1, 2, 4] i ->L2 ->L4"],
      L2: ["Call L3 ->v", "Err ->L5", "X seen push seen v"],
      L3: ["R ext.OP (mul i 2) i ->v", "Retry 2 5 exponential", "Call L6", "J v"],
      L4: ["J seen"],
      L5: ["X seen push seen _error_info.step_index", "J _error"],
      L6: ["R ext.SLOW 2 i ->q"],
    }),
  },
  {
    what: "a repeated step that is followed by one that fails",
    lines: labels({
      L1: ["Set a 1", "R ext.OP 2 a ->v", "Retry 3 0", "Call L2 ->w", "X z div v 0"],
      L2: ["R ext.OP 3 a ->w", "Retry 3 0", "Set b 2", "J w"],
    }),
  },
  {
    what: "handlers in a loop",
    frame: { seen: [] },
    lines: labels({
      L1: ["Loop [1, 0, 2, 0] i ->L2 ->L4"],
      L2: ["X a div 6 i", "Err ->L3", "Set b a", "J a"],
      L3: ["X seen push seen _error", "If i ->L5 ->L6"],
      L4: ["J [seen, _loop_last]"],
      L5: ["J 5"],
      L6: ["J _error_info.label"],
    }),
  },
  {
    what: "a handler with loops, of a failure in loops",
    frame: { seen: [] },
    lines: labels({
      L1: ["Loop [1, 2] i ->L2 ->L5"],
      L2: ["Loop [7, 8] j ->L4 ->L6", "Err @n1 ->L3"],
      L3: ["Loop [5, 6] k ->L7 ->L8"],
      L4: ["Call L9", "X a div i 0"],
      L5: ["J [i, j, k, seen, _loop_last]"],
      L6: ["J 6"],
      L7: ["X seen push seen [i, j, k]"],
      L8: ["J i"],
      L9: ["Set z j"],
    }),
  },
  {
    what: "handlers that fail",
    lines: labels({
      L1: ["Call L2 ->v", "Err ->L5", "Set a 1", "J a"],
      L2: ["Call L3 ->w", "Err ->L4"],
      L3: ["X z div 1 0", "Err ->L4"],
      L4: ["Set b _error", "X z div 2 0"],
      L5: ["J [b, _error_info]"],
    }),
  },
  {
    what: "a handler that is under way already, further out than the failure",
    lines: labels({ L1: ["Set z 1", "Call L2 ->r", "Err ->L1"], L2: ["Set y 2", "X a div 1 0"] }),
  },
  {
    what: "a wait further out than the failure",
    lines: labels({ L1: ["Call L2 ->r", "Retry 2 20", "J r"], L2: ["Set y 2", "R ext.OP 2 y ->v", "J v"] }),
  },
  {
    what: "a loop that is begun again",
    frame: { sum: 0 },
    lines: labels({
      L1: ['Set it "kept"', "Loop [1, 2, 3] it ->L2 ->L3", "Retry @n2 2 0"],
      L2: ["Call L5 ->v", "X sum add sum v"],
      L3: ["J [it, sum]"],
      L5: ["Set q it", "R ext.OP (sub it 1) it ->w", "J w"],
    }),
  },
  {
    what: "a loop that is begun again, of an item that was not set, in a label with loops",
    frame: { sum: 0 },
    lines: labels({
      L1: ["Loop [1, 2] outer ->L2 ->L6"],
      L2: ["Loop [3, 4] it ->L3 ->L4", "Retry @n1 1 0"],
      L3: ["R ext.OP outer it ->w", "X sum add sum w"],
      L4: ["Set last it", "R ext.OP outer it ->w"],
      L6: ["J [it, sum, last]"],
    }),
  },
];

const LOOPS: readonly Placed[] = [
  {
    what: "a loop that is repeated, around itself",
    frame: { n: 0, i: 7 },
    lines: labels({
      L1: ["Call L2 ->r", "J [r, i]"],
      L2: ["Loop (range (div 6 (sub 2 n))) i ->L3 ->L4", "Retry 1 0"],
      L3: ["X n add n 1", "Call L2"],
      L4: ["J i"],
    }),
  },
  {
    what: "loops in recursion that share their item",
    frame: { n: 3, t: [], x: "kept" },
    lines: labels({
      L1: ["Loop [1, 2] x ->L2 ->L5"],
      L2: ["Call L3 ->r"],
      L3: ["X n sub n 1", "X go gt n 0", "If go ->L4"],
      L4: ["Loop [3, 4] x ->L6 ->L7"],
      L5: ["J [t, x]"],
      L6: ["X t push t x"],
      L7: ["Call L3 ->r2"],
    }),
  },
  {
    what: "loops in loops in both branches of a body",
    frame: { t: [] },
    lines: labels({
      L1: ["Loop [0, 1] c ->L2 ->L6"],
      L2: ["If c ->L3 ->L4"],
      L3: ["Loop [1] i ->L5 ->L6"],
      L4: ["Loop [2] j ->L5 ->L6"],
      L5: ["Loop [3, 4] k ->L7 ->L6"],
      L6: ["J [t, i, j, k]"],
      L7: ["X t push t [c, k]"],
    }),
  },
  {
    what: "a While on a comparison",
    frame: { n: 0 },
    lines: labels({ L1: ["While n < 4 ->L2 ->L3"], L2: ["X n add n 1", "J n"], L3: ["J [n, _while_last]"] }),
  },
  {
    what: "a While that counts, with a limit, in a loop",
    frame: { t: 0 },
    lines: labels({
      L1: ["Loop [1, 3, 9] m ->L2 ->L5"],
      L2: ["Set i 0", "Set c true", "While c ->L3 ->L4 limit=4"],
      L3: ["X i add i 1", "X c lt i m"],
      L4: ["X t add t i"],
      L5: ["J t"],
    }),
  },
  {
    what: "a While whose comparison follows another step",
    frame: { i: 0, c: 1 },
    lines: labels({ L1: ["While c ->L2 ->L3 limit=3"], L2: ["X i mul 2 (add i 1)", "X c lt i 9"], L3: ["J i"] }),
  },
  {
    what: "a While whose body is empty",
    frame: { c: true },
    lines: labels({ L1: ["Set a 1", "While c ->L2 ->L3 limit=3"], L2: [], L3: ["J a"] }),
  },
  {
    what: "a While whose sum fails, with a handler",
    frame: { c: true, i: 1, s: "x" },
    lines: labels({
      L1: ["While c ->L2 ->L3", "Err @n1 ->L4"],
      L2: ["X i add i s", "X c lt i 9"],
      L3: ["J i"],
      L4: ["J _error_info"],
    }),
  },
  {
    what: "a While whose comparison fails, with a handler",
    frame: { c: true, i: 1, s: "x" },
    lines: labels({
      L1: ["While c ->L2 ->L3", "Err @n1 ->L4"],
      L2: ["X i add i 1", "X c lt i s"],
      L3: ["J i"],
      L4: ["J [_error_info, i]"],
    }),
  },
  {
    what: "Whiles on conditions of every kind",
    frame: { s: "", u: null },
    lines: labels({
      L1: ["While not done ->L2 ->L3"],
      L2: ['X s concat s "a"', "X done gt (len s) 1"],
      L3: ["While s=aa ->L4 ->L5"],
      L4: ['X s concat s "b"', "Set u s"],
      L5: ["While u? ->L6 ->L7"],
      L6: ["Set u null"],
      L7: ["J [s, u, done]"],
    }),
  },
  {
    what: "a loop in a While in a loop, with values",
    frame: { n: 0 },
    lines: labels({
      L1: ["Loop [[1, 2], [], [3]] xs ->L2 ->L7"],
      L2: ["Set c true", "While c ->L3 ->L6"],
      L3: ["Loop xs x ->L4 ->L5"],
      L4: ["X n add n x", "J null"],
      L5: ["Set c false", "J [_loop_last, n]"],
      L6: ["J _while_last"],
      L7: ["J [n, _loop_last, _while_last]"],
    }),
  },
];

const SHARED: readonly Placed[] = [
  {
    what: "values of labels that were called",
    frame: { o: {} },
    lines: labels({
      L1: ["X xs push [] 1", "X xs push xs 2", "Call L2 ->r", "X xs push xs 3", "X r push r 4", "Call L3 ->q"].concat(
        [
          "X q put q k 1",
          "X o put o j 2",
          "Call L4 ->p",
          "X p push p 5",
          "X xs push xs 6",
          "X _call_result push _call_result 7",
        ],
        ["J [xs, r, q, o, p, _call_result]"],
      ),
      L2: ["J xs"],
      L3: ["X o put o a 1", "J o"],
      L4: ["Err ->L5", "X xs push xs 8", "J xs"],
      L5: ["J 5"],
    }),
  },
  // A label with an Err is entered by a call at run time, one without is part of the code around.
  ...[["Set z 1"], ["Err ->L3"]].flatMap((first) => [
    {
      what: `values that take the place of a list of their own, of a label with ${first}`,
      lines: labels({
        // The second push makes the list its variable's own: the first is folded.
        L1: ["X x push [] 1", "X x push x 1", "X _call_result push [] 2", "X _call_result push _call_result 2"].concat(
          ["X y push [] 3", "X y push y 3", "Call L2 ->x", "X _call_result push _call_result 4", "X x push x 5"],
          ["Call L2 ->_call_result", "X _call_result push _call_result 6", "J [x, y, _call_result]"],
        ),
        L2: [...first, "J y"],
        L3: ["J 3"],
      }),
    },
    {
      what: `nulls of a label with ${first} that is called again`,
      frame: { x: 1 },
      lines: labels({
        L1: ["Call L2 ->x", "Set _call_result 5", "Call L2 ->x", "Set t [$x, $_call_result]"].concat([
          "Set x 6",
          "Call L2 ->x",
          "J [t, $x, $_call_result]",
        ]),
        L2: first,
        L3: ["J 3"],
      }),
    },
  ]),
  {
    what: "values of bodies",
    frame: { i: 0 },
    lines: labels({
      L1: ["Set xs []", "Loop [1, 2, 3] n ->L2 ->L3"],
      L2: ["X xs push xs n", "J xs"],
      L3: ["X xs push xs 9", "X l push _loop_last 8", "X _loop_last push _loop_last 7", "While i < 2 ->L4 ->L5"],
      L4: ["X i add i 1", "X xs push xs i", "J xs"],
      L5: ["X xs push xs 6", "X _while_last push _while_last 5", "J [xs, l, _loop_last, _while_last]"],
    }),
  },
  {
    what: "values of handlers",
    lines: labels({
      L1: [
        "X xs push [] 1",
        "X xs push xs 2",
        "Call L2 ->r",
        "X xs push xs 3",
        "X r push r 4",
        "J [xs, r, _call_result]",
      ],
      L2: ["X z div 1 0", "Err ->L3"],
      L3: ["X xs push xs _error", "J xs"],
    }),
  },
  {
    what: "a list that grows while a loop goes over it",
    lines: labels({
      L1: ["X xs push [] 1", "X xs push xs 2", "Loop xs x ->L2 ->L3"],
      L2: ["X xs push xs x", "J xs"],
      L3: ["Loop xs xs ->L4 ->L5"],
      L4: ["X xs push xs 1"],
      L5: ["X xs push xs 0", "J [xs, _loop_last]"],
    }),
  },
  {
    what: "elements that a loop goes over",
    lines: labels({
      L1: ["X xs push [] []", "X xs push xs [7]", "Loop xs x ->L2 ->L3"],
      L2: ["X x push x 1", "X x push x 2", "X t push t x"],
      L3: ["J [xs, t, x]"],
    }),
  },
  {
    what: "an item that a loop puts back",
    lines: labels({
      L1: ["X x push [] 1", "X x push x 2", "Set y x", "Loop [5, 6] x ->L2 ->L3"],
      L2: ["X y push y x"],
      L3: ["X x push x 3", "J [x, y]"],
    }),
  },
  {
    what: "chosen, taken, found, sorted and set values",
    frame: { c: true, d: 0 },
    lines: labels({
      L1: [
        "X a push [] {}",
        'X a push a {"k": 2}',
        "X b ite c a d",
        "X b push b 1",
        "X a push a 2",
        "X e ite d a b",
      ].concat(
        [
          "X e push e 3",
          "X f get a 1",
          "X f put f k 4",
          "Sort g a k",
          "X g push g 5",
          "Filt h a k > 0",
          "X h push h 6",
        ],
        ["Set s a", "X s push s 7", "X a push a 8", "X o obj l a", "X a push a 9", "X p arr a o", "X a push a 10"],
        [
          "X o put o l.m 1",
          'X o put o "" 2',
          "X o put o n o",
          'Set m {"a": $a, "o": $o}',
          "X a push a 11",
          "X o put o q 12",
        ],
        ["J [a, b, e, f, g, h, s, o, p, m]"],
      ),
    }),
  },
  {
    what: "arguments of calls, functions and core",
    lines: labels({
      L1: [
        "X a push [] 1",
        "X a push a 2",
        "R ext.ECHO $a ->b",
        "X a push a 3",
        "X b push b 4",
        'X c merge {} {"k": $a}',
      ].concat(
        ["X a push a 5", "R core.ARR $a ->d", "X a push a 6", "X f coalesce none a", "X a push a 7", "X f push f 8"],
        ["CacheSet c k $a", "X a push a 9", "CacheGet c k ->g", "X g push g 10", "J [a, b, c, d, f, g]"],
      ),
    }),
  },
];

const OUTSIDE: readonly Placed[] = [
  {
    what: "calls of every kind, in a loop and in labels",
    frame: { t: [] },
    lines: labels({
      L1: ["Loop [1, 2] i ->L2 ->L4"],
      L2: ["R core.ADD i 1 ->a", "Call L3 ->b", "R ext.LATER a ->c", "X u uuid", "X t push t [a, b, c, u]"],
      L3: ["R core.SLEEP 3 ->z", "R ext.TARDY 4 i ->y", "J y"],
      L4: ["Tx begin x", "CacheGet c k ->d 5", "QueuePut q 1 ->e", "R core.LEN t ->f", "Tx commit x", "J [t, d, e, f]"],
    }),
  },
  {
    what: "failing calls of core that are repeated",
    lines: labels({
      L1: ["R core.DIV 1 0 ->a", "Retry 2 4", "Err @n1 ->L2"],
      L2: ["R core.NOPE ->b", "Err ->L3"],
      L3: ["J _error_info"],
    }),
  },
  {
    what: "calls that ask for a wait before they are repeated",
    lines: labels({
      L1: ["Set n 2", "R ext.WAITS 7 ->a", "Retry n 3 exponential", "Err @n2 ->L2"],
      L2: ["J _error_info"],
    }),
  },
];

export const PLACED: readonly Placed[] = [...BRANCHES, ...PROTECTED, ...LOOPS, ...SHARED, ...OUTSIDE];
