/** What is said about calls: counts, literal types, the allowlist, retries and dropped results. Whole findings, so that no word and no place of them changes unseen. */
import { expect, it } from "vitest";
import { type Said, said } from "../found.ts";

const CODES = ["WF5007", "WF5012", "WF5008", "WF5010", "WF5011", "WF9005", "WF9023"];

const ROWS: readonly Said[] = [
  ["L1:\n  R core.ADD 1 ->n\n  J n", ["WF5007 2:5 core.ADD | warning | in 1 n1 | core.ADD takes a b | add b"]],
  ["L1:\n  R core.ADD ->n\n  J n", ["WF5007 2:5 core.ADD | warning | in 1 n1 | core.ADD takes a b | add a and b"]],
  ["L1:\n  R core.LEN [] 2 ->n\n  J n", ["WF5012 2:17 2 | in 1 n1 | core.LEN takes v? | remove the last argument"]],
  [
    "L1:\n  R core.LEN [] 2 3 4 ->n\n  J n",
    ["WF5012 2:17 2 | in 1 n1 | core.LEN takes v? | remove the last 3 arguments"],
  ],
  [
    "L1:\n  R core.NOW 2 ->n\n  X m now 1\n  J n",
    [
      "WF5012 2:14 2 | in 1 n1 | core.NOW takes no arguments | remove the last argument",
      "WF5012 3:11 1 | in 1 n2 | now takes no arguments | remove the last argument",
    ],
  ],
  ["L1:\n  X n sub 1\n  J n", ["WF5007 2:7 sub | warning | in 1 n1 | sub takes a b | add b"]],
  ["L1:\n  X n concat\n  J n", []],
  ["L1:\n  X n max\n  J n", []],
  ["L1:\n  Set n [(sub 1 2 3)]\n  J n", ["WF5012 2:19 3 | in 1 n1 | sub takes a b | remove the last argument"]],
  ['L1:\n  Set n {"a": (sub 1)}\n  J n', ["WF5007 2:16 sub | warning | in 1 n1 | sub takes a b | add b"]],
  ["L1:\n  X n (sub 1 2 3)\n  J n", ["WF5012 2:16 3 | in 1 n1 | sub takes a b | remove the last argument"]],
  ["L1:\n  Set n (1 + 2)\n  J n", []],
  [
    "L1:\n  R core.ROUND 1.5 1 2 ->m\n  J m",
    ["WF5012 2:22 2 | in 1 n1 | core.ROUND takes x digits? | remove the last argument"],
  ],
  ["L1:\n  R core.ROUND 1.5 1 ->m\n  J m", []],
  [
    "L1:\n  R core.ADD 1\n  Call ->L2\n  R core.ADD 2 ->n\n  J n\nL2:\n  R core.ADD 3 ->m\n  J m",
    [
      "WF5007 2:5 core.ADD | warning | in 1 n1 | core.ADD takes a b | add b",
      "WF9005 3:3 Call | hint | in 1 n2 | result goes to _call_result | add ->name",
      "WF5007 4:5 core.ADD | warning | in 1 n3 | core.ADD takes a b | add b",
      "WF5007 7:5 core.ADD | warning | in 2 n1 | core.ADD takes a b | add b",
    ],
  ],
  [
    "L1:\n  Call L2\n  Call L2 ->x\n  J x\nL2:\n  J 1",
    ["WF9005 2:3 Call | hint | in 1 n1 | result goes to _call_result | add ->name"],
  ],
  ["L1:\n  R fs.read 42 ->p\n  J p", ["WF5011 2:13 42 | warning | in 1 n1 | fs.read: argument 1 must be text"]],
  [
    "L1:\n  R memory.list a {} ->p\n  R memory.put {} b c {} ->q\n  J [p,q]",
    ["WF5011 3:16 {} | warning | in 1 n2 | memory.put: argument 1 must be text"],
  ],
  [
    "L1:\n  R memory.put a b c {} 1.5 ->p\n  R memory.put a b c {} 1 ->p\n  R memory.put a b c {} null ->p\n  R memory.put a b c null ->p\n  R memory.put a b {} ->p\n  R memory.put null b c {} ->p\n  J p",
    [
      "WF5011 2:25 1.5 | warning | in 1 n1 | memory.put: argument 5 must be a whole number",
      "WF5007 6:5 memory.put | warning | in 1 n5 | memory.put takes namespace kind id payload ttl_seconds? metadata? options? | add payload",
      "WF5011 7:16 null | warning | in 1 n6 | memory.put: argument 1 must be text",
    ],
  ],
  [
    "L1:\n  R email.read INBOX true ->p\n  R sqlite.query $sql 5 ->q\n  R email.read {} 1 ->r\n  J [p,q,r]",
    [
      "WF5011 2:22 true | warning | in 1 n1 | email.read: argument 2 must be a whole number",
      "WF5011 3:23 5 | warning | in 1 n2 | sqlite.query: argument 2 must be a list or an object",
      "WF5011 4:16 {} | warning | in 1 n3 | email.read: argument 1 must be text",
    ],
  ],
  [
    "L1:\n  R http.Get {} ->p\n  R http.Get [] ->p\n  R fs.read {} ->q\n  R fs.read [] ->q\n  R fs.write {} x ->q\n  J [p,q]",
    [
      "WF5011 3:14 [] | warning | in 1 n2 | http.Get: argument 1 must be text",
      "WF5011 5:13 [] | warning | in 1 n4 | fs.read: argument 1 must be text",
      "WF5011 6:14 {} | warning | in 1 n5 | fs.write: argument 1 must be text",
    ],
  ],
  [
    'Q mail\nL1:\n  R http.Get "https://example.com/" ->p\n  QueuePut mail p\n  X t now\n  J t',
    [
      "WF5008 3:5 http.Get | warning | in 1 n1 | http.Get is not allowed under the given allowlist | use a grant that admits http",
      "WF5008 4:3 QueuePut | warning | in 1 n2 | queue.Put is not allowed under the given allowlist | use a grant that admits queue",
      "WF5008 5:3 X | warning | in 1 n3 | core.NOW is not allowed under the given allowlist | use a grant that admits core",
    ],
    { allowed_adapters: [] },
  ],
  [
    'Q mail\nL1:\n  R http.Get "https://example.com/" ->p\n  QueuePut mail p\n  X t now\n  J t',
    [
      "WF5008 3:5 http.Get | warning | in 1 n1 | http.Get is not allowed under the given allowlist | use a grant that admits http",
      "WF5008 4:3 QueuePut | warning | in 1 n2 | queue.Put is not allowed under the given allowlist | use a grant that admits queue",
    ],
    { allowed_adapters: ["core"] },
  ],
  ["L1:\n  R nosuch.GET 1 ->p\n  J p", [], { allowed_adapters: ["core"] }],
  [
    'L1:\n  R http.Post "https://e.com/" {} ->p\n  Retry 3 100\n  J p',
    [
      "WF5010 3:3 Retry | warning | in 1 n2 | retrying http.Post may repeat its effect | pass an idempotency key, or do not retry it",
    ],
  ],
  ['L1:\n  R http.Get "https://e.com/" ->p\n  Retry 3 100\n  J p', []],
  [
    'L1:\n  R http.Post "https://e.com/" {} ->p\n  Retry 3 100\n  Retry 4 100\n  J p',
    [
      "WF5010 3:3 Retry | warning | in 1 n2 | retrying http.Post may repeat its effect | pass an idempotency key, or do not retry it",
      "WF9023 4:3 Retry | warning | in 1 n3 | 'Retry' on n1 is ignored: line 3 protects it | remove one of them | this one counts on 3",
    ],
  ],
  [
    'L1:\n  R http.Post "https://e.com/" {} ->p\n  Set a 1\n  Retry @n1 3 100\n  J p',
    [
      "WF5010 4:3 Retry | warning | in 1 n3 | retrying http.Post may repeat its effect | pass an idempotency key, or do not retry it",
    ],
  ],
  [
    'L1:\n  R http.Post "https://e.com/" {} ->p\n  Err ->L2\n  Retry 3 100\n  J p\nL2:\n  J 1',
    [
      "WF5010 4:3 Retry | warning | in 1 n3 | retrying http.Post may repeat its effect | pass an idempotency key, or do not retry it",
    ],
  ],
  ['L1:\n  R http.Post "https://e.com/" {} ->p\n  Err ->L2\n  J p\nL2:\n  J 1', []],
  ["Pol a auth=true\nL1:\n  Enf a\n  Retry 3 100\n  J 1", []],
];

for (const [source, expected, options] of ROWS) {
  it(JSON.stringify(source), () => {
    expect(said(source, CODES, options)).toEqual(expected);
  });
}
