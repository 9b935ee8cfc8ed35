/** Programs to start from. */
export type Example = { readonly title: string; readonly code: string; readonly frame: string };

export const EXAMPLES: readonly Example[] = [
  {
    title: "Totals",
    frame:
      '{"orders": [{"customer": "Ada", "price": 30}, {"customer": "Bo", "price": 12}, {"customer": "Ada", "price": 5}]}',
    code: `def main(orders: list[dict]):
    totals = {}
    for order in orders:
        customer = order["customer"]
        totals[customer] = totals.get(customer, 0) + order["price"]
    return totals
`,
  },
  {
    title: "A condition",
    frame: '{"score": 72}',
    code: `def main(score: float):
    if score >= 50:
        return f"passed with {score}"
    return "not passed"
`,
  },
  {
    title: "A call that may fail",
    frame: '{"url": "https://example.com/"}',
    code: `def main(url: str):
    try:
        return http.Get(url).status
    except AdapterError as e:
        return str(e)
`,
  },
];
