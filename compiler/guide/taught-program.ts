/** The program that shows a model the whole language, and what differs from Python: in the MCP server's instructions and on the pages for agents. */

/** It runs with the frame `{"orders": [{"name": "pen", "price": 40}, {"name": "ink", "price": 10}]}` and an adapter `http`. */
export const TAUGHT_PROGRAM = `main(orders, limit=20):
  names = []
  total = 0
  for o in orders:
    if o.price is None:
      raise f"{o.name} has no price"
    elif o.price > limit:
      names = push(names, o.name)
      total += o.price
  out {"names": sort(names), "total": round(total * rate("eur"), 2)}

rate(code):
  try:
    r = http.Get(f"https://rates.example.com/{code}")
    return r.body.rate
  except e:
    return 1`;

/** One rule a line. */
export const RULES_UNLIKE_PYTHON = `- The first graph runs; the frame holds its inputs. A call with brackets has variables of its own.
- No methods, imports, lambdas or named arguments: push(xs, x), upper(s), sort_by(rows, "price", "desc").
- Functions change nothing: write xs = push(xs, x). d[k] = v and x += 1 do assign.
- o.name and o[key] read objects; what is missing is None and raises nothing.
- A number next to a text fails: use f"{n}".
- now(), uuid() and env() stand alone: t = now().
- A while loop needs a bound: while c limit 50:`;
