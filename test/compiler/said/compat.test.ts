/** What is noted about programs written for the predecessor. Whole findings, so that no word and no place of them changes unseen. */
import { expect, it } from "vitest";
import { type Said, said } from "../found.ts";

const ROWS: readonly Said[] = [
  ["L1:\n  J true", [], { compat_notes: true }],
  [
    "Set a 1\nJ a",
    ["WF9021 1:1 Set | hint | in _anon | differs from the predecessor: steps without a label are run, they were not"],
    { compat_notes: true },
  ],
  ["Set a 1\nJ a\nL1:\n  J 1", [], { compat_notes: true }],
  [
    'L1:\n  Set a "true"\n  Set b "a"\n  Set c "z"\n  Set d {"k": "1"}\n  Set e ["a", (add 1 2)]\n  J [a,b,c,d,e]',
    [
      'WF9021 2:9 "true" | hint | in 1 n1 | differs from the predecessor: quoted text stays text, it was a constant',
      'WF9021 3:9 "a" | hint | in 1 n2 | differs from the predecessor: quoted text stays text, it was the variable',
      'WF9021 5:9 {"k": "1"} | hint | in 1 n4 | differs from the predecessor: a map is a value, it was pieces of text',
      'WF9021 6:9 ["a", (add 1 2)] | hint | in 1 n5 | differs from the predecessor: a list is a value, it was pieces of text',
      "WF9021 7:5 [a,b,c,d,e] | hint | in 1 n6 | differs from the predecessor: a list is a value, it was pieces of text",
    ],
    { compat_notes: true },
  ],
  [
    'L1:\n  X v (add 1 2)\n  X w (add 1 (add 1 2))\n  X z (1 + 2)\n  X y add (add 1 2) "7"\n  J [v,w,z,y]',
    [
      "WF9021 3:14 (add 1 2) | hint | in 1 n2 | differs from the predecessor: brackets are evaluated, they were pieces of text",
      "WF9021 5:11 (add 1 2) | hint | in 1 n4 | differs from the predecessor: brackets are evaluated, they were pieces of text",
      'WF9021 5:21 "7" | hint | in 1 n4 | differs from the predecessor: quoted text stays text, it was a constant',
      "WF9021 6:5 [v,w,z,y] | hint | in 1 n5 | differs from the predecessor: a list is a value, it was pieces of text",
    ],
    { compat_notes: true },
  ],
  [
    "L1:\n  Set a {}\n  Set b a.x\n  Set c $a.x\n  Set d [a.x]\n  Set e nope.x\n  J [b,c,d,e]",
    [
      "WF9021 2:9 {} | hint | in 1 n1 | differs from the predecessor: a map is a value, it was pieces of text",
      "WF9021 3:9 a.x | hint | in 1 n2 | differs from the predecessor: 'a.x' walks into the value of 'a', it was text",
      "WF9021 4:9 $a.x | hint | in 1 n3 | differs from the predecessor: '$a.x' walks into the value of 'a', it was the variable of that whole name",
      "WF9021 5:9 [a.x] | hint | in 1 n4 | differs from the predecessor: a list is a value, it was pieces of text",
      "WF9021 7:5 [b,c,d,e] | hint | in 1 n6 | differs from the predecessor: a list is a value, it was pieces of text",
    ],
    { compat_notes: true },
  ],
  [
    "L1:\n  Set a 1\n  If a? ->L2 ->L2\nL2:\n  J 1",
    [
      "WF9021 3:6 a? | hint | in 1 n2 | differs from the predecessor: the question mark asks for presence, it was always true",
    ],
    { compat_notes: true },
  ],
  [
    "# frame: a b\nL1:\n  If a ->L2 ->L2\nL2:\n  If b.x ->L3 ->L3\nL3:\n  If $b ->L4 ->L4\nL4:\n  J 1",
    [
      "WF9021 3:6 a | hint | in 1 n1 | differs from the predecessor: an absent name is false, it was true",
      "WF9021 5:6 b.x | hint | in 2 n1 | differs from the predecessor: an absent name is false, it was true",
    ],
    { compat_notes: true },
  ],
  [
    "L1:\n  Set a 1\n  If a ->L2 ->L2\nL2:\n  Set b {}\n  If b.x ->L3 ->L3\nL3:\n  J 1",
    [
      "WF9021 5:9 {} | hint | in 2 n1 | differs from the predecessor: a map is a value, it was pieces of text",
      "WF9021 6:6 b.x | hint | in 2 n2 | differs from the predecessor: 'b.x' walks into the value of 'b', it was text",
    ],
    { compat_notes: true },
  ],
  [
    "# frame: a\nL1:\n  If a = 1 ->L2 ->L2\nL2:\n  If a=1 ->L3 ->L3\nL3:\n  If a= 1 ->L4 ->L4\nL4:\n  If a =1 ->L5 ->L5\nL5:\n  If a == 1 ->L6 ->L6\nL6:\n  If not a == 1 ->L7 ->L7\nL7:\n  J 1",
    [
      "WF9021 3:6 a = 1 | hint | in 1 n1 | differs from the predecessor: the comparison is evaluated, it was pieces of text",
      "WF9021 7:6 a= | hint | in 3 n1 | differs from the predecessor: the comparison is evaluated, it was pieces of text",
      "WF9021 9:6 a | hint | in 4 n1 | differs from the predecessor: an absent name is false, it was true",
      "WF9021 11:6 a == 1 | hint | in 5 n1 | differs from the predecessor: the comparison is evaluated, it was pieces of text",
      "WF9021 13:10 a == 1 | hint | in 6 n1 | differs from the predecessor: the comparison is evaluated, it was pieces of text",
    ],
    { compat_notes: true },
  ],
  [
    'Q m\nL1:\n  R core.NOW ->a\n  R http.GET "https://a.b/"-> x\n  R http.GET "https://a.b/" -> y\n  R http.GET ->z "https://a.b/"\n  R http.GET "https://a.b/" ->w\n  R http.GET "https://a.b/" ->Lx\n  Call L2 -> q\n  CacheGet c k -> r\n  QueuePut m 1 -> s\n  J 1\nL2:\n  J 1',
    [
      "WF9021 3:3 R | hint | in 1 n1 | differs from the predecessor: no argument is passed, it was one empty text",
      "WF9021 4:31 x | hint | in 1 n2 | differs from the predecessor: 'x' takes the result, it was an argument",
      "WF9021 5:32 y | hint | in 1 n3 | differs from the predecessor: 'y' takes the result, it was an argument",
      "WF9021 6:16 z | hint | in 1 n4 | differs from the predecessor: 'z' takes the result, it was an argument",
      "WF9021 8:31 Lx | hint | in 1 n6 | differs from the predecessor: 'Lx' takes the result, it was an argument",
      "WF9021 9:14 q | hint | in 1 n7 | differs from the predecessor: 'q' takes the result, it was an argument",
      "WF9021 10:19 r | hint | in 1 n8 | differs from the predecessor: 'r' takes the result, it was an argument",
      "WF9021 11:19 s | hint | in 1 n9 | differs from the predecessor: 's' takes the result, it was an argument",
    ],
    { compat_notes: true },
  ],
  [
    "# frame: xs\nL1:\n  Filter xs ys a = 1\n  Filt ys xs a in [1]\n  Filt ys xs a contains 1\n  Filt ys xs a > 1\n  ForEach xs x ->L2 ->L3\nL2:\n  J 1\nL3:\n  J 1",
    [
      "WF9021 3:3 Filter | hint | in 1 n1 | differs from the predecessor: it is Filt, it was ignored",
      "WF9021 3:18 = | hint | in 1 n1 | differs from the predecessor: this comparison works, it failed",
      "WF9021 4:16 in | hint | in 1 n2 | differs from the predecessor: this comparison works, it failed",
      "WF9021 4:19 [1] | hint | in 1 n2 | differs from the predecessor: a list is a value, it was pieces of text",
      "WF9021 5:16 contains | hint | in 1 n3 | differs from the predecessor: this comparison works, it failed",
      "WF9021 7:3 ForEach | hint | in 1 n5 | differs from the predecessor: it is Loop, it was ignored",
    ],
    { compat_notes: true },
  ],
  [
    'L1:\n  R http.GET "https://a.b/" ->x\n  If x ->L2 ->L2\n  Err ->L3\nL2:\n  J 1\nL3:\n  J 1',
    [
      "WF9021 4:3 Err | hint | in 1 n3 | differs from the predecessor: it protects the step above that can fail, it belonged to the If",
    ],
    { compat_notes: true },
  ],
  [
    'L1:\n  R http.GET "https://a.b/" ->x\n  Err ->L3\n  Retry 3 1\n  J x\nL3:\n  J 1',
    [
      "WF9021 4:3 Retry | hint | in 1 n3 | differs from the predecessor: it protects the step above that can fail, it belonged to the Err",
    ],
    { compat_notes: true },
  ],
  [
    "L1:\n  Call L2 ->x\n  Err ->L3\n  J x\nL2:\n  J 1\nL3:\n  J 1",
    [
      "WF9021 3:3 Err | hint | in 1 n2 | differs from the predecessor: it catches what fails inside the Call, it did not",
    ],
    { compat_notes: true },
  ],
  [
    "L1:\n  Call L2 ->x\n  Set y 1\n  Err @n1 ->L3\n  J x\nL2:\n  J 1\nL3:\n  J 1",
    [
      "WF9021 4:3 Err | hint | in 1 n3 | differs from the predecessor: it catches what fails inside the Call, it did not",
    ],
    { compat_notes: true },
  ],
  ["L1:\n  Call L2 ->x\n  Retry 3 1\n  J x\nL2:\n  J 1", [], { compat_notes: true }],
  [
    "S core web /x\nE /x GET ->L1\nS core web /y\nVer 2\nC c 60 1\nL1:\n  J 1\nQ m\n  Set a 1\nQ n\nL2:\n  J 1",
    [
      "WF9021 3:1 S | hint | differs from the predecessor: the endpoints above stay, they were erased",
      "WF9021 4:1 Ver | hint | differs from the predecessor: it is information, it replaced the version of the IR",
      "WF9021 5:1 C | hint | differs from the predecessor: lifetime and default count, they were not used",
      "WF9021 8:1 Q | hint | in 1 | differs from the predecessor: the steps below belong to label 'L1', they were dropped",
    ],
    { compat_notes: true },
  ],
  [
    "S core web /x\nVer 2\nS core web /y\nL1:\n  J 1",
    ["WF9021 2:1 Ver | hint | differs from the predecessor: it is information, it replaced the version of the IR"],
    { compat_notes: true },
  ],
  [
    "LLx:\n  J 1",
    ["WF9021 1:1 LLx: | hint | in Lx | differs from the predecessor: label 'LLx' can be reached, it could not"],
    { compat_notes: true },
  ],
  [
    "L1:\n  Q m\n  Set a 1\n  Set b 1\n  Q n\n  Set c 1\n  J 1\nL2:\n  J 1",
    [
      "WF9021 2:3 Q | hint | in 1 | differs from the predecessor: the steps below belong to label 'L1', they were dropped",
      "WF9021 5:3 Q | hint | in 1 | differs from the predecessor: the steps below belong to label 'L1', they were dropped",
    ],
    { compat_notes: true },
  ],
  ["# frame: xs\nL1:\n  Loop xs x ->L2 ->L3\nL2:\n  J 1\nL3:\n  J 1", [], { compat_notes: true }],
];

for (const [source, expected, options] of ROWS) {
  it(JSON.stringify(source), () => {
    expect(said(source, ["WF9021"], options)).toEqual(expected);
  });
}
