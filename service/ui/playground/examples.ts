/** Programs to start from. */
export type Example = { readonly title: string; readonly code: string; readonly frame: string };

export const EXAMPLES: readonly Example[] = [
  {
    title: "Totals",
    frame:
      '{"orders": [{"customer": "Ada", "price": 30}, {"customer": "Bo", "price": 12}, {"customer": "Ada", "price": 5}]}',
    code: `main:
  in: orders:list
  totals = {}
  for order in orders:
    if order.customer in totals:
      totals[order.customer] += order.price
    else:
      totals[order.customer] = order.price
  out totals
`,
  },
  {
    title: "A condition",
    frame: '{"score": 72}',
    code: `main:
  in: score:number
  if score >= 50:
    out f"passed with {score}"
  else:
    out "not passed"
`,
  },
  {
    title: "A call that may fail",
    frame: '{"url": "https://example.com/"}',
    code: `main:
  in: url:text
  try:
    answer = http.Get(url)
    out answer.status
  except e:
    out e.message
`,
  },
  {
    title: "The opcode form",
    frame: '{"a": 2}',
    code: `# frame: a: number
L1:
  X b mul a 21
  J b
`,
  },
];
