/**
 * The keywords of JSON Schema that compare values with one another, each at a cost that grows with the size of the values. Ajv compares
 * every pair of elements for `uniqueItems`, and every value with every choice of an `enum`: 20,000 elements took it six seconds.
 */
import type { ErrorObject, FuncKeywordDefinition } from "ajv";
import type { JsonObject } from "../../compiler/json.ts";

/** The part of Ajv that exchanges keywords: the classes of its dialects have no common type. */
type Keywords = {
  removeKeyword(keyword: string): unknown;
  addKeyword(definition: FuncKeywordDefinition): unknown;
};

/**
 * Numbers for values: equal values have the same one. A container is read once, however often it is compared, so what is nested costs
 * no more than what is flat. One of these belongs to one check, because values may change between two.
 */
export class ValueNumbers {
  #last = 0;
  readonly #plain = new Map<unknown, number>();
  /** Lists and objects, written as the numbers of what is in them. */
  readonly #written = new Map<string, number>();
  readonly #containers = new WeakMap<object, number>();
  readonly #choices = new WeakMap<object, ReadonlySet<number>>();

  of(value: unknown): number {
    if (typeof value !== "object" || value === null) return this.#numberOf(this.#plain, value);
    const known = this.#containers.get(value);
    if (known !== undefined) return known;
    const text = Array.isArray(value) ? this.#list(value) : this.#object(value as JsonObject);
    const number = this.#numberOf(this.#written, text);
    this.#containers.set(value, number);
    return number;
  }

  /** The numbers of the values that an `enum` admits. */
  choices(values: readonly unknown[]): ReadonlySet<number> {
    const known = this.#choices.get(values);
    if (known !== undefined) return known;
    const numbers = new Set(values.map((value) => this.of(value)));
    this.#choices.set(values, numbers);
    return numbers;
  }

  #list(list: readonly unknown[]): string {
    let text = "[";
    for (const element of list) text += `${this.of(element)},`;
    return text;
  }

  #object(members: JsonObject): string {
    let text = "{";
    for (const key of Object.keys(members).sort()) text += `${this.of(key)}:${this.of(members[key])},`;
    return text;
  }

  #numberOf<K>(numbers: Map<K, number>, key: K): number {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    this.#last += 1;
    numbers.set(key, this.#last);
    return this.#last;
  }
}

/** Ajv passes the numbers of the check as `this` (`passContext`); it has none when it checks a schema itself. */
function numbersOf(context: unknown): ValueNumbers {
  return context instanceof ValueNumbers ? context : new ValueNumbers();
}

type DataValidateFunction = ReturnType<NonNullable<FuncKeywordDefinition["compile"]>>;

/** A check that says what is wrong as Ajv has it: in a member of the function. */
type Check = { (this: unknown, value: unknown): boolean; errors?: Partial<ErrorObject>[] };

const uniqueItems: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  compile: (isOn: boolean) => {
    const check: Check = function (items): boolean {
      if (!isOn) return true;
      const numbers = numbersOf(this);
      const places = new Map<number, number>();
      for (const [place, item] of (items as readonly unknown[]).entries()) {
        const number = numbers.of(item);
        const first = places.get(number);
        if (first !== undefined) {
          const message = `must NOT have duplicate items (items ${first} and ${place} are identical)`;
          check.errors = [{ keyword: "uniqueItems", message, params: { i: place, j: first } }];
          return false;
        }
        places.set(number, place);
      }
      return true;
    };
    return check as DataValidateFunction;
  },
};

const oneOfValues: FuncKeywordDefinition = {
  keyword: "enum",
  schemaType: "array",
  compile: (choices: readonly unknown[]) => {
    const plain = new Set(choices.filter((choice) => !isContainer(choice)));
    const containers = choices.filter(isContainer);
    const params = { allowedValues: choices };
    const check: Check = function (value): boolean {
      if (plain.has(value)) return true;
      if (containers.length > 0 && isContainer(value)) {
        const numbers = numbersOf(this);
        if (numbers.choices(containers).has(numbers.of(value))) return true;
      }
      check.errors = [{ keyword: "enum", message: "must be equal to one of the allowed values", params }];
      return false;
    };
    return check as DataValidateFunction;
  },
};

function isContainer(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Ajv itself, with these keywords in place of its own. */
export function withLinearKeywords<A extends Keywords>(ajv: A): A {
  for (const keyword of [uniqueItems, oneOfValues]) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
  return ajv;
}
