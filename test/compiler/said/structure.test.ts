/** What is said about the structure of labels, endpoints' results, unused labels and handlers. Whole findings, so that no word and no place of them changes unseen. */
import { expect, it } from "vitest";
import { type Said, said } from "../found.ts";

const CODES = ["WF2009", "WF2010", "WF2011", "WF3006", "WF9014", "WF9022"];

const ROWS: readonly Said[] = [
  ["S core web /x\nE /x GET ->L1 ->rows\nL1:\n  Set rows 1\n  J rows", []],
  ["S core web /x\nE /x GET ->L1 ->rows\nL1:\n  Set rows 1\n  J $rows", []],
  [
    "S core web /x\nE /x GET ->L1 ->rows\nL1:\n  Set rows 1\n  Set b 2\n  J b",
    [
      "WF3006 2:15 ->rows | in 1 | endpoint returns 'rows' but label 'L1' returns 'b' | change one of them | returned here on 6",
    ],
  ],
  ["S core web /x\nE /x GET ->L1 ->data\nL1:\n  Set data 1\n  J", []],
  [
    "S core web /x\nE /x GET ->L1 ->rows\nL1:\n  Set data 1\n  J",
    [
      "WF3006 2:15 ->rows | in 1 | endpoint returns 'rows' but label 'L1' returns 'data' | change one of them | returned here on 5",
    ],
  ],
  [
    "S core web /x\nE /x GET ->L1 ->rows\nL1:\n  Set rows 1\n  J [rows]",
    [
      "WF3006 2:15 ->rows | in 1 | endpoint returns 'rows' but label 'L1' returns '[rows]' | change one of them | returned here on 5",
    ],
  ],
  ["S core web /x\nE /x GET L1 rows\nL1:\n  Set rows 1\n  J 1", []],
  [
    "S core web /x\nE /x GET ->L1 rows\nL1:\n  Set rows 1\n  If rows ->L2 ->L2\n  J 1\nL2:\n  J rows",
    [
      "WF2009 6:3 J | in 1 n3 | steps after If in 'L1' never run | move them above If, or into a label of their own, or put the If in a label of its own and Call it | If ends the label here on 5",
    ],
  ],
  ["S core web /x\nE /x GET ->L9 ->rows\nL1:\n  J 1", []],
  ["S core web /x\nE /x GET ->L1\nL1:\n  J 1", []],
  [
    "L1:\n  Set a 1\n  If a ->L2 ->L2\n  Set b 1\n  Set c 1\nL2:\n  J 1",
    [
      "WF2009 4:3 Set | in 1 n3 | steps after If in 'L1' never run | move them above If, or into a label of their own, or put the If in a label of its own and Call it | If ends the label here on 3",
    ],
  ],
  [
    "L1:\n  J 1\n  Err ->L2\nL2:\n  J 1",
    [
      "WF2009 3:3 Err | in 1 n2 | steps after J in 'L1' never run | put it directly under the step it protects | J ends the label here on 2",
    ],
  ],
  ["L1:\n  If true ->L2 ->L2\n  Err ->L2\nL2:\n  J 1", []],
  ["L1:\n  If true ->L2 ->L2\n  Err ->L2\n  Retry 3 1\nL2:\n  J 1", []],
  [
    "L1:\n  If true ->L2 ->L2\n  Set a 1\n  Err ->L2\nL2:\n  J 1",
    [
      "WF2009 3:3 Set | in 1 n2 | steps after If in 'L1' never run | move them above If, or into a label of their own, or put the If in a label of its own and Call it | If ends the label here on 2",
    ],
  ],
  ['L1:\n  R http.GET "https://a.b/" ->x\n  J x\n  Err @n1 ->L2\nL2:\n  J 1', []],
  [
    'L1:\n  R http.GET "https://a.b/" ->x\n  J x\n  Retry @n1 3 1\n  Set y 1\nL2:\n  J 1',
    [
      "WF2009 5:3 Set | in 1 n4 | steps after J in 'L1' never run | move them above J, or into a label of their own | J ends the label here on 3",
      "WF9014 6:1 L2: | hint | in 2 | label 'L2' is never used",
    ],
  ],
  ['L1:\n  R http.GET "https://a.b/" ->x\n  J x\n  Err @n9 ->L2\nL2:\n  J 1', []],
  [
    "L1:\n  J 1\n  Retry 3 1",
    [
      "WF2009 3:3 Retry | in 1 n2 | steps after J in 'L1' never run | put it directly under the step it protects | J ends the label here on 2",
    ],
  ],
  [
    "L1:\n  J 1\n  R nosuch.\n  Set y 2",
    [
      "WF2009 4:3 Set | in 1 n2 | steps after J in 'L1' never run | move them above J, or into a label of their own | J ends the label here on 2",
    ],
  ],
  [
    "L1:\n  Call L2 ->x\n  J x\nL2:\n",
    ["WF2010 4:1 L2: | in 2 | label 'L2' has no steps | add J and a value to the label | used here on 2"],
  ],
  [
    "L1:\n  Call L2 ->x\n  Call L2 ->x\n  J x\nL2:\n  Set a 1",
    [
      "WF2011 5:1 L2: | in 2 | label 'L2' does not end in J, If, Loop or While | end it with J and a value | used here on 2",
    ],
  ],
  ["L1:\n  J 1\nL2:\n  Set a 1", ["WF9014 3:1 L2: | hint | in 2 | label 'L2' is never used"]],
  [
    "L1:\n  J 1\nL2:\n  Call L3\n  J 1\nL3:\n  Call L2\n  J 1",
    [
      "WF9014 3:1 L2: | hint | in 2 | label 'L2' is never used",
      "WF9014 6:1 L3: | hint | in 3 | label 'L3' is never used",
    ],
  ],
  ["L1:\n  J 1\nL2:\n  J 1", ["WF9014 3:1 L2: | hint | in 2 | label 'L2' is never used"], { reachability: true }],
  [
    "S core web /x\nE /x GET ->L1\nL1:\n  J 1\nL2:\n  J 1",
    ["WF9014 5:1 L2: | in 2 | label 'L2' is never used"],
    { reachability: true },
  ],
  [
    "S core web /x\nE /x GET ->L1\nL1:\n  J 1\nL2:\n  J 1",
    ["WF9014 5:1 L2: | warning | in 2 | label 'L2' is never used"],
    { reachability: true, strict: false },
  ],
  [
    "LENTRY:\n  J 1\nLEXIT_OK:\n  J 1\nLother:\n  J 1",
    ["WF9014 5:1 Lother: | hint | in other | label 'Lother' is never used"],
  ],
  ["L1:\n  J 1\nLEXIT_OK:\n  J 1", ["WF9014 3:1 LEXIT_OK: | hint | in EXIT_OK | label 'LEXIT_OK' is never used"]],
  [
    'Cr L2 "0 * * * *"\nTst L3\nL1:\n  J 1\nL2:\n  J 1\nL3:\n  J 1\nL4:\n  J 1',
    ["WF9014 9:1 L4: | hint | in 4 | label 'L4' is never used"],
  ],
  ['Cr ->L2: "0 * * * *"\nL1:\n  J 1\nL2:\n  J 1', []],
  [
    'L1:\n  Set a 1\n  Call L2 ->x\n  Err ->L3\n  J x\nL2:\n  J 1\nL3:\n  R http.GET "https://a.b/" ->x\n  R fs.read "a" ->y\n  J x',
    ["WF9022 4:3 Err | warning | in 1 n3 | handler 'L3' adds fs, http | check that the handler may do this"],
  ],
  ['L1:\n  R fs.read "a" ->y\n  Err ->L3\n  J y\nL3:\n  R fs.read "b" ->y\n  J y', []],
  ['L1:\n  R fs.read "a" ->y\n  Err ->L9\n  J y', []],
  ['L1:\n  R fs.read "a" ->y\n  Err\n  J y', []],
  ["Set a 1\nJ a", []],
  [
    "L1:\n  R core.ADD 1 2 ->x\n  J x\n  Err ->L2\nL2:\n  J 1",
    [
      "WF2009 4:3 Err | in 1 n3 | steps after J in 'L1' never run | put it directly under the step it protects | J ends the label here on 3",
    ],
  ],
];

for (const [source, expected, options] of ROWS) {
  it(JSON.stringify(source), () => {
    expect(said(source, CODES, options)).toEqual(expected);
  });
}
