/** Calls of the opcode form, as examples of verbs are written, in Python: options become named arguments, JSON becomes literals. */
import { expect, it } from "vitest";
import { pythonCall } from "../../adapters/describe/python-call.ts";

const OPTIONS = ["timeout_s", "from", "accept_status"];

it.each([
  ['R http.Get "https://a.example/" ->r', 'r = http.Get("https://a.example/")'],
  ['R http.Get "https://a.example/" {"timeout_s": 3} ->r', 'r = http.Get("https://a.example/", timeout_s=3)'],
  ['R http.Post "u" {"name": "Ada"} {"accept_status": [201]}', 'http.Post("u", {"name": "Ada"}, accept_status=[201])'],
  ['R email.send ["a"] "s" "t" {"from": "b"}', 'email.send(["a"], "s", "t", from_="b")'],
  ["R cache.set key [true, null, 1.5]", "cache.set(key, [True, None, 1.5])"],
  ['R fs.write "a" {}', 'fs.write("a", {})'],
  ["J 1", "J 1"],
])("%s", (source, expected) => {
  expect(pythonCall(source, OPTIONS)).toBe(expected);
});
