/** The program that shows a model how Weft is written, and what differs from Python: on the pages for agents. */

/** It runs with the frame `{"orders": [{"name": "pen", "price": 40}, {"name": "ink", "price": 10}]}` and an adapter `http`. */
export const TAUGHT_PROGRAM = `def main(orders: list[dict], limit: float = 20):
    names = []
    total = 0
    for order in orders:
        if order.get("price") is None:
            raise ValueError(f"{order['name']} has no price")
        if order["price"] > limit:
            names.append(order["name"])
            total += order["price"]
    return {"names": sorted(names), "total": round(total * rate("eur"), 2)}


def rate(code):
    try:
        return http.Get(f"https://rates.example.com/{code}").body["rate"]
    except AdapterError:
        return 1
`;

/** One rule a line. */
export const RULES_BESIDE_PYTHON = `- \`main\` or else the first function runs. Its parameters are the inputs: one without a default is required, annotations are checked and never convert. What it returns is the result.
- Adapters are global objects; no import is needed. Options are keyword arguments: http.Post(url, body, headers={…}, timeout=5).
- The answer of an adapter is a dict with attributes: r.status, r.body["id"]. Inputs and parsed JSON are plain dicts: order["id"].
- An answer has no truth: write \`if answer.approved\`, never \`if answer\`.
- A failed call raises AdapterError with code, status, details and retryable. http raises at status 400 and above.
- The order of a set is not shown: write sorted(s).
- What Weft does not support is refused before it runs; what it accepts gives what CPython 3.11 gives.`;
