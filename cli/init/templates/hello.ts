/** The smallest program that has a variable and a decision. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# Greets somebody, or the world when nobody is named.
# frame: name: text
L1:
  If name? ->L_named ->L_world

L_named:
  J (concat "Hello, " name "!")

L_world:
  J "Hello, world!"
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
