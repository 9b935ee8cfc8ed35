/** The smallest program that has an input. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# Greets a person, or the world when no name is given.
def hello(name: str = "world"):
    return f"Hello, {name}!"
`;

const EXPECTED = `[
  { "name": "the world", "expect": { "result": "Hello, world!", "calls": [] } },
  { "name": "somebody", "frame": { "name": "Ada" }, "expect": { "result": "Hello, Ada!" } }
]
`;

export const helloTemplate = projectTemplate({
  name: "hello",
  title: "A greeting",
  program: PROGRAM,
  expected: EXPECTED,
  config: { strict: true },
  run: 'wf run hello.wf --frame \'{"name": "Ada"}\'',
});
