/**
 * Programs in which containers are reached in several ways and changed through one of them: by assignment, as elements, arguments, defaults,
 * captured names, loop items, and through shallow and deep copies. Everything that a name reaches is shown at the end.
 */
import { Draw } from "./draw.ts";

/** `row`: a list of numbers; `grid`: a list of rows; `book`: a dict of rows; `tree`: a dict with "n" a number, "kids" a list of trees. */
type Shape = "row" | "grid" | "book" | "tree";

const HEAD = `import copy


def touch(x, by=9):
    x.append(by)
    return x


def kept(x, seen=[]):
    seen.append(x)
    return seen[0]


def mark(node):
    node["n"] += 1
    for kid in node["kids"]:
        kid["n"] *= 2
    return node


def pick(a, b, first):
    return a if first else b


def change(book, key):
    book.setdefault(key, []).append(len(book))
    book = {}
    return book


class Odd(Exception):
    pass
`;

class Sharing {
  readonly #draw: Draw;
  readonly #names: Record<Shape, string[]> = { row: [], grid: [], book: [], tree: [] };
  #next = 0;

  constructor(seed: number) {
    this.#draw = new Draw(seed);
  }

  program(): string {
    const lines = (["row", "grid", "book", "tree"] as const).flatMap((shape) =>
      Array.from({ length: 2 }, () => this.#bound(shape, this.#fresh(shape))),
    );
    const count = 4 + this.#draw.below(10);
    for (let left = count; left > 0; left -= 1) lines.push(...this.#statement(2));
    const names = Object.values(this.#names).flat();
    const seen = `[${names.join(", ")}]`;
    const result = this.#draw.chance(0.5) ? `repr(${seen})` : seen;
    return `${HEAD}\n\ndef main():\n${[...lines, `return ${result}`].map((line) => `    ${line}\n`).join("")}`;
  }

  #name(): string {
    this.#next += 1;
    return `x${this.#next}`;
  }

  #bound(shape: Shape, text: string, name = this.#name()): string {
    if (!this.#names[shape].includes(name)) this.#names[shape].push(name);
    return `${name} = ${text}`;
  }

  #number(): string {
    return this.#draw.pick(["0", "1", "2", "3", "5", "7"]);
  }

  #index(): string {
    return this.#draw.pick(["0", "0", "0", "0", "-1", "-1", "-1", "1"]);
  }

  #key(): string {
    return this.#draw.pick(['"a"', '"a"', '"a"', '"b"', '"c"']);
  }

  /** A new container whose parts may be shared. */
  #fresh(shape: Shape): string {
    const draw = this.#draw;
    const row = () => this.#reference("row");
    if (shape === "row")
      return draw.pick([
        `[${draw.many(1, 3, () => this.#number()).join(", ")}]`,
        `list(range(${draw.pick(["1", "2", "3"])}))`,
        "[1] * 2",
      ]);
    if (shape === "grid")
      return draw.pick([
        `[${draw.many(1, 3, row).join(", ")}]`,
        `[${row()}] * 2`,
        `[[0] * 2 for _ in range(2)]`,
        `[${row()} for _ in range(2)]`,
        `list(${this.#reference("book")}.values())`,
        `[r[:] for r in ${this.#reference("grid")}]`,
      ]);
    if (shape === "book")
      return draw.pick([
        `{"a": ${row()}, ${this.#key()}: ${row()}}`,
        `dict.fromkeys(["a", "b"], ${row()})`,
        `{k: ${row()} for k in "ab"}`,
        `dict(a=${row()}, b=${row()})`,
        `dict(zip("ab", ${this.#reference("grid")}))`,
      ]);
    const kids = () => draw.many(0, 2, () => this.#reference("tree")).join(", ");
    return draw.pick([
      `{"n": ${this.#number()}, "kids": [${kids()}]}`,
      `{"n": ${this.#number()}, "kids": []}`,
      `{**${this.#reference("tree")}, "n": 0}`,
    ]);
  }

  /** An expression that reaches a container, new or known. */
  #reference(shape: Shape): string {
    const draw = this.#draw;
    const known = this.#names[shape];
    if (known.length === 0)
      return { row: "[1, 2]", grid: "[[1], [2]]", book: '{"a": [1]}', tree: '{"n": 1, "kids": []}' }[shape];
    const name = () => draw.pick(known);
    const copies = [`${name()}.copy()`, `copy.copy(${name()})`, `copy.deepcopy(${name()})`];
    const ways = [
      name(),
      name(),
      name(),
      name(),
      `pick(${name()}, ${name()}, ${draw.pick(["True", "False"])})`,
      `(${name()} or ${name()})`,
      `(${name()} if ${name()} == ${name()} else ${name()})`,
      draw.pick(copies),
    ];
    if (shape === "row")
      ways.push(
        `${this.#known("grid")}[${this.#index()}]`,
        `${this.#known("book")}["a"]`,
        `${this.#known("book")}.get(${this.#key()}, ${name()})`,
        `${this.#known("book")}.setdefault(${this.#key()}, ${name()})`,
        `max(${this.#known("grid")}, key=len)`,
        `touch(${name()})`,
        `kept(${name()})`,
        `${name()}[:]`,
        `list(${name()})`,
        `sorted(${name()})`,
        `(${name()} + ${name()})[:4]`,
        `next(r for r in ${this.#known("grid")} if r)`,
      );
    if (shape === "grid")
      ways.push(
        `${name()}[:2]`,
        `list(${name()})`,
        `sorted(${name()}, key=len)`,
        `list(reversed(${name()}))`,
        `[*${name()}]`,
      );
    if (shape === "book") ways.push(`dict(${name()})`, `{**${name()}}`, `(${name()} | ${name()})`);
    if (shape === "tree") ways.push(`${name()}["kids"][${this.#index()}]`, `mark(${name()})`, `dict(${name()})`);
    return draw.pick(ways);
  }

  #known(shape: Shape): string {
    const names = this.#names[shape];
    return names.length === 0 ? this.#reference(shape) : this.#draw.pick(names);
  }

  #statement(depth: number): string[] {
    const draw = this.#draw;
    const shape = draw.pick<Shape>(["row", "row", "grid", "book", "tree"]);
    return draw.weighted<() => string[]>([
      [
        4,
        () => [
          this.#bound(
            shape,
            draw.chance(0.5) ? this.#reference(shape) : this.#fresh(shape),
            draw.chance(0.4) ? draw.pick(this.#names[shape]) : undefined,
          ),
        ],
      ],
      [5, () => [this.#change(shape)]],
      [4, () => ["try:", `    ${this.#change(shape)}`, "except LookupError:", "    pass"]],
      [1, () => this.#unpacked()],
      [depth > 0 ? 2 : 0, () => this.#loop(depth)],
      [depth > 0 ? 1 : 0, () => this.#tried(depth)],
      [depth > 0 ? 1 : 0, () => this.#closure()],
      [0.5, () => [`if ${this.#known(shape)} == ${this.#known(shape)}:`, `    ${this.#change(shape)}`]],
    ])();
  }

  #change(shape: Shape): string {
    const draw = this.#draw;
    const place = this.#reference(shape);
    const name = this.#known(shape);
    const row = () => this.#reference("row");
    const changes: Record<Shape, () => string[]> = {
      row: () => [
        `${place}.append(${this.#number()})`,
        `${place}[${this.#index()}] = ${this.#number()}`,
        `${place}[${this.#index()}] += 1`,
        `${name} += [${this.#number()}]`,
        `${name} *= 2`,
        `${name}[1:] = ${row()}`,
        `${place}.extend(${row()}[:3])`,
        `${place}.sort(reverse=True)`,
        `${place}.pop()`,
        `${place}.insert(0, ${this.#number()})`,
        `del ${place}[0]`,
        `${place}.reverse()`,
        `${name} = ${name} + [8]`,
        `${place}.clear()`,
      ],
      grid: () => [
        `${place}.append(${row()})`,
        `${place}[${this.#index()}] = ${row()}`,
        `${place}[0][0] = ${this.#number()}`,
        `${place}[${this.#index()}] += ${row()}[:2]`,
        `${name} += [${row()}]`,
        `${place}[0].append(${this.#number()})`,
        `${place}.pop(0).append(4)`,
        `${place}[0], ${place}[-1] = ${place}[-1], ${place}[0]`,
        `${name}[:1] = ${this.#reference("grid")}`,
        `${place}.insert(1, ${row()})`,
      ],
      book: () => [
        `${place}[${this.#key()}] = ${row()}`,
        `${place}[${this.#key()}].append(${this.#number()})`,
        `${place}.setdefault(${this.#key()}, []).append(${this.#number()})`,
        `${place}.update(${this.#reference("book")})`,
        `${name} |= ${this.#reference("book")}`,
        `${place}.pop(${this.#key()}, None)`,
        `${place}["a"] += [${this.#number()}]`,
        `change(${place}, ${this.#key()})`,
        `${place}.popitem()`,
        `del ${place}["a"]`,
      ],
      tree: () => [
        `${place}["n"] = ${this.#number()}`,
        `${place}["n"] += 1`,
        `${place}["kids"].append(${this.#reference("tree")})`,
        `mark(${place})`,
        `${place}["kids"] = ${place}["kids"][:2]`,
        `${place}["kids"] += [${this.#reference("tree")}]`,
        `${place}.update(n=${this.#number()})`,
      ],
    };
    return draw.pick(changes[shape]());
  }

  #unpacked(): string[] {
    const draw = this.#draw;
    const [one, two] = [this.#known("row"), this.#known("row")];
    return draw.pick([
      () => [`${one}, ${two} = ${two}, ${one}`],
      () => [`${one} = ${this.#bound("row", this.#reference("row"))}`],
      () => [`${one}, *_ = ${this.#reference("grid")}`],
      () => [`${one}[0], ${this.#known("grid")}[0] = ${this.#number()}, ${this.#reference("row")}`],
    ])();
  }

  #loop(depth: number): string[] {
    const draw = this.#draw;
    const name = this.#name();
    const [shape, head] = draw.pick<[Shape, string]>([
      ["row", `for ${name} in ${this.#reference("grid")}[:3]:`],
      ["row", `for ${name} in list(${this.#reference("book")}.values()):`],
      ["row", `for key, ${name} in sorted(${this.#reference("book")}.items()):`],
      ["tree", `for ${name} in ${this.#reference("tree")}["kids"][:3]:`],
      ["row", `for index, ${name} in enumerate(${this.#reference("grid")}[:3]):`],
    ]);
    // A loop over nothing leaves the name unset, so it is known in the body only.
    this.#names[shape].push(name);
    const kept = this.#next;
    const body = draw.many(1, 2, () =>
      this.#change(shape === "row" ? draw.pick<Shape>(["row", "row", "grid", "book"]) : shape),
    );
    if (depth > 1 && draw.chance(0.2)) body.push(`if ${name}: break`);
    for (const names of Object.values(this.#names)) {
      const inner = names.filter((one) => one === name || Number(one.slice(1)) > kept);
      for (const one of inner) names.splice(names.indexOf(one), 1);
    }
    return [head, ...body.map((line) => `    ${line}`)];
  }

  #tried(depth: number): string[] {
    const body = this.#draw.many(1, 3, () => this.#change(this.#draw.pick<Shape>(["row", "grid", "book", "tree"])));
    if (depth > 0 && this.#draw.chance(0.3)) body.push("raise Odd()");
    return [
      "try:",
      ...body.map((line) => `    ${line}`),
      "except (LookupError, Odd):",
      `    ${this.#known("row")}.append(3)`,
    ];
  }

  #closure(): string[] {
    const draw = this.#draw;
    const name = `f${this.#name()}`;
    const row = this.#known("row");
    return draw.pick([
      () => [
        `def ${name}():`,
        `    ${row}.append(6)`,
        `    return ${row}`,
        this.#bound("row", `${name}()`),
        `${name}()`,
      ],
      () => [`def ${name}():`, `    nonlocal ${row}`, `    ${row} = ${this.#reference("row")}`, `${name}()`],
      () => [`${name} = lambda at=${row}: at.append(len(at))`, `${row} = []`, `${name}()`],
      () => [`${name} = [lambda: ${row} for _ in range(2)]`, `${row} = [5]`, `${name}[0]().append(1)`],
    ])();
  }
}

export function sharingProgramOf(seed: number): string {
  return new Sharing(seed).program();
}
