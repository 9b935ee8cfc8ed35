/** What is said about names that nothing sets, and which repair is offered. Whole findings, so that no word and no place of them changes unseen. */
import { describe, expect, it } from "vitest";
import { diagnose, type Said, said } from "../found.ts";

const CODES = ["WF4001", "WF4002", "WF9008"];

const ROWS: readonly Said[] = [
  [
    "L1:\n  J",
    [
      "WF4001 2:3 J | in 1 n1 | nothing sets 'data' before this step | set it first, or declare it with '# frame: data'",
    ],
  ],
  ["L1:\n  Set data 1\n  J", []],
  [
    "L1:\n  J\n  J",
    [
      "WF4001 2:3 J | in 1 n1 | nothing sets 'data' before this step | set it first, or declare it with '# frame: data'",
      "WF4001 3:3 J | in 1 n2 | nothing sets 'data' before this step | set it first, or declare it with '# frame: data'",
    ],
  ],
  [
    "L1:\n  Set total 1\n  J totl",
    [
      "WF4001 3:5 totl | in 1 n2 | nothing sets 'totl' before this step | did you mean 'total', set on line 2? | fix: 3:5-4 \"total\"",
    ],
  ],
  [
    "L1:\n  Set total 1\n  J $totl",
    [
      "WF4001 3:5 $totl | in 1 n2 | nothing sets 'totl' before this step | did you mean 'total', set on line 2? | fix: 3:5-5 \"$total\"",
    ],
  ],
  [
    "L1:\n  Set total 1\n  J totl.x",
    [
      "WF4002 3:5 totl.x | warning | in 1 n2 | 'totl.x' is read as text: nothing sets 'totl' | did you mean 'total', set on line 2? | fix: 3:5-6 \"total.x\"",
    ],
  ],
  [
    "L1:\n  Set total 1\n  J totl[0].x",
    [
      "WF4001 3:5 totl[0].x | in 1 n2 | nothing sets 'totl' before this step | did you mean 'total', set on line 2? | fix: 3:5-9 \"total[0].x\"",
    ],
  ],
  [
    "L1:\n  Set total 1\n  Set a [totl.x, totl.y, totl]\n  J a",
    [
      "WF4002 3:10 totl.x | warning | in 1 n2 | 'totl.x' is read as text: nothing sets 'totl' | did you mean 'total', set on line 2? | fix: 3:10-6 \"total.x\", 3:18-6 \"total.y\"",
      "WF4001 3:26 totl | in 1 n2 | nothing sets 'totl' before this step | did you mean 'total', set on line 2? | fix: 3:26-4 \"total\"",
    ],
  ],
  [
    "L1:\n  If abc.x ->L2 ->L2\nL2:\n  J 1",
    ["WF4002 2:6 abc.x | warning | in 1 n1 | 'abc.x' is null: nothing sets 'abc' | declare it with '# frame: abc'"],
  ],
  [
    "L1:\n  Set abd 1\n  If abc.x = 1 ->L2 ->L2\nL2:\n  J 1",
    [
      "WF4002 3:6 abc.x | warning | in 1 n2 | 'abc.x' is null: nothing sets 'abc' | did you mean 'abd', set on line 2? | fix: 3:6-5 \"abd.x\"",
    ],
  ],
  [
    "L1:\n  J abc.x",
    [
      'WF4002 2:5 abc.x | warning | in 1 n1 | \'abc.x\' is read as text: nothing sets \'abc\' | quote it as "abc.x", or write $abc.x | fix: 2:5-5 "\\"abc.x\\""',
    ],
  ],
  [
    "L1:\n  J _eror",
    [
      "WF4001 2:5 _eror | in 1 n1 | nothing sets '_eror' before this step | did you mean '_error'? | fix: 2:5-5 \"_error\"",
    ],
  ],
  [
    "L1:\n  J _er",
    [
      "WF4001 2:5 _er | in 1 n1 | nothing sets '_er' before this step | quote it if it is text, or declare it with '# frame: _er' | fix: 2:5-3 \"\\\"_er\\\"\"",
    ],
  ],
  [
    "L1:\n  J _tx",
    [
      "WF4001 2:5 _tx | in 1 n1 | nothing sets '_tx' before this step | quote it if it is text, or declare it with '# frame: _tx' | fix: 2:5-3 \"\\\"_tx\\\"\"",
    ],
  ],
  [
    "L1:\n  J txid",
    ["WF4001 2:5 txid | in 1 n1 | nothing sets 'txid' before this step | did you mean '_txid'? | fix: 2:5-4 \"_txid\""],
  ],
  [
    "L1:\n  J role",
    ["WF4001 2:5 role | in 1 n1 | nothing sets 'role' before this step | did you mean '_role'? | fix: 2:5-4 \"_role\""],
  ],
  [
    "L1:\n  J None.x",
    [
      'WF4002 2:5 None.x | warning | in 1 n1 | \'None.x\' is read as text: nothing sets \'None\' | quote it as "None.x", or write $None.x | fix: 2:5-6 "\\"None.x\\""',
    ],
  ],
  [
    "L1:\n  Set a [None, $None]\n  J a",
    [
      "WF4001 2:10 None | in 1 n1 | nothing sets 'None' before this step | set it first, or declare it with '# frame: None'",
    ],
  ],
  [
    "L1:\n  J L2\nL2:\n  J 1",
    [
      "WF9008 2:5 L2 | warning | in 1 n1 | J returns a value; it does not go to label 'L2' | J returns a value; to continue at a label use If true ->L2 or Call L2",
    ],
  ],
  ["L1:\n  J 2\nL2:\n  J 1", []],
  [
    "Lwork:\n  J Ldone\nLdone:\n  J 1",
    [
      "WF9008 2:5 Ldone | warning | in work n1 | J returns a value; it does not go to label 'Ldone' | J returns a value; to continue at a label use If true ->Ldone or Call Ldone",
    ],
  ],
  [
    "Lwork:\n  J done\nLdone:\n  J 1",
    [
      "WF9008 2:5 done | warning | in work n1 | J returns a value; it does not go to label 'Ldone' | J returns a value; to continue at a label use If true ->Ldone or Call Ldone",
    ],
  ],
  [
    "Lwork:\n  J $done\nLdone:\n  J 1",
    [
      "WF4001 2:5 $done | in work n1 | nothing sets 'done' before this step | set it first, or declare it with '# frame: done'",
    ],
  ],
  [
    "Lwork:\n  J done.x\nLdone:\n  J 1",
    [
      'WF4002 2:5 done.x | warning | in work n1 | \'done.x\' is read as text: nothing sets \'done\' | quote it as "done.x", or write $done.x | fix: 2:5-6 "\\"done.x\\""',
    ],
  ],
  [
    "Lwork:\n  J [done]\nLdone:\n  J 1",
    [
      "WF4001 2:6 done | in work n1 | nothing sets 'done' before this step | quote it if it is text, or declare it with '# frame: done' | fix: 2:6-4 \"\\\"done\\\"\"",
    ],
  ],
  [
    "L1:\n  R core.ADD 1 2\n  J sum",
    [
      "WF4001 3:5 sum | in 1 n2 | nothing sets 'sum' before this step | name the result: add ->sum on line 2 | fix: 2:17-0 \" ->sum\"",
    ],
  ],
  [
    "L1:\n  R core.ADD 1 2\n  Set a res\n  J sum",
    [
      "WF4001 4:5 sum | in 1 n3 | nothing sets 'sum' before this step | quote it if it is text, or declare it with '# frame: sum' | fix: 4:5-3 \"\\\"sum\\\"\"",
    ],
  ],
  [
    "L1:\n  R core.ADD 1 2\n  Set a sum\n  J res",
    [
      "WF4001 3:9 sum | in 1 n2 | nothing sets 'sum' before this step | quote it if it is text, or declare it with '# frame: sum' | fix: 3:9-3 \"\\\"sum\\\"\"",
    ],
  ],
  [
    "L1:\n  R core.ADD 1 2\n  Set a sum\n  R core.ADD 1 2\n  J res",
    [
      "WF4001 3:9 sum | in 1 n2 | nothing sets 'sum' before this step | name the result: add ->sum on line 2 | fix: 2:17-0 \" ->sum\"",
    ],
  ],
  [
    "L1:\n  R core.ADD 1 2 ->x\n  J sum",
    [
      "WF4001 3:5 sum | in 1 n2 | nothing sets 'sum' before this step | quote it if it is text, or declare it with '# frame: sum' | fix: 3:5-3 \"\\\"sum\\\"\"",
    ],
  ],
  [
    "L1:\n  R nosuch.ADD 1 2\n  J sum",
    [
      "WF4001 3:5 sum | in 1 n2 | nothing sets 'sum' before this step | name the result: add ->sum on line 2 | fix: 2:19-0 \" ->sum\"",
    ],
  ],
  [
    "L1:\n  R core.ADD 1 2\n  J [sum, more]",
    [
      "WF4001 3:6 sum | in 1 n2 | nothing sets 'sum' before this step | name the result: add ->sum on line 2 | fix: 2:17-0 \" ->sum\"",
      "WF4001 3:11 more | in 1 n2 | nothing sets 'more' before this step | name the result: add ->more on line 2",
    ],
  ],
  [
    "L1:\n  X n add 1 [Set]\n  J n",
    [
      "WF4001 2:14 Set | in 1 n1 | nothing sets 'Set' before this step | quote it if it is text, or declare it with '# frame: Set' | fix: 2:14-3 \"\\\"Set\\\"\"",
    ],
  ],
  [
    "L1:\n  Set h add\n  J h",
    [
      "WF4001 2:9 add | in 1 n1 | nothing sets 'add' before this step | quote it if it is text, or declare it with '# frame: add' | fix: 2:9-3 \"\\\"add\\\"\"",
    ],
  ],
  [
    "L1:\n  Set h nofn 1 2\n  J h",
    [
      "WF4001 2:9 nofn | in 1 n1 | nothing sets 'nofn' before this step | quote it if it is text, or declare it with '# frame: nofn' | fix: 2:9-4 \"\\\"nofn\\\"\"",
    ],
  ],
  [
    "L1:\n  R core.ADD 1 x\n  J x",
    [
      "WF4001 2:16 x | in 1 n1 | nothing sets 'x' before this step | quote it if it is text, or declare it with '# frame: x' | fix: 2:16-1 \"\\\"x\\\"\"",
      "WF4001 3:5 x | in 1 n2 | nothing sets 'x' before this step | quote it if it is text, or declare it with '# frame: x' | fix: 3:5-1 \"\\\"x\\\"\"",
    ],
  ],
  [
    "L1:\n  R core.ROUND 1 x\n  J 1",
    [
      "WF4001 2:18 x | in 1 n1 | nothing sets 'x' before this step | quote it if it is text, or declare it with '# frame: x' | fix: 2:18-1 \"\\\"x\\\"\"",
    ],
  ],
  [
    "L1:\n  R ext.ECHO 1 x\n  J y",
    [
      "WF4001 2:16 x | in 1 n1 | nothing sets 'x' before this step | quote it if it is text, or declare it with '# frame: x' | fix: 2:16-1 \"\\\"x\\\"\"",
      "WF4001 3:5 y | in 1 n2 | nothing sets 'y' before this step | name the result: add ->y on line 2 | fix: 2:17-0 \" ->y\"",
    ],
  ],
  [
    "L1:\n  Set b zz\n  Set a [yy, xx, zz, xx]\n  J a",
    [
      "WF4001 2:9 zz | in 1 n1 | nothing sets 'zz' before this step | quote it if it is text, or declare it with '# frame: zz' | fix: 2:9-2 \"\\\"zz\\\"\"",
      "WF4001 3:10 yy | in 1 n2 | nothing sets 'yy' before this step | quote it if it is text, or declare it with '# frame: yy' | fix: 3:10-2 \"\\\"yy\\\"\"",
      'WF4001 3:14 xx | in 1 n2 | nothing sets \'xx\' before this step | quote it if it is text, or declare it with \'# frame: xx\' | fix: 3:14-2 "\\"xx\\"", 3:22-2 "\\"xx\\""',
      "WF4001 3:18 zz | in 1 n2 | nothing sets 'zz' before this step | quote it if it is text, or declare it with '# frame: zz' | fix: 3:18-2 \"\\\"zz\\\"\"",
    ],
  ],
];

for (const [source, expected, options] of ROWS) {
  it(JSON.stringify(source), () => {
    expect(said(source, CODES, options)).toEqual(expected);
  });
}

/** Results without a name, and what reads them, are looked for at most 50 steps away. */
describe("at a distance", () => {
  const away = (steps: number): string => "  Set b 1\n".repeat(steps - 1);
  const ADVICE: readonly (readonly [string, (steps: number) => string, string, string])[] = [
    [
      "the call above",
      (steps) => `L1:\n  R core.ADD 1 2\n${away(steps)}  J sum`,
      "name the result: add ->sum on line 2",
      "quote it if it is text, or declare it with '# frame: sum'",
    ],
    [
      "the reader below",
      (steps) => `L1:\n  R core.ADD 1 2\n  Set a sum\n${away(steps)}  J res`,
      "quote it if it is text, or declare it with '# frame: sum'",
      "name the result: add ->sum on line 2",
    ],
  ];
  it.each(ADVICE)("%s", (_, source, near, far) => {
    for (const [steps, suggestion] of [
      [1, near],
      [49, near],
      [50, near],
      [51, far],
      [52, far],
    ] as const) {
      expect(diagnose(source(steps)).find(({ code }) => code === "WF4001")?.suggestion, `${steps} steps`).toBe(
        suggestion,
      );
    }
  });
});
